/// Sends requests and collects responses.
///
/// ```swift
/// let dispatcher = URLRequestDispatcher()
/// let response = try await dispatcher.data(for: URLRequest(url: url, method: .get))
/// let post = try response.decode(Post.self)
/// ```
///
/// Make one dispatcher and keep it: it holds the open connections. Any number of tasks may use it at once.
///
/// A request passes the interceptors (the first given is the outermost), the adapters, the redirect policy and the
/// transport. The transport is libcurl on Linux and `URLSession` on Apple systems; any ``HTTPTransport`` can take its
/// place.
///
/// A call holds on to the dispatcher until it returns. What outlives a call does not: releasing the last reference
/// cancels it, and it ends with `CancellationError`.
public actor URLRequestDispatcher: DataDispatcher, CoreDispatching {
    /// The configuration it was created with.
    public nonisolated let configuration: Configuration
    package nonisolated let core: DispatcherCore

    /// Creates a dispatcher with sensible defaults.
    public init() {
        self.init(configuration: Configuration())
    }

    /// Creates a dispatcher.
    ///
    /// Where the transport cannot be created, because libcurl is too old for example, every request throws the reason.
    ///
    /// - Parameters:
    ///   - configuration: Limits, timeouts and policies.
    ///   - interceptors: Policies around every request, outermost first.
    ///   - requestAdapters: Adapters for requests, in order; they run inside the interceptors.
    ///   - responseAdapters: Adapters for responses, in order.
    ///   - transport: What sends the requests. The dispatcher shuts it down, so it must not be shared; `nil` for the
    ///     platform's own.
    public init(
        configuration: Configuration = Configuration(),
        interceptors: [any Interceptor] = [],
        requestAdapters: [any URLRequestAdapter] = [],
        responseAdapters: [any URLResponseAdapter] = [],
        transport: (any HTTPTransport)? = nil
    ) {
        self.configuration = configuration
        var interceptors = interceptors
        if !requestAdapters.isEmpty || !responseAdapters.isEmpty {
            interceptors.append(
                AdapterInterceptor(requestAdapters: requestAdapters, responseAdapters: responseAdapters)
            )
        }
        core = DispatcherCore(
            options: configuration.options,
            additionalHeaders: configuration.additionalHeaders,
            redirects: configuration.redirects,
            interceptors: interceptors,
            transport: transport ?? PlatformTransport.make(configuration.transport)
        )
    }

    deinit {
        core.invalidateAndCancel()
    }

    /// Sends a request and collects the response.
    ///
    /// A status code of 4xx or 5xx is a response like any other; `validated()` on the response makes an error of it.
    /// Cancelling the calling task closes the exchange at once.
    ///
    /// - Parameter request: The request; `GET` where it has no method.
    /// - Returns: The response; its body is `nil` where it is empty.
    /// - Throws: ``TransportError`` where there is no complete response, an adapter's or interceptor's own error, or
    ///   `CancellationError` where the calling task was cancelled or the dispatcher invalidated.
    public nonisolated func data(for request: URLRequest) async throws -> Response<Data?> {
        try await core.data(for: request)
    }

    /// Sends a request with limits of its own and collects the response.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: The limits, in place of the configuration's; start from ``Configuration/options``.
    /// - Returns: The response; its body is `nil` where it is empty.
    /// - Throws: As ``data(for:)``.
    public nonisolated func data(for request: URLRequest, options: RequestOptions) async throws -> Response<Data?> {
        try await core.data(for: request, options: options)
    }

    /// Gets what is at a URL, with limits of its own.
    ///
    /// - Parameters:
    ///   - url: An `http` or `https` URL.
    ///   - options: The limits, in place of the configuration's; start from ``Configuration/options``.
    /// - Returns: The response; its body is `nil` where it is empty.
    /// - Throws: As ``data(for:)``.
    public nonisolated func data(from url: URL, options: RequestOptions) async throws -> Response<Data?> {
        try await core.data(for: URLRequest(url: url, method: .get), options: options)
    }

    /// Refuses new requests and returns when those under way have ended and every connection is closed.
    ///
    /// It waits for streams, too, until they are read to their ends or dropped. A request made afterwards throws a ``TransportError`` with the code `shutDown`. Cancelling the calling task does
    /// not cut it short; ``invalidateAndCancel()`` does.
    public func shutdown() async {
        await core.shutdown()
    }

    /// Refuses new requests, gives those under way some time, cancels the rest, and returns when every connection is closed.
    ///
    /// What is cancelled ends with `CancellationError`, streams that nobody reads included. Cancelling the calling task does
    /// not cut it short; ``invalidateAndCancel()`` does.
    ///
    /// - Parameter gracePeriod: How long the requests under way may go on.
    public func shutdown(gracePeriod: Duration) async {
        await core.shutdown(gracePeriod: gracePeriod)
    }

    /// Refuses new requests and lets those under way end.
    ///
    /// Returns at once.
    public nonisolated func finishTasksAndInvalidate() {
        core.close()
    }

    /// Refuses new requests and cancels those under way, which end with `CancellationError`.
    ///
    /// Returns at once.
    public nonisolated func invalidateAndCancel() {
        core.invalidateAndCancel()
    }
}

extension URLRequestDispatcher: Redacted {
    /// The configuration, without secrets.
    package nonisolated var shown: KeyValuePairs<String, Any> { ["configuration": configuration] }
}
