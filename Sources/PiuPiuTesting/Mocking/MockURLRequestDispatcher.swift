import PiuPiuAsync

/// A dispatcher that answers itself instead of asking a server, for tests.
///
/// ```swift
/// let dispatcher = MockURLRequestDispatcher { request in
///     try Response.makeMockJSONResponse(with: request, encodable: post, statusCode: .ok)
/// }
/// ```
///
/// It is a `URLRequestDispatcher` with a ``MockTransport``, and so behaves like one in everything: whatever can be seen
/// of a real dispatcher can be seen of it. For answers with a time, a body in pieces or an error in the middle, create it
/// with a transport of your own.
///
/// Code that asks for a `URLRequestDispatcher` by name can be given `URLRequestDispatcher(transport: transport)`.
///
/// Releasing the last reference cancels what is in flight.
public final class MockURLRequestDispatcher: DataDispatcher, UploadDispatcher, DownloadDispatcher, CoreDispatching {
    /// Makes the response to a request.
    ///
    /// The request has its body in `httpBody`, wherever it came from. What is thrown reaches the caller as it is.
    public typealias ResponseCallback = @Sendable (_ request: URLRequest) async throws -> Response<Data?>

    private struct Settings: Sendable {
        var delay: TimeInterval = 0
        var callback: ResponseCallback?
    }

    /// What answers, and knows what it was asked.
    public let transport: MockTransport
    /// The dispatcher that does the work.
    let dispatcher: URLRequestDispatcher
    package var core: DispatcherCore { dispatcher.core }
    private let settings: Locked<Settings>

    /// How long after a request the response of ``callback`` comes, in seconds.
    public var delay: TimeInterval {
        get { settings.withLock { $0.delay } }
        set { settings.withLock { $0.delay = newValue } }
    }

    /// What answers the requests that come from now on; without one they fail with `ResponseError.noResponse`.
    ///
    /// It is `nil` where the dispatcher was created with a transport, whose answers are replaced when it is set.
    public var callback: ResponseCallback? {
        get { settings.withLock { $0.callback } }
        set {
            let replaced = settings.withLock { settings in
                defer { settings.callback = newValue }
                return settings.callback
            }
            // Let go of outside: it may be the last that holds on to something whose end asks this dispatcher.
            withExtendedLifetime(replaced) {}
            transport.setAnswer(Self.answer(settings))
        }
    }

    /// Creates a dispatcher with a function that answers.
    ///
    /// - Parameters:
    ///   - delay: How long after a request its response comes, in seconds.
    ///   - clock: What the delay and all limits are measured with.
    ///   - configuration: Limits, timeouts and policies.
    ///   - interceptors: Policies around every request, outermost first.
    ///   - requestAdapters: Adapters for requests, in order; they run inside the interceptors.
    ///   - responseAdapters: Adapters for responses, in order.
    ///   - callback: Makes the response to a request. Where it refers to whoever owns the dispatcher, let it be weakly.
    public convenience init(
        delay: TimeInterval = 0,
        clock: any Clock<Duration> = ContinuousClock(),
        configuration: URLRequestDispatcher.Configuration = URLRequestDispatcher.Configuration(),
        interceptors: [any Interceptor] = [],
        requestAdapters: [any URLRequestAdapter] = [],
        responseAdapters: [any URLResponseAdapter] = [],
        callback: @escaping ResponseCallback
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

    /// Creates a dispatcher with a transport that answers.
    ///
    /// - Parameters:
    ///   - transport: The transport. The dispatcher shuts it down, so it must not be shared.
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
            let (callback, delay) = settings.withLock { ($0.callback, $0.delay) }
            guard let callback else { throw ResponseError.noResponse }
            // Any number is a `TimeInterval`; what no clock can wait for is cut.
            let seconds = delay > 0 ? min(delay, 1e9) : 0
            return MockAnswer(try await callback(request.urlRequest), after: .seconds(seconds))
        }
    }

    /// The requests that were received, in order, as ``MockTransport/requests`` says.
    public var requests: [MockRequest] { transport.requests }

    /// Waits until requests were received, as ``MockTransport/requests(atLeast:)`` says.
    ///
    /// - Parameter count: How many, at least.
    /// - Returns: All that were received so far, in order.
    /// - Throws: `CancellationError` where the task is cancelled; `TransportError` with the code `shutDown` where the
    ///   dispatcher was closed, so that no more can come.
    public func requests(atLeast count: Int) async throws -> [MockRequest] {
        try await transport.requests(atLeast: count)
    }
}

extension MockURLRequestDispatcher: Redacted {
    /// The transport, without secrets.
    package var shown: KeyValuePairs<String, Any> { ["transport": transport] }
}
