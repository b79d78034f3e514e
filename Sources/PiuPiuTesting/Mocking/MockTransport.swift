import PiuPiuAsync

/// A transport that answers itself instead of asking a server, for tests.
///
/// ```swift
/// let transport = MockTransport { request in
///     request.path == "/posts/1" ? try .json(post) : MockAnswer(.notFound)
/// }
/// let dispatcher = MockURLRequestDispatcher(transport: transport)
/// ```
///
/// Above it everything is as it always is: interceptors, adapters, redirects, limits, transfers, streams and their
/// cancellation. And it keeps what a transport promises:
///
/// - A request that may not be sent is refused with the same error, and is not received.
/// - The body of a request is read to its end, from wherever it comes, and its progress is told.
/// - `RequestOptions.maximumBufferedBody`, `RequestOptions.maximumHead` and all of `Timeouts` but
///   `Timeouts.queue` and `Timeouts.connect` apply.
/// - A streamed body is given at the reader's pace: no more of it than 256 KiB waits in memory.
/// - Cancelling the task that waits for an answer, or that reads a streamed body, ends the exchange at once. Answers
///   that are being prepared find their task cancelled.
///
/// Time is that of the clock it is given, also for the dispatcher above it: nothing waits for real where a test moves
/// the clock itself. Await ``requests(atLeast:)`` before moving it. ``requests`` tells what came.
///
/// Dropping the last reference cancels what is in flight.
public final class MockTransport: HTTPTransport {
    /// Finds the answer to a request.
    ///
    /// What it throws reaches the caller as it is.
    public typealias Answer = @Sendable (_ request: MockRequest) async throws -> MockAnswer

    private let core: MockCore
    /// The clock it was created with.
    public var clock: TransferClock? { core.clock }

    /// Creates a transport with a function that answers.
    ///
    /// - Parameters:
    ///   - clock: What the times of answers and limits are measured with.
    ///   - bodyLimit: How many bytes of a request's body are read, 64 MiB by default. The answer to a longer one comes
    ///     without waiting for the rest, as from a server that refuses large bodies.
    ///   - answer: Finds the answer to a request, once it was received; it is called for any number of requests at once.
    public init(
        clock: any Clock<Duration> = ContinuousClock(),
        bodyLimit: Int = 64 * 1024 * 1024,
        answer: @escaping Answer
    ) {
        core = MockCore(clock: clock, bodyLimit: bodyLimit, answer: answer)
    }

    /// Creates a transport that gives one answer after the other, whatever it is asked.
    ///
    /// - Parameters:
    ///   - answers: The answers, in order.
    ///   - afterLast: What comes when all were given.
    ///   - clock: What the times of answers and limits are measured with.
    public convenience init(
        answers: [MockAnswer],
        afterLast: MockSequence.AfterLast = .fail,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        let sequence = MockSequence(answers, afterLast: afterLast)
        self.init(clock: clock) { _ in try sequence.next() }
    }

    deinit {
        core.invalidateAndCancel()
    }

    /// The requests that were received whole, in order; redirects and further attempts are requests like any other.
    public var requests: [MockRequest] { core.requests }

    /// Waits until requests were received.
    ///
    /// - Parameter count: How many, at least.
    /// - Returns: All that were received so far, in order.
    /// - Throws: `CancellationError` where the task is cancelled; `TransportError` with the code `shutDown` where the
    ///   transport was closed, so that no more can come.
    public func requests(atLeast count: Int) async throws -> [MockRequest] {
        try await core.requests(atLeast: count)
    }

    /// Sends a request and waits for the answer.
    ///
    /// Cancelling the calling task ends the exchange at once.
    ///
    /// - Parameter request: The request, its limits and its deadline.
    /// - Returns: The response.
    /// - Throws: `TransportError` where the request may not be sent, a limit is reached or the answer is no whole
    ///   response; the errors of an answer and of the function that finds it; `TransferError` where the request's body
    ///   cannot be sent; `CancellationError` where the calling task was cancelled or the transport was invalidated.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        return try await core.send(request, await PreparedRequest.make(request, userAgent: nil))
    }

    /// Refuses new exchanges and returns when those in flight have ended.
    ///
    /// Cancelling the calling task does not cut it short; ``invalidateAndCancel()`` does.
    public func shutdown() async {
        await core.shutdown()
    }

    /// Refuses new exchanges and cancels those in flight, which end with `CancellationError`.
    ///
    /// Returns at once.
    public func invalidateAndCancel() {
        core.invalidateAndCancel()
    }

    /// How many exchanges are in flight.
    package var exchangeCount: Int { core.exchangeCount }

    /// Lets another function answer what comes from now on.
    func setAnswer(_ answer: @escaping Answer) {
        core.setAnswer(answer)
    }
}

extension MockTransport: Redacted {
    /// The requests that were received, without secrets.
    package var shown: KeyValuePairs<String, Any> { ["requests": requests] }
}
