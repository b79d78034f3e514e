import PiuPiuAsync

/// A transport that answers requests itself instead of asking a server, for tests.
///
/// ```swift
/// let transport = MockTransport { request in
///     request.path == "/posts/1" ? try .json(post) : MockAnswer(.notFound)
/// }
/// let dispatcher = MockURLRequestDispatcher(transport: transport)
/// ```
///
/// The layers above the transport work as usual: interceptors, adapters, redirects, limits, transfers, streams and
/// cancellation. The mock keeps the guarantees of a transport:
///
/// - It refuses a request that must not be sent with the same error, and does not record it.
/// - It reads the body of a request to its end, regardless of its source, and reports the progress.
/// - `RequestOptions.maximumBufferedBody`, `RequestOptions.maximumHead` and all of `Timeouts` except `Timeouts.queue`
///   and `Timeouts.connect` apply.
/// - It delivers a streamed body at the reader's pace, and buffers at most 256 KiB of it.
/// - Cancelling the task that waits for an answer, or that reads a streamed body, ends the exchange immediately. It also
///   cancels the task of a function that prepares the answer.
///
/// The dispatcher above the transport uses the same clock: if a test moves the clock itself, nothing waits in real time.
/// Await ``requests(atLeast:)`` before moving the clock. ``requests`` contains the received requests.
///
/// Releasing the last reference cancels the exchanges in flight.
public final class MockTransport: HTTPTransport, TunnellingTransport {
    /// A function that returns the answer to a request.
    ///
    /// Its errors reach the caller unchanged.
    public typealias Answer = @Sendable (_ request: MockRequest) async throws -> MockAnswer

    private let core: MockCore
    /// The clock that the transport was created with.
    public var clock: TransferClock? { core.clock }

    /// Creates a transport with a function that answers.
    ///
    /// - Parameters:
    ///   - clock: The clock for the times of answers and limits.
    ///   - bodyLimit: The maximum number of bytes to read of a request's body, 64 MiB by default. If the body is longer,
    ///     the answer arrives without waiting for the rest, as from a server that refuses large bodies.
    ///   - answer: Returns the answer to a received request. Several calls may run at the same time.
    public init(
        clock: any Clock<Duration> = ContinuousClock(),
        bodyLimit: Int = 64 * 1024 * 1024,
        answer: @escaping Answer
    ) {
        core = MockCore(clock: clock, bodyLimit: bodyLimit, answer: answer)
    }

    /// Creates a transport that gives one answer after the other, regardless of the request.
    ///
    /// - Parameters:
    ///   - answers: The answers, in order.
    ///   - afterLast: The behavior after the last answer.
    ///   - clock: The clock for the times of answers and limits.
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

    /// The completely received requests, in order; each redirect and each further attempt is a separate request.
    public var requests: [MockRequest] { core.requests }

    /// Waits until the transport has received a number of requests.
    ///
    /// - Parameter count: The minimum number of requests.
    /// - Returns: All requests received so far, in order.
    /// - Throws: `CancellationError` if the task is cancelled; `TransportError` with the code `shutDown` if the
    ///   transport is shut down, so that no more requests can arrive.
    public func requests(atLeast count: Int) async throws -> [MockRequest] {
        try await core.requests(atLeast: count)
    }

    /// Sends a request and waits for the answer.
    ///
    /// Cancelling the calling task ends the exchange immediately.
    ///
    /// - Parameter request: The request, its limits and its deadline.
    /// - Returns: The response.
    /// - Throws: `TransportError` if the request must not be sent, a limit is reached or the answer is not a complete
    ///   response; the errors of an answer and of the function that returns it; `TransferError` if the request's body
    ///   cannot be sent; `CancellationError` if the calling task is cancelled or the transport is invalidated.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        return try await core.send(request, await PreparedRequest.make(request, userAgent: nil))
    }

    /// Refuses new exchanges and returns when those in flight have ended.
    ///
    /// Cancelling the calling task does not interrupt it; ``invalidateAndCancel()`` does.
    public func shutdown() async {
        await core.shutdown()
    }

    /// Refuses new exchanges and cancels those in flight, which end with `CancellationError`.
    ///
    /// This method returns immediately.
    public func invalidateAndCancel() {
        core.invalidateAndCancel()
    }

    #if WebSockets
    /// The peers of the WebSockets that answers opened, in order.
    public var webSockets: [MockWebSocket] { core.webSockets.withLock { $0 } }
    #endif

    /// The number of exchanges in flight.
    package var exchangeCount: Int { core.exchangeCount }

    /// Replaces the function that answers later requests.
    func setAnswer(_ answer: @escaping Answer) {
        core.setAnswer(answer)
    }
}

extension MockTransport: Redacted {
    /// The received requests, without secrets.
    package var shown: KeyValuePairs<String, Any> { ["requests": requests] }
}
