/// An upload or a download, as a sequence of its events.
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
/// Nothing happens before the sequence is iterated: the first event starts the request. The first event is the progress
/// at the start, the last is ``TransferEvent/finished(_:)``; what ends the transfer otherwise is thrown from the loop.
/// Progress in between is for looking at: a slow reader gets the newest and skips the rest, and a fast one gets it no
/// more often than ``progress(every:)`` says.
///
/// Leaving the loop cancels the transfer. Cancelling the task that iterates cancels it too, and `CancellationError` is
/// thrown when it has ended and nothing of it is left. Iterating again starts another transfer.
///
/// A transfer does not keep its dispatcher alive: releasing that cancels it, and one that begins afterwards is refused.
public struct Transfer<Body: Sendable>: AsyncSequence, Sendable {
    /// An event of the transfer.
    public typealias Element = TransferEvent<Body>

    /// Runs a transfer and tells a reporter of its progress.
    public typealias Operation = @Sendable (_ reporter: TransferReporter?) async throws -> Response<Body>

    private let direction: TransferProgress.Direction
    private let bytesToSend: @Sendable () -> Int64?
    private let operation: Operation
    private var interval = Duration.milliseconds(100)
    private var clock = TransferClock(ContinuousClock())

    /// Creates a transfer, for a dispatcher or a mock of your own.
    ///
    /// - Parameters:
    ///   - direction: What the transfer is mainly about.
    ///   - bytesToSend: How many bytes the request's body has, for the first progress; asked once for each iteration.
    ///   - operation: Runs it; called once for each iteration, in a task that is cancelled with it.
    public init(
        _ direction: TransferProgress.Direction,
        bytesToSend: @escaping @Sendable () -> Int64? = { nil },
        _ operation: @escaping Operation
    ) {
        self.direction = direction
        self.bytesToSend = bytesToSend
        self.operation = operation
    }

    /// The same transfer with progress at another pace.
    ///
    /// - Parameter interval: The least time from one progress to the next, 100 milliseconds by default; zero for every
    ///   change there is.
    /// - Returns: The transfer.
    public func progress(every interval: Duration) -> Transfer {
        self.progress(every: interval, clock: clock)
    }

    /// The same transfer with progress at a pace that another clock measures; `nil` for the same clock.
    func timed(by clock: TransferClock?) -> Transfer {
        progress(every: interval, clock: clock ?? self.clock)
    }

    /// The same transfer with progress at a pace that another clock measures.
    func progress(every interval: Duration, clock: TransferClock) -> Transfer {
        var copy = self
        // Clocks cannot wait much longer than a century.
        copy.interval = Swift.max(.zero, Swift.min(interval, .seconds(1 << 32)))
        copy.clock = clock
        return copy
    }

    /// Runs the transfer without looking at its progress.
    ///
    /// Cancelling the calling task cancels the transfer.
    ///
    /// - Returns: The response.
    /// - Throws: What ends the transfer otherwise.
    public func response() async throws -> Response<Body> {
        try await operation(nil)
    }

    /// Creates an iterator; its first event starts a transfer of its own.
    ///
    /// - Returns: The iterator.
    public func makeAsyncIterator() -> AsyncIterator {
        let start = TransferProgress(direction: direction)
        return AsyncIterator(
            TransferRun(start, interval: interval, clock: clock, bytesToSend: bytesToSend, operation: operation)
        )
    }

    /// Gives the events of one transfer.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let run: TransferRun<Body>

        fileprivate init(_ run: TransferRun<Body>) {
            self.run = run
        }

        /// Waits for the next event.
        ///
        /// - Returns: An event; `nil` after the last.
        /// - Throws: What ends the transfer; `CancellationError` where the task or the dispatcher was cancelled.
        public mutating func next() async throws -> TransferEvent<Body>? {
            try await run.next(isolation: #isolation)
        }

        /// Waits for the next event, and goes on where the caller is.
        ///
        /// - Parameter actor: Where the caller is.
        /// - Returns: An event; `nil` after the last.
        /// - Throws: As ``next()``.
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
    /// Bytes moved.
    case progress(TransferProgress)
    /// The transfer succeeded; nothing comes after that.
    case finished(Response<Body>)
}

extension Transfer: Redacted {
    /// The direction, and nothing of the request.
    package var shown: KeyValuePairs<String, Any> { ["direction": direction] }
}

extension Transfer.AsyncIterator: Redacted {
    /// Nothing: it holds what is under way.
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
