/// The body of a response, read in chunks as they arrive.
///
/// ```swift
/// let stream = try await dispatcher.stream(for: request)
/// for try await chunk in stream.data {
///     print(chunk.count)
/// }
/// ```
///
/// At most about 256 KiB wait in memory: while nothing reads the body, the transport stops reading from the connection,
/// and the server has to wait. This time does not count toward ``Timeouts/idle``.
///
/// A body can be read once. Leaving the loop, cancelling the task, or releasing the body before its end closes the
/// exchange. After the end, another iterator returns no chunks. While the body is being read, and after it was abandoned, a
/// second iterator throws ``TransferError/Code/bodyAlreadyRead``.
public struct ResponseBody: AsyncSequence, Sendable {
    /// A chunk.
    public typealias Element = Data

    /// The expected number of bytes, from `Content-Length`.
    ///
    /// `nil` if the server did not send it, or if the body is decompressed.
    public var expectedLength: Int64? { reader.expectedLength }
    /// The fields that followed the body (RFC 9110 §6.5), in the order they arrived.
    ///
    /// `nil` until the body has been read to its end, and if it was abandoned or failed; empty if there were none. Fields that
    /// have no meaning after the body, such as `Content-Length`, `Set-Cookie` and `Authorization`, are left out
    /// (RFC 9110 §6.5.1). `URLSession` does not report trailers.
    public var trailers: HTTPHeaderFields? { reader.hasEnded ? reader.source.trailers : nil }

    package let reader: Reader

    /// Creates a body from a source of chunks, for your own transport or mock.
    ///
    /// - Parameters:
    ///   - expectedLength: The expected number of bytes.
    ///   - next: Returns the next chunk; `nil` at the end. One task at a time calls it, and cancelling that task
    ///     cancels it.
    ///   - cancel: Called at most once, if the body is abandoned before its end.
    public init(
        expectedLength: Int64? = nil,
        next: @escaping @Sendable () async throws -> Data?,
        cancel: @escaping @Sendable () -> Void = {}
    ) {
        self.init(ClosureSource(next: next, cancel: cancel), expectedLength: expectedLength)
    }

    /// Creates a body with trailers from a source of chunks, for your own transport or mock.
    ///
    /// - Parameters:
    ///   - expectedLength: The expected number of bytes.
    ///   - trailers: Returns the fields that follow the body; called only after its end.
    ///   - next: Returns the next chunk; `nil` at the end. One task at a time calls it, and cancelling that task
    ///     cancels it.
    ///   - cancel: Called at most once, if the body is abandoned before its end.
    public init(
        expectedLength: Int64? = nil,
        trailers: @escaping @Sendable () -> HTTPHeaderFields,
        next: @escaping @Sendable () async throws -> Data?,
        cancel: @escaping @Sendable () -> Void = {}
    ) {
        let source = ClosureSource(next: next, cancel: cancel, readTrailers: trailers)
        self.init(source, expectedLength: expectedLength)
    }

    /// Creates a body that is already in memory.
    ///
    /// - Parameters:
    ///   - data: The body, delivered as one chunk.
    ///   - trailers: The fields that follow it.
    public init(_ data: Data, trailers: HTTPHeaderFields = [:]) {
        let rest = Locked<Data?>(data.isEmpty ? nil : data)
        self.init(
            expectedLength: Int64(data.count),
            trailers: { trailers },
            next: { rest.withLock { $0.take() } }
        )
    }

    package init(_ source: any ResponseBodySource, expectedLength: Int64?) {
        reader = Reader(source, expectedLength: expectedLength)
    }

    /// Runs a closure when the body ends or is abandoned; immediately if it already has.
    ///
    /// - Parameters:
    ///   - mapError: Maps the error that ends the body to another one.
    ///   - action: The closure, called once.
    package func onEnd(
        mapError: @escaping @Sendable (any Error) -> any Error,
        _ action: @escaping @Sendable (End) -> Void
    ) {
        reader.onEnd(mapError, action)
    }

    /// Runs a closure when the body ends or is abandoned; immediately if it already has.
    package func onEnd(_ action: @escaping @Sendable (End) -> Void) {
        reader.onEnd(nil, action)
    }

    /// A closure that abandons the body without retaining it.
    ///
    /// A pending read throws `CancellationError`, or the error to which the dispatcher maps it.
    package var cancellation: @Sendable () -> Void {
        { [weak reader] in reader?.cancel() }
    }

    /// Abandons the body, even if other code retains it.
    package func discard() {
        reader.close()
    }

    /// Creates an iterator; only one iterator can read the body.
    ///
    /// - Returns: The iterator.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: reader)
    }

    /// Collects the rest of the body.
    ///
    /// - Parameter limit: The maximum number of bytes to collect.
    /// - Returns: The bytes; empty if there are none.
    /// - Throws: ``TransportError`` with the code `bodyTooLarge` if there are more, which closes the exchange; any
    ///   other error that ends the body; or `CancellationError`.
    public func collect(upTo limit: Int) async throws -> Data {
        var data = Data()
        // The server can declare any length, so limit the reserved capacity.
        if let expectedLength {
            data.reserveCapacity(Int(clamping: Swift.max(0, Swift.min(expectedLength, Int64(limit), 1 << 20))))
        }
        for try await chunk in self {
            guard chunk.count <= limit - data.count else {
                var error = TransportError(.bodyTooLarge, bytesReceived: data.count + chunk.count)
                error.limit = TransportError.Limit("collect(upTo:)", byteCount: Int64(limit))
                throw error
            }
            if data.isEmpty, data.count + chunk.count >= expectedLength ?? .max { data = chunk } else { data += chunk }
        }
        return data
    }
}

extension ResponseBody {
    /// Reads the chunks of a body.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let claim: Claim

        fileprivate init(reader: Reader) {
            claim = Claim(reader: reader)
        }

        /// Waits for the next chunk.
        ///
        /// - Returns: A chunk, which is never empty; `nil` at the end.
        /// - Throws: ``TransportError`` if the body is incomplete, ``TransferError`` if another iterator reads it,
        ///   `CancellationError` if the task or the dispatcher was cancelled, or ``TransportError/Code/shutDown`` if the
        ///   dispatcher was released.
        public mutating func next() async throws -> Data? {
            try await claim.next(isolation: #isolation)
        }

        /// Waits for the next chunk without leaving the caller's actor.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: A chunk, which is never empty; `nil` at the end.
        /// - Throws: The errors of ``next()``.
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Data? {
            try await claim.next(isolation: actor)
        }
    }

    /// An iterator's right to read the body; releasing it before the end closes the exchange.
    fileprivate final class Claim {
        let reader: Reader
        private var isMine = false
        /// Whether an error was thrown; `next` returns `nil` afterwards.
        private var hasFailed = false

        init(reader: Reader) {
            self.reader = reader
        }

        deinit {
            if isMine { reader.close() }
        }

        func next(isolation: isolated (any Actor)?) async throws -> Data? {
            guard !hasFailed else { return nil }
            if !isMine {
                guard try reader.claim() else { return nil }
                isMine = true
            }
            do {
                while let chunk = try await reader.source.next(isolation: isolation) {
                    if !chunk.isEmpty { return chunk }
                }
                // Do not call the source again; later calls see the same end as every other iterator.
                isMine = false
                reader.end()
                return nil
            } catch {
                hasFailed = true
                isMine = false
                throw reader.fail(error)
            }
        }
    }
}

@available(*, unavailable)
extension ResponseBody.AsyncIterator: Sendable {}

/// The source of a body's chunks.
package protocol ResponseBodySource: Sendable {
    /// Waits for the next chunk; returns `nil` at the end.
    func next(isolation: isolated (any Actor)?) async throws -> Data?
    /// Abandons the body; not called after its end.
    func close()
    /// The fields that followed the body; read only after its end.
    var trailers: HTTPHeaderFields { get }
}

extension ResponseBodySource {
    var trailers: HTTPHeaderFields { [:] }
}

private struct ClosureSource: ResponseBodySource {
    let next: @Sendable () async throws -> Data?
    let cancel: @Sendable () -> Void
    var readTrailers: @Sendable () -> HTTPHeaderFields = { [:] }

    var trailers: HTTPHeaderFields { readTrailers() }

    func next(isolation: isolated (any Actor)?) async throws -> Data? {
        try Task.checkCancellation()
        return try await next()
    }

    func close() {
        cancel()
    }
}

extension ResponseBody: Redacted {
    /// The length of the body, without the bytes.
    package var shown: KeyValuePairs<String, Any> {
        ["expectedLength": expectedLength.map { "\($0) bytes" } ?? "unknown"]
    }
}

extension ResponseBody.AsyncIterator: Redacted {
    /// Nothing, because the iterator holds the body being read.
    package var shown: KeyValuePairs<String, Any> { [:] }
}
