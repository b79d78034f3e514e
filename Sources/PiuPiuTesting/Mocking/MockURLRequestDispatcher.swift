import PiuPiuAsync

/// A dispatcher that answers requests itself instead of asking a server, for tests.
///
/// ```swift
/// let dispatcher = MockURLRequestDispatcher { request in
///     try Response.makeMockJSONResponse(with: request, encodable: post, statusCode: .ok)
/// }
/// ```
///
/// The mock is a `URLRequestDispatcher` with a ``MockTransport``, and therefore behaves like a real dispatcher in every
/// respect. For delayed answers, a body in pieces or an error in the middle of a body, create it with a ``MockTransport``
/// that you configure.
///
/// If code requires a `URLRequestDispatcher`, give it `URLRequestDispatcher(transport: transport)`.
///
/// Releasing the last reference cancels the requests in flight.
public final class MockURLRequestDispatcher: DataDispatcher, UploadDispatcher, DownloadDispatcher, CoreDispatching {
    /// A function that creates the response to a request.
    ///
    /// The request has its body in `httpBody`, regardless of its source. Errors reach the caller unchanged. A function
    /// written in an actor's code runs on that actor. Any other function runs on the main actor for a future that was started
    /// on the main thread, and in the background otherwise.
    public typealias ResponseCallback = @isolated(any) @Sendable (_ request: URLRequest) throws -> Response<Data?>

    /// A function that creates the response to a request and may wait.
    ///
    /// It runs in the background unless it switches to an actor. In every other respect, it is like ``ResponseCallback``.
    public typealias AsyncResponseCallback = @Sendable (_ request: URLRequest) async throws -> Response<Data?>

    private struct Settings: Sendable {
        var delay: TimeInterval = 0
        var callback: ResponseCallback?
        var answer: AsyncResponseCallback?

        init() {}

        init(delay: TimeInterval, callback: @escaping ResponseCallback) {
            self.delay = delay
            set(callback)
        }

        init(delay: TimeInterval, answer: @escaping AsyncResponseCallback) {
            self.delay = delay
            self.answer = answer
        }

        mutating func set(_ callback: ResponseCallback?) {
            self.callback = callback
            answer = callback.map { callback in
                let function = CallerFunction(callback)
                return { try await function($0) }
            }
        }
    }

    /// The transport, which answers requests and records them.
    public let transport: MockTransport
    /// The dispatcher that does the work.
    let dispatcher: URLRequestDispatcher
    package var core: DispatcherCore { dispatcher.core }
    /// The defaults of requests created from a path, as the configuration sets them.
    public var requestDefaults: RequestDefaults { dispatcher.requestDefaults }
    private let settings: Locked<Settings>

    /// The delay of the response of ``callback`` after a request, in seconds.
    public var delay: TimeInterval {
        get { settings.withLock { $0.delay } }
        set { settings.withLock { $0.delay = newValue } }
    }

    /// The function that answers later requests; without one, they fail with `ResponseError.noResponse`.
    ///
    /// It is `nil` if the dispatcher was created with a transport or with an asynchronous function; setting it replaces
    /// their answers.
    public var callback: ResponseCallback? {
        get { settings.withLock { $0.callback } }
        set {
            let replaced = settings.withLock { settings in
                defer { settings.set(newValue) }
                return settings
            }
            // Released outside the lock: it may hold the last reference to an object whose deinit uses this mock.
            withExtendedLifetime(replaced) {}
            transport.setAnswer(Self.answer(settings))
        }
    }

    /// Creates a dispatcher with a function that answers.
    ///
    /// - Parameters:
    ///   - delay: The delay of a response after its request, in seconds.
    ///   - clock: The clock for the delay and all limits.
    ///   - configuration: Limits, timeouts and policies.
    ///   - interceptors: Policies around every request, outermost first.
    ///   - requestAdapters: Adapters for requests, in order; they run inside the interceptors.
    ///   - responseAdapters: Adapters for responses, in order.
    ///   - callback: Creates the response to a request. If it refers to the owner of the dispatcher, capture the owner
    ///     weakly.
    public convenience init(
        delay: TimeInterval = 0,
        clock: any Clock<Duration> = ContinuousClock(),
        configuration: URLRequestDispatcher.Configuration = URLRequestDispatcher.Configuration(),
        interceptors: [any Interceptor] = [],
        requestAdapters: [any URLRequestAdapter] = [],
        responseAdapters: [any URLResponseAdapter] = [],
        @_inheritActorContext callback: @escaping ResponseCallback
    ) {
        let settings = Locked(Settings(delay: delay, callback: callback))
        self.init(
            configuration,
            interceptors,
            requestAdapters,
            responseAdapters,
            MockTransport(clock: clock, answer: Self.answer(settings)),
            settings
        )
    }

    /// Creates a dispatcher with an asynchronous function that answers.
    ///
    /// - Parameters:
    ///   - delay: The delay of a response after its request, in seconds.
    ///   - clock: The clock for the delay and all limits.
    ///   - configuration: Limits, timeouts and policies.
    ///   - interceptors: Policies around every request, outermost first.
    ///   - requestAdapters: Adapters for requests, in order; they run inside the interceptors.
    ///   - responseAdapters: Adapters for responses, in order.
    ///   - callback: Creates the response to a request. If it refers to the owner of the dispatcher, capture the owner
    ///     weakly.
    public convenience init(
        delay: TimeInterval = 0,
        clock: any Clock<Duration> = ContinuousClock(),
        configuration: URLRequestDispatcher.Configuration = URLRequestDispatcher.Configuration(),
        interceptors: [any Interceptor] = [],
        requestAdapters: [any URLRequestAdapter] = [],
        responseAdapters: [any URLResponseAdapter] = [],
        @_inheritActorContext callback: @escaping AsyncResponseCallback
    ) {
        let settings = Locked(Settings(delay: delay, answer: callback))
        self.init(
            configuration,
            interceptors,
            requestAdapters,
            responseAdapters,
            MockTransport(clock: clock, answer: Self.answer(settings)),
            settings
        )
    }

    /// Creates a dispatcher with a transport that answers.
    ///
    /// - Parameters:
    ///   - transport: The transport. The dispatcher shuts it down, so other dispatchers must not use it.
    ///   - configuration: Limits, timeouts and policies.
    ///   - interceptors: Policies around every request, outermost first.
    ///   - requestAdapters: Adapters for requests, in order; they run inside the interceptors.
    ///   - responseAdapters: Adapters for responses, in order.
    public convenience init(
        transport: MockTransport,
        configuration: URLRequestDispatcher.Configuration = URLRequestDispatcher.Configuration(),
        interceptors: [any Interceptor] = [],
        requestAdapters: [any URLRequestAdapter] = [],
        responseAdapters: [any URLResponseAdapter] = []
    ) {
        self.init(configuration, interceptors, requestAdapters, responseAdapters, transport, Locked(Settings()))
    }

    private init(
        _ configuration: URLRequestDispatcher.Configuration,
        _ interceptors: [any Interceptor],
        _ requestAdapters: [any URLRequestAdapter],
        _ responseAdapters: [any URLResponseAdapter],
        _ transport: MockTransport,
        _ settings: Locked<Settings>
    ) {
        self.transport = transport
        self.settings = settings
        dispatcher = URLRequestDispatcher(
            configuration: configuration,
            interceptors: interceptors,
            requestAdapters: requestAdapters,
            responseAdapters: responseAdapters,
            transport: transport
        )
    }

    private static func answer(_ settings: Locked<Settings>) -> MockTransport.Answer {
        { request in
            let (answer, delay) = settings.withLock { ($0.answer, $0.delay) }
            guard let answer else { throw ResponseError.noResponse }
            // A `TimeInterval` may be any number; it is limited to what a clock supports.
            let seconds = delay > 0 ? min(delay, 1e9) : 0
            return MockAnswer(try await answer(request.urlRequest), after: .seconds(seconds))
        }
    }

    /// The received requests, in order, as described for ``MockTransport/requests``.
    public var requests: [MockRequest] { transport.requests }

    /// Waits until the mock has received a number of requests, as described for ``MockTransport/requests(atLeast:)``.
    ///
    /// - Parameter count: The minimum number of requests.
    /// - Returns: All requests received so far, in order.
    /// - Throws: `CancellationError` if the task is cancelled; `TransportError` with the code `shutDown` if the
    ///   dispatcher is shut down, so that no more requests can arrive.
    public func requests(atLeast count: Int) async throws -> [MockRequest] {
        try await transport.requests(atLeast: count)
    }
}

extension MockURLRequestDispatcher: Redacted {
    /// The transport, without secrets.
    package var shown: KeyValuePairs<String, Any> { ["transport": transport] }
}
