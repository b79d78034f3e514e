/// An upload or a download, as a sequence of events.
///
/// ```swift
/// for try await event in dispatcher.download(for: request, to: fileURL) {
///     switch event {
///     case .progress(let progress): print(progress.fractionCompleted ?? 0)
///     case .finished(let response): print(response.data)
///     }
/// }
/// ```
///
/// The request starts when the first event is requested. The first event is the progress at the start, and the last one
/// is ``TransferEvent/finished(_:)``; an error that ends the transfer is thrown from the loop. Progress events are
/// informational: a slow reader receives the newest one and skips the rest, and a fast reader receives them no more
/// often than ``progress(every:)`` says.
///
/// Leaving the loop cancels the transfer. Cancelling the iterating task cancels it too, and the loop throws
/// `CancellationError` when the transfer has ended completely. Each iteration starts a new transfer.
///
/// A transfer does not retain its dispatcher: if the dispatcher is released, the transfer throws
/// ``TransportError/Code/shutDown``, and so does one that starts afterwards.
public struct Transfer<Body: Sendable>: AsyncSequence, Sendable {
    /// An event of the transfer.
    public typealias Element = TransferEvent<Body>

    /// Runs a transfer and reports its progress to a reporter.
    public typealias Operation = @Sendable (_ reporter: TransferReporter?) async throws -> Response<Body>

    private let direction: TransferProgress.Direction
    private let bytesToSend: @Sendable () -> Int64?
    private let operation: Operation
    private var looksAtFiles = false
    private var interval = Duration.milliseconds(100)
    private var clock = TransferClock(ContinuousClock())

    /// Creates a transfer, for a custom dispatcher or a mock.
    ///
    /// - Parameters:
    ///   - direction: The main direction of the transfer.
    ///   - bytesToSend: Returns the length of the request's body, for the first progress; called once per iteration.
    ///   - operation: Runs the transfer; called once per iteration, in a task that is cancelled with the iteration.
    public init(
        _ direction: TransferProgress.Direction,
        bytesToSend: @escaping @Sendable () -> Int64? = { nil },
        _ operation: @escaping Operation
    ) {
        self.direction = direction
        self.bytesToSend = bytesToSend
        self.operation = operation
    }

    /// Creates an upload; if the body has files, the file threads determine its length.
    package init(sending body: RequestBody, _ operation: @escaping Operation) {
        self.init(.sending, bytesToSend: { body.length }, operation)
        looksAtFiles = body.hasFiles
    }

    /// Returns the same transfer with another interval between progress events.
    ///
    /// - Parameter interval: The minimum time between progress events, 100 milliseconds by default; zero for every
    ///   change.
    /// - Returns: The transfer.
    public func progress(every interval: Duration) -> Transfer {
        self.progress(every: interval, clock: clock)
    }

    /// Returns the same transfer with another clock for its progress; `nil` keeps the current clock.
    func timed(by clock: TransferClock?) -> Transfer {
        progress(every: interval, clock: clock ?? self.clock)
    }

    /// Returns the same transfer with a different progress interval and clock.
    func progress(every interval: Duration, clock: TransferClock) -> Transfer {
        var copy = self
        // Clocks cannot sleep for much longer than a century.
        copy.interval = Swift.max(.zero, Swift.min(interval, .seconds(1 << 32)))
        copy.clock = clock
        return copy
    }

    /// Runs the transfer and ignores its progress.
    ///
    /// Cancelling the calling task cancels the transfer.
    ///
    /// - Returns: The response.
    /// - Throws: The error that ends the transfer.
    public func response() async throws -> Response<Body> {
        try await operation(nil)
    }

    /// Runs the transfer and reports its progress to a reporter.
    func response(reporting reporter: TransferReporter) async throws -> Response<Body> {
        try await operation(reporter)
    }

    /// Creates an iterator; its first event starts a new transfer.
    ///
    /// - Returns: The iterator.
    public func makeAsyncIterator() -> AsyncIterator {
        let start = TransferProgress(direction: direction)
        return AsyncIterator(
            TransferRun(
                start,
                interval: interval,
                clock: clock,
                bytesToSend: bytesToSend,
                looksAtFiles: looksAtFiles,
                operation: operation
            )
        )
    }

    /// The iterator over the events of one transfer.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let run: TransferRun<Body>

        fileprivate init(_ run: TransferRun<Body>) {
            self.run = run
        }

        /// Waits for the next event.
        ///
        /// - Returns: An event; `nil` after the last one.
        /// - Throws: The error that ends the transfer; `CancellationError` if the task or the dispatcher was cancelled.
        public mutating func next() async throws -> TransferEvent<Body>? {
            try await run.next(isolation: #isolation)
        }

        /// Waits for the next event without leaving the caller's actor.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: An event; `nil` after the last one.
        /// - Throws: The errors of ``next()``.
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(any Error) -> TransferEvent<Body>? {
            try await run.next(isolation: actor)
        }
    }
}

@available(*, unavailable)
extension Transfer.AsyncIterator: Sendable {}

/// An event of a ``Transfer``.
public enum TransferEvent<Body: Sendable>: Sendable {
    /// The transfer made progress.
    case progress(TransferProgress)
    /// The transfer succeeded; this is the last event.
    case finished(Response<Body>)
}

extension Transfer: Redacted {
    /// The direction, without the request.
    package var shown: KeyValuePairs<String, Any> { ["direction": direction] }
}

extension Transfer.AsyncIterator: Redacted {
    /// Nothing, because the iterator holds the transfer in progress.
    package var shown: KeyValuePairs<String, Any> { [:] }
}

extension TransferEvent: Redacted {
    /// The progress, or the response without its body.
    public var description: String {
        switch self {
        case .progress(let progress): "progress(\(progress))"
        case .finished(let response): "finished(\(response))"
        }
    }

    /// The same as the description, so that `dump` shows no body.
    package var shown: KeyValuePairs<String, Any> { ["description": description] }
}
