/// The body of a response as it arrives, in chunks, at the reader's pace.
///
/// ```swift
/// let stream = try await dispatcher.stream(for: request)
/// for try await chunk in stream.data {
///     print(chunk.count)
/// }
/// ```
///
/// At most about 256 KiB wait in memory: when nobody reads, the transport stops reading from the connection, and the
/// server has to wait. The time nobody reads does not count for ``Timeouts/idle``.
///
/// A body is read once. Leaving the loop, cancelling the task and dropping the body before its end close the exchange.
/// After its end, iterating again gives nothing; while it is read, and after it was given up, a second iterator throws
/// ``TransferError/Code/bodyAlreadyRead``.
public struct ResponseBody: AsyncSequence, Sendable {
    /// A chunk.
    public typealias Element = Data

    /// How many bytes are to be expected, from `Content-Length`; `nil` where the server did not say, or where the body is
    /// decompressed on its way.
    public var expectedLength: Int64? { reader.expectedLength }
    private let reader: Reader

    /// Creates a body from a source of chunks, for a transport or a mock of your own.
    ///
    /// - Parameters:
    ///   - expectedLength: How many bytes are to be expected.
    ///   - next: Gives the next chunk; `nil` at the end. It is called by one task at a time, and cancelled with it.
    ///   - cancel: Called at most once, when the body is given up before its end.
    public init(
        expectedLength: Int64? = nil,
        next: @escaping @Sendable () async throws -> Data?,
        cancel: @escaping @Sendable () -> Void = {}
    ) {
        self.init(ClosureSource(next: next, cancel: cancel), expectedLength: expectedLength)
    }

    /// Creates a body that is in memory already.
    ///
    /// - Parameter data: The body, given as one chunk.
    public init(_ data: Data) {
        let rest = Locked<Data?>(data.isEmpty ? nil : data)
        self.init(expectedLength: Int64(data.count), next: { rest.withLock { $0.take() } })
    }

    init(_ source: any ResponseBodySource, expectedLength: Int64?) {
        reader = Reader(source, expectedLength: expectedLength)
    }

    /// Runs a closure when the body has ended or was given up, at once where it has.
    ///
    /// - Parameters:
    ///   - mapError: Makes another error of one that ends the body.
    ///   - action: What to do; it is called once.
    func onEnd(mapError: @escaping @Sendable (any Error) -> any Error, _ action: @escaping @Sendable () -> Void) {
        reader.onEnd(mapError, action)
    }

    /// Gives the body up without holding on to it.
    ///
    /// Whoever reads gets a `CancellationError`.
    var cancellation: @Sendable () -> Void {
        { [weak reader] in reader?.cancel() }
    }

    /// Gives the body up, whoever else may hold it.
    func discard() {
        reader.close()
    }

    /// Creates an iterator; the body is read through one of them.
    ///
    /// - Returns: The iterator.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: reader)
    }

    /// Collects what is left of the body.
    ///
    /// - Parameter limit: The most to collect, in bytes.
    /// - Returns: The bytes; empty where there are none.
    /// - Throws: ``TransportError`` with the code `bodyTooLarge` where there are more, which closes the exchange; what
    ///   ends the body otherwise; `CancellationError`.
    public func collect(upTo limit: Int) async throws -> Data {
        var data = Data()
        // A head can promise anything: no more is made ready than may have to be.
        if let expectedLength {
            data.reserveCapacity(Int(clamping: Swift.max(0, Swift.min(expectedLength, Int64(limit), 1 << 20))))
        }
        for try await chunk in self {
            guard chunk.count <= limit - data.count else {
                throw TransportError(.bodyTooLarge, bytesReceived: data.count + chunk.count)
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
        /// - Returns: A chunk, never an empty one; `nil` at the end.
        /// - Throws: ``TransportError`` where the body is not complete, ``TransferError`` where it is read elsewhere,
        ///   `CancellationError` where the task or the dispatcher was cancelled.
        public mutating func next() async throws -> Data? {
            try await claim.next(isolation: #isolation)
        }

        /// Waits for the next chunk, and goes on where the caller is.
        ///
        /// - Parameter actor: Where the caller is.
        /// - Returns: A chunk, never an empty one; `nil` at the end.
        /// - Throws: As ``next()``.
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Data? {
            try await claim.next(isolation: actor)
        }
    }

    /// An iterator's right to read; giving it up before the end closes the exchange.
    fileprivate final class Claim {
        private let reader: Reader
        private var isMine = false
        /// Whether it threw; nothing comes after that.
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
                // The source is not asked again, and whoever comes again finds what every other iterator does.
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

    fileprivate final class Reader: Sendable {
        private enum Phase {
            case unread, reading, ended, closed, cancelled
        }

        private struct State {
            var phase = Phase.unread
            var mapError: (@Sendable (any Error) -> any Error)?
            var endActions: [@Sendable () -> Void] = []
        }

        let source: any ResponseBodySource
        let expectedLength: Int64?
        private let state = Locked(State())

        init(_ source: any ResponseBodySource, expectedLength: Int64?) {
            self.source = source
            self.expectedLength = expectedLength
        }

        deinit {
            close()
        }

        func onEnd(_ mapError: @escaping @Sendable (any Error) -> any Error, _ action: @escaping @Sendable () -> Void) {
            let isOver = state.withLock { state in
                // Nothing comes after the end that could be mapped.
                guard state.phase == .unread || state.phase == .reading else { return true }
                let inner = state.mapError
                state.mapError = { mapError(inner?($0) ?? $0) }
                state.endActions.append(action)
                return false
            }
            if isOver { action() }
        }

        /// Takes the right to read.
        ///
        /// - Returns: `false` where the body was read to its end.
        func claim() throws -> Bool {
            try state.withLock { state in
                switch state.phase {
                case .unread:
                    state.phase = .reading
                    return true
                case .ended: return false
                case .reading, .closed: throw TransferError(.bodyAlreadyRead)
                case .cancelled: throw CancellationError()
                }
            }
        }

        /// Takes the right to read, or goes on with it.
        ///
        /// - Returns: `false` where the body was read to its end.
        func goOn() throws -> Bool {
            try state.withLock({ $0.phase == .reading }) || claim()
        }

        func end() {
            conclude(.ended)
        }

        func fail(_ error: any Error) -> any Error {
            let mapError = state.withLock { $0.mapError.take() }
            close()
            return mapError?(error) ?? error
        }

        func close() {
            if conclude(.closed) { source.close() }
        }

        func cancel() {
            if conclude(.cancelled) { source.close() }
        }

        @discardableResult
        private func conclude(_ phase: Phase) -> Bool {
            let last: State? = state.withLock { state in
                guard state.phase == .unread || state.phase == .reading else { return nil }
                let last = state
                state.phase = phase
                // An error may yet have to be mapped, unless the end was a good one.
                if phase == .ended { state.mapError = nil }
                state.endActions = []
                return last
            }
            guard let last else { return false }
            for action in last.endActions { action() }
            // Released outside of the lock.
            withExtendedLifetime(last) {}
            return true
        }
    }
}

@available(*, unavailable)
extension ResponseBody.AsyncIterator: Sendable {}

/// Where a body's chunks come from.
protocol ResponseBodySource: Sendable {
    /// Waits for the next chunk; `nil` at the end.
    func next(isolation: isolated (any Actor)?) async throws -> Data?
    /// Gives the body up; not called after its end.
    func close()
}

extension ResponseBody {
    /// Puts an observer on this body.
    ///
    /// From then on, read the new body and not this one.
    ///
    /// Nothing is read ahead: the observer sees what the reader asks for.
    ///
    /// - Parameter observer: What observes the bytes.
    /// - Returns: The new body.
    public func observed(by observer: some BodyObserver) -> ResponseBody {
        ResponseBody(ObservedSource(reader: reader, observer: observer), expectedLength: expectedLength)
    }

    private struct ObservedSource<Observer: BodyObserver>: ResponseBodySource {
        let reader: Reader
        let observer: Observer

        func next(isolation: isolated (any Actor)?) async throws -> Data? {
            do {
                if try reader.goOn(), let chunk = try await reader.source.next(isolation: isolation) {
                    if !chunk.isEmpty { observer.observe(chunk) }
                    return chunk
                }
            } catch {
                let error = reader.fail(error)
                observer.fail(error)
                throw error
            }
            reader.end()
            try await observer.finish()
            return nil
        }

        func close() {
            reader.close()
            observer.close()
        }
    }
}

private struct ClosureSource: ResponseBodySource {
    let next: @Sendable () async throws -> Data?
    let cancel: @Sendable () -> Void

    func next(isolation: isolated (any Actor)?) async throws -> Data? {
        try Task.checkCancellation()
        return try await next()
    }

    func close() {
        cancel()
    }
}

extension ResponseBody: Redacted {
    /// How long the body is, without the bytes.
    package var shown: KeyValuePairs<String, Any> {
        ["expectedLength": expectedLength.map { "\($0) bytes" } ?? "unknown"]
    }
}

extension ResponseBody.AsyncIterator: Redacted {
    /// Nothing: it holds what is being read.
    package var shown: KeyValuePairs<String, Any> { [:] }
}
