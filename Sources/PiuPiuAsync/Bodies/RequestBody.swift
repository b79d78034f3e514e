/// What an upload sends: bytes, a file, a form, or a stream.
///
/// ```swift
/// let response = try await dispatcher.upload(for: request, from: .file(fileURL)).response()
/// ```
///
/// Files are read piece by piece while they are sent, so that memory does not grow with their size.
public struct RequestBody: Sendable {
    private enum Storage: Sendable {
        case data(Data)
        case file(URL)
        case form(MultipartFormData)
        case stream(OneShot, length: Int64?)
    }

    private let storage: Storage

    /// Bytes in memory.
    ///
    /// - Parameter data: The bytes.
    /// - Returns: The body.
    public static func data(_ data: Data) -> RequestBody {
        RequestBody(storage: .data(data))
    }

    /// A file, read while it is sent.
    ///
    /// The file is looked at before the request starts: one that is missing, that is a folder or that may not be read is
    /// a ``TransferError``. One that becomes shorter or longer underway ends the upload with
    /// ``TransferError/Code/fileChanged``.
    ///
    /// - Parameter url: The file.
    /// - Returns: The body.
    public static func file(_ url: URL) -> RequestBody {
        RequestBody(storage: .file(url))
    }

    /// A form with fields and files.
    ///
    /// The request's `Content-Type` is replaced by the form's.
    ///
    /// - Parameter form: The form.
    /// - Returns: The body.
    public static func multipart(_ form: MultipartFormData) -> RequestBody {
        RequestBody(storage: .form(form))
    }

    /// Bytes as they come, at the pace of the network.
    ///
    /// The sequence is iterated when the first byte is needed, and no faster than bytes are sent: at most 256 KiB of
    /// what it gave, and one element, are in memory. When the upload ends early, the iterating task is cancelled. An
    /// error of the sequence ends the upload and reaches the caller as it is.
    ///
    /// It can be sent once. Where a redirect or another attempt needs the body again, the upload ends with
    /// ``TransferError/Code/bodyNotRepeatable``.
    ///
    /// - Parameters:
    ///   - sequence: The bytes.
    ///   - length: How many there are, in bytes; `nil` where that is not known, which HTTP/1.1 sends in chunks
    ///     (RFC 9112 §7.1). A sequence that gives more or fewer ends the upload with
    ///     ``TransferError/Code/lengthMismatch``; the last bytes are held back until that is known.
    /// - Returns: The body.
    public static func stream<Bytes: AsyncSequence & Sendable>(
        _ sequence: Bytes,
        length: Int64? = nil
    ) -> RequestBody where Bytes.Element == Data {
        let source = OneShot { feed in
            for try await chunk in sequence {
                guard try await feed(chunk) else { return }
            }
        }
        return RequestBody(storage: .stream(source, length: length.map { max(0, $0) }))
    }

    /// Whether it can be sent more than once, as redirects and retries may need.
    public var isRepeatable: Bool {
        if case .stream = storage { false } else { true }
    }

    /// Puts an observer on a stream, which sees the bytes while they are sent.
    ///
    /// - Parameter observer: What observes the bytes.
    /// - Returns: The new body, to be sent instead of this one; this one if it is no stream, whose bytes can be collected
    ///   at any time.
    public func observed(by observer: some BodyObserver) -> RequestBody {
        guard case .stream(let source, let length) = storage else { return self }
        let observed = OneShot { feed in
            guard let iteration = source.take() else { throw TransferError(.bodyNotRepeatable) }
            var isCut = false
            do {
                try await iteration { chunk in
                    observer.observe(chunk)
                    let goesOn = try await feed(chunk)
                    if !goesOn { isCut = true }
                    return goesOn
                }
            } catch {
                observer.fail(error)
                throw error
            }
            if isCut { observer.close() } else { try await observer.finish() }
        }
        return RequestBody(storage: .stream(observed, length: length))
    }

    /// The `Content-Type` that goes with it, if it has one of its own.
    var contentType: String? {
        if case .form(let form) = storage { form.contentType } else { nil }
    }

    /// Puts the whole body into memory, for a transport or a mock that cannot do otherwise.
    ///
    /// A stream is used up by it.
    ///
    /// - Parameter limit: The most there may be, in bytes.
    /// - Returns: The bytes.
    /// - Throws: ``TransferError``, with the code `bodyTooLarge` where there are more; what a stream throws.
    public func collect(upTo limit: Int) async throws -> Data {
        let body = hasFiles ? try await FileWorker().run { try resolved() } : try resolved()
        if let data = body.data, data.count <= limit { return data }
        guard body.length ?? 0 <= Int64(limit) else { throw TransferError(.bodyTooLarge) }
        return try await body.collect(upTo: limit)
    }

    /// The bytes, where they are in memory.
    var data: Data? {
        if case .data(let data) = storage { data } else { nil }
    }

    /// Whether it may have files, which have to be looked at before it is sent.
    package var hasFiles: Bool {
        switch storage {
        case .file, .form: true
        case .data, .stream: false
        }
    }

    /// Prepares a request for this body.
    func completing(_ urlRequest: URLRequest) throws -> URLRequest {
        // Foundation on Linux traps when a request without a URL is changed; the dispatcher refuses it.
        guard urlRequest.url != nil else { return urlRequest }
        guard urlRequest.httpBody == nil, urlRequest.httpBodyStream == nil else {
            throw TransportError(.invalidRequest, reason: "The request has a body beside the one to upload")
        }
        var request = urlRequest
        if let data { request.httpBody = data }
        if let contentType { request.setValue(contentType, forHTTPHeaderField: "Content-Type") }
        return request
    }

    /// How many bytes it has, as far as that is known now; `nil` also where a file cannot be read.
    public var length: Int64? {
        if case .stream(_, let length) = storage { return length }
        return try? resolved().length
    }

    /// Looks at files and lengths, on the calling thread: see ``hasFiles``.
    ///
    /// - Returns: The body as it is sent now.
    /// - Throws: ``TransferError`` where a file cannot be sent.
    package func resolved() throws -> ResolvedBody {
        switch storage {
        case .data(let data): return ResolvedBody(.segments([.bytes(data)]), length: Int64(data.count))
        case .file(let url): return ResolvedBody(segments: [try .reading(url)])
        case .form(let form): return ResolvedBody(segments: try form.segments())
        case .stream(let source, let length):
            // Asked before a connection is opened for nothing.
            if source.isUsedUp { throw TransferError(.bodyNotRepeatable) }
            return ResolvedBody(.stream(source), length: length)
        }
    }
}

/// A stream that can be iterated once, by whoever is first.
final class OneShot: Sendable {
    /// Passes chunks on until there are no more, or until the receiver returns `false`.
    typealias Iteration = @Sendable (_ feed: (Data) async throws -> Bool) async throws -> Void

    private let iteration: Locked<Iteration?>

    init(_ iteration: @escaping Iteration) {
        self.iteration = Locked(iteration)
    }

    /// Whether it was handed out.
    var isUsedUp: Bool { iteration.withLock { $0 == nil } }

    /// Hands the iteration out, once.
    func take() -> Iteration? {
        iteration.withLock { $0.take() }
    }
}

/// A body whose files were looked at.
package struct ResolvedBody: Sendable {
    enum Source: Sendable {
        case segments([RequestBodySegment])
        case stream(OneShot)
    }

    let source: Source
    /// How many bytes it has; `nil` where that is not known before it was sent.
    package let length: Int64?

    init(_ source: Source, length: Int64?) {
        self.source = source
        self.length = length
    }

    init(segments: [RequestBodySegment]) {
        self.init(.segments(segments), length: segments.reduce(0) { $0 + $1.length })
    }

    /// The bytes, where all of them are in memory.
    var data: Data? {
        guard case .segments(let segments) = source else { return nil }
        var data = Data()
        for segment in segments {
            guard case .bytes(let bytes) = segment else { return nil }
            // One segment is not copied.
            if data.isEmpty { data = bytes } else { data.append(bytes) }
        }
        return data
    }

    var isRepeatable: Bool {
        if case .stream = source { false } else { true }
    }

    /// Puts everything into memory.
    func collect(upTo limit: Int) async throws -> Data {
        var data = Data()
        switch source {
        case .segments(let segments):
            data = try await FileWorker().run { try Self.read(segments, upTo: limit) }
        case .stream(let stream):
            guard let iteration = stream.take() else { throw TransferError(.bodyNotRepeatable) }
            try await iteration { bytes in
                guard bytes.count <= limit - data.count else { throw TransferError(.bodyTooLarge) }
                data += bytes
                return true
            }
        }
        guard Int64(data.count) == length ?? Int64(data.count) else { throw TransferError(.lengthMismatch) }
        return data
    }

    private static func read(_ segments: [RequestBodySegment], upTo limit: Int) throws -> Data {
        var data = Data()
        for segment in segments {
            guard segment.length <= Int64(limit - data.count) else { throw TransferError(.bodyTooLarge) }
            switch segment {
            case .bytes(let bytes): data += bytes
            case .file(let url, let length):
                let (file, lengthNow) = try OpenFile.reading(url)
                guard lengthNow == length else { throw TransferError(.fileChanged, file: url) }
                data += try file.read(at: 0, count: Int(clamping: length))
            }
        }
        return data
    }
}

extension RequestBody: Redacted {
    /// What kind of body it is and how long, without the bytes.
    public var description: String {
        switch storage {
        case .data(let data): "\(data.count) bytes"
        case .file(let url): "the file \(url.path(percentEncoded: false))"
        case .form(let form): form.description
        case .stream(_, let length): length.map { "a stream of \($0) bytes" } ?? "a stream"
        }
    }

    /// The same as the description, so that `dump` does not show the bytes.
    package var shown: KeyValuePairs<String, Any> { ["description": description] }
}
