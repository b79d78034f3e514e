/// The body of an upload: bytes, a file, a form, or a stream.
///
/// ```swift
/// let response = try await dispatcher.upload(for: request, from: .file(fileURL)).response()
/// ```
///
/// Files are read piece by piece while they are sent, so memory use does not depend on their size.
public struct RequestBody: Sendable {
    private enum Storage: Sendable {
        case data(Data)
        case file(URL)
        case form(MultipartFormData)
        case stream(OneShot, length: Int64?)
    }

    private var storage: Storage
    /// Whether the body is compressed with gzip; a stream contains the compressed bytes.
    package private(set) var isCompressed = false
    /// The fields that follow the body; `nil` for most bodies.
    var trailers: RequestTrailers?
    /// Keeps the beginning of the body for observers while it is sent; `nil` for most bodies.
    var tap: BodyTap?

    /// Creates a body from bytes in memory.
    ///
    /// - Parameter data: The bytes.
    /// - Returns: The body.
    public static func data(_ data: Data) -> RequestBody {
        RequestBody(storage: .data(data))
    }

    /// Creates a body from a file, which is read while it is sent.
    ///
    /// The file is checked before the request starts: a missing file, a folder, or a file without read permission
    /// fails with a ``TransferError``. If the file's length changes during the upload, the upload fails with
    /// ``TransferError/Code/fileChanged``.
    ///
    /// - Parameter url: The file.
    /// - Returns: The body.
    public static func file(_ url: URL) -> RequestBody {
        RequestBody(storage: .file(url))
    }

    /// Creates a body from a form with fields and files.
    ///
    /// The form's content type replaces the request's `Content-Type`.
    ///
    /// - Parameter form: The form.
    /// - Returns: The body.
    public static func multipart(_ form: MultipartFormData) -> RequestBody {
        RequestBody(storage: .form(form))
    }

    /// Creates a body from a stream of bytes, sent at the pace of the network.
    ///
    /// The sequence is iterated when the first byte is needed, and no faster than bytes are sent: at most 256 KiB of its bytes,
    /// plus one element, are in memory. If the upload ends early, the iterating task is cancelled. If the sequence throws an
    /// error, the upload ends, and the caller receives the error unchanged.
    ///
    /// A stream can be sent once. If a redirect or another attempt needs the body again, the upload fails with
    /// ``TransferError/Code/bodyNotRepeatable``.
    ///
    /// - Parameters:
    ///   - sequence: The bytes.
    ///   - length: The number of bytes; `nil` if it is unknown, in which case HTTP/1.1 sends the body in chunks
    ///     (RFC 9112 §7.1). If the sequence yields more or fewer bytes, the upload fails with
    ///     ``TransferError/Code/lengthMismatch``; the last bytes are held back until the sequence has ended.
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

    /// Returns the same body, compressed with gzip while it is sent.
    ///
    /// ```swift
    /// let response = try await dispatcher.upload(for: request, from: .file(fileURL).gzipped()).response()
    /// ```
    ///
    /// The request gets `Content-Encoding: gzip` and loses a `Content-Length`. A request that already has a `Content-Encoding`
    /// is refused with ``TransportError/Code/invalidRequest``. The server has to support the coding; one that does not responds
    /// with 415 (RFC 9110 §15.5.16).
    ///
    /// Files and streams are compressed while they are sent, with less than 1 MiB of memory. Their length is unknown, so
    /// HTTP/1.1 sends them in chunks, which a server that only supports HTTP/1.0 does not understand. Bytes in memory, and
    /// forms without files, are compressed before they are sent and have a length. A compressed body can be sent more than
    /// once, unless it is a stream. Progress counts the compressed bytes. If the system has no zlib, the upload fails with
    /// ``TransportError/Code/unsupported``.
    ///
    /// - Returns: The compressed body; a body that is already compressed is returned unchanged.
    public func gzipped() -> RequestBody {
        guard !isCompressed else { return self }
        guard case .stream(let source, let length) = storage else {
            return RequestBody(storage: storage, isCompressed: true, trailers: trailers, tap: tap)
        }
        let compressed = source.gzipped(length: length)
        return RequestBody(storage: .stream(compressed, length: nil), isCompressed: true, trailers: trailers, tap: tap)
    }

    /// Declares that the body of a request is compressed.
    package static func declareGzip(_ urlRequest: inout URLRequest) {
        urlRequest.setValue("gzip", forHTTPHeaderField: "Content-Encoding")
        urlRequest.setValue(nil, forHTTPHeaderField: "Content-Length")
    }

    /// Whether the body can be sent more than once, as redirects and retries may require.
    public var isRepeatable: Bool {
        if case .stream = storage { false } else { true }
    }

    /// Whether the body is a stream that was already iterated and can no longer be sent.
    package var isUsedUp: Bool {
        if case .stream(let source, _) = storage { source.isUsedUp } else { false }
    }

    /// Adds an observer to a stream, which sees the bytes while they are sent.
    ///
    /// - Parameter observer: The observer.
    /// - Returns: The body to send instead of this one. A body that is not a stream is returned unchanged, because its bytes
    ///   can be collected at any time.
    public func observed(by observer: some BodyObserver) -> RequestBody {
        guard case .stream(let source, let length) = storage else { return self }
        let observed = OneShot { feed in
            guard let iteration = source.take() else { throw TransferError(.bodyNotRepeatable) }
            var isCut = false
            do {
                try await iteration { chunk in
                    if !chunk.isEmpty { observer.observe(chunk) }
                    let goesOn = try await feed(chunk)
                    if !goesOn { isCut = true }
                    return goesOn
                }
            } catch {
                observer.fail(error)
                throw error
            }
            // A sequence may end normally when its task is cancelled.
            if isCut || Task.isCancelled { observer.close() } else { try await observer.finish() }
        }
        var body = self
        body.storage = .stream(observed, length: length)
        return body
    }

    /// The content type that the body requires; `nil` if it requires none.
    package var contentType: String? {
        if case .form(let form) = storage { form.contentType } else { nil }
    }

    /// Reads the whole body into memory, for a transport or a mock that needs it there.
    ///
    /// This consumes a stream.
    ///
    /// - Parameter limit: The maximum length, in bytes.
    /// - Returns: The bytes.
    /// - Throws: ``TransferError`` with the code `bodyTooLarge` if the body is longer than the limit; also any error that the
    ///   stream throws.
    public func collect(upTo limit: Int) async throws -> Data {
        let body = try await prepared()
        if let data = body.data, data.count <= limit {
            tap?.take(all: data)
            return data
        }
        guard body.length ?? 0 <= Int64(limit) else { throw TransferError(.bodyTooLarge) }
        return try await body.collect(upTo: limit)
    }

    /// The bytes to send, if they are in memory in their final form.
    package var data: Data? {
        if case .data(let data) = storage, !isCompressed, trailers == nil { data } else { nil }
    }

    /// Whether the body may contain files, which are checked before it is sent.
    package var hasFiles: Bool {
        switch storage {
        case .file, .form: true
        case .data, .stream: false
        }
    }

    /// Prepares a request for this body.
    package func completing(_ urlRequest: URLRequest) throws -> URLRequest {
        // Foundation on Linux traps if a request without a URL is changed; the dispatcher refuses it.
        guard urlRequest.url != nil else { return urlRequest }
        guard urlRequest.httpBody == nil, urlRequest.httpBodyStream == nil else {
            throw TransportError(.invalidRequest, reason: "The request has a body in addition to the one to upload")
        }
        var request = urlRequest
        if let data { request.httpBody = data }
        if let contentType { request.setValue(contentType, forHTTPHeaderField: "Content-Type") }
        guard isCompressed else { return request }
        guard request.value(forHTTPHeaderField: "Content-Encoding") == nil else {
            let reason = "The request already has a Content-Encoding, so its body cannot be compressed"
            throw TransportError(.invalidRequest, reason: reason, request: urlRequest)
        }
        Self.declareGzip(&request)
        return request
    }

    /// The number of bytes; `nil` if it is unknown.
    ///
    /// It is also `nil` if a file cannot be read, if the body is compressed, or if it has trailers.
    public var length: Int64? {
        if trailers != nil { return nil }
        if case .stream(_, let length) = storage { return length }
        if isCompressed { return nil }
        return try? resolved().length
    }

    /// Checks files and lengths on the file threads, and compresses bytes in memory.
    ///
    /// - Returns: The body in the form in which it is sent.
    /// - Throws: ``TransferError`` if a file cannot be sent, ``TransportError`` if the body cannot be compressed, or
    ///   `CancellationError` if the task is cancelled.
    package func prepared() async throws -> ResolvedBody {
        let body = hasFiles ? try await FileWorker().run { try resolved() } : try resolved()
        guard let pieces = body.blocks(isCompressed: true) else { return body }
        var compressed = ResolvedBody(
            segments: [.bytes(try await GzipEncoder.compressed(pieces) ?? Data())],
            trailers: trailers
        )
        compressed.tap = tap
        return compressed
    }

    /// Checks files and lengths on the calling thread, see ``hasFiles``; throws ``TransferError`` if a file cannot be sent.
    package func resolved() throws -> ResolvedBody {
        var body = try resolvedUncompressed()
        if isCompressed, case .segments(let segments, _) = body.source {
            body = ResolvedBody(.segments(segments, isCompressed: true), length: nil, trailers: trailers)
        }
        body.tap = tap
        return body
    }

    private func resolvedUncompressed() throws -> ResolvedBody {
        switch storage {
        case .data(let data): return ResolvedBody(segments: [.bytes(data)], trailers: trailers)
        case .file(let url): return ResolvedBody(segments: [try .reading(url)], trailers: trailers)
        case .form(let form): return ResolvedBody(segments: try form.segments(), trailers: trailers)
        case .stream(let source, let length):
            // Check this first, to avoid opening a connection in vain.
            if source.isUsedUp { throw TransferError(.bodyNotRepeatable) }
            return ResolvedBody(.stream(source), length: length, trailers: trailers)
        }
    }
}

/// A stream that can be iterated once, by the first caller that takes it.
package final class OneShot: Sendable {
    /// Passes chunks to `feed` until there are no more, or until `feed` returns `false`.
    typealias Iteration = @Sendable (_ feed: (Data) async throws -> Bool) async throws -> Void

    private let iteration: Locked<Iteration?>

    init(_ iteration: @escaping Iteration) {
        self.iteration = Locked(iteration)
    }

    /// Whether the iteration was taken.
    var isUsedUp: Bool { iteration.withLock { $0 == nil } }

    /// Returns the iteration on the first call, and `nil` afterwards.
    func take() -> Iteration? {
        iteration.withLock { $0.take() }
    }
}

extension RequestBody: Redacted {
    /// The kind of the body and its length, without the bytes.
    public var description: String {
        let text =
            switch storage {
            case .data(let data): "\(data.count) bytes"
            case .file(let url): "the file \(url.path(percentEncoded: false))"
            case .form(let form): form.description
            case .stream(_, let length): length.map { "a stream of \($0) bytes" } ?? "a stream"
            }
        return text + (isCompressed ? ", compressed" : "") + (trailers == nil ? "" : ", with trailers")
    }

    /// The description, so that `dump` does not show the bytes.
    package var shown: KeyValuePairs<String, Any> { ["description": description] }
}
