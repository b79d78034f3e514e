/// Sends requests and collects responses.
///
/// ```swift
/// let dispatcher = URLRequestDispatcher()
/// let response = try await dispatcher.data(for: URLRequest(url: url, method: .get))
/// let post = try response.decode(Post.self)
/// ```
///
/// With a base URL, you make requests from paths and get values back:
///
/// ```swift
/// let api = URLRequestDispatcher(baseURL: url)
/// let post: Post = try await api.get("/posts/7")
/// ```
///
/// Create one dispatcher and keep it: it holds the open connections. Any number of tasks can use it concurrently.
///
/// A request passes through the interceptors, the adapters, the redirect policy and the transport, in the order that
/// <doc:Interceptors> describes. The transport is ``SocketTransport`` on Linux and ``URLSessionTransport`` on Apple systems;
/// any ``HTTPTransport`` can replace it.
///
/// A call keeps the dispatcher alive until it returns. Work that outlives its call does not: releasing the last
/// reference cancels it, and it ends with `CancellationError`.
public actor URLRequestDispatcher: DataDispatcher, CoreDispatching {
    /// The configuration the dispatcher was created with.
    public nonisolated let configuration: Configuration
    package nonisolated let core: DispatcherCore

    /// Creates a dispatcher with sensible defaults.
    public init() {
        self.init(configuration: Configuration())
    }

    /// Creates a dispatcher.
    ///
    /// If the transport cannot be created, for example because OpenSSL is missing, every request throws the reason.
    ///
    /// - Parameters:
    ///   - configuration: Limits, timeouts and policies.
    ///   - interceptors: Policies around every request, outermost first.
    ///   - requestAdapters: Adapters for requests, in order; they run inside the interceptors.
    ///   - responseAdapters: Adapters for responses, in order.
    ///   - transport: The transport, or `nil` for the platform's own. The dispatcher shuts it down, so it must not be
    ///     shared.
    public init(
        configuration: Configuration = Configuration(),
        interceptors: [any Interceptor] = [],
        requestAdapters: [any URLRequestAdapter] = [],
        responseAdapters: [any URLResponseAdapter] = [],
        transport: (any HTTPTransport)? = nil
    ) {
        let adapters = AdapterInterceptor(
            requestAdapters: requestAdapters.map { AdapterReference(strong: $0) },
            responseAdapters: responseAdapters.map { AdapterReference(strong: $0) }
        )
        self.init(configuration, interceptors, adapters, transport)
    }

    /// Creates a dispatcher for one server, with the default settings.
    ///
    /// - Parameters:
    ///   - baseURL: The server, and the part of the path that all requests share; see ``RequestDefaults/baseURL``.
    ///   - interceptors: Policies around every request, outermost first.
    public init(baseURL: URL, interceptors: [any Interceptor] = []) {
        self.init(baseURL: baseURL, interceptors: interceptors) { _ in }
    }

    /// Creates a dispatcher for one server, and configures it.
    ///
    /// ```swift
    /// let api = URLRequestDispatcher(baseURL: url, interceptors: [RetryPolicy()]) {
    ///     $0.additionalHeaders[.userAgent] = "Reader/1.0"
    ///     $0.timeouts.total = .seconds(30)
    ///     $0.cookies = CookieJar()
    /// }
    /// let posts: [Post] = try await api.get("/posts", query: ["page": 2])
    /// ```
    ///
    /// - Parameters:
    ///   - baseURL: The server, and the part of the path that all requests share; see ``RequestDefaults/baseURL``.
    ///   - interceptors: Policies around every request, outermost first.
    ///   - configure: Changes the configuration, which is the default one with the base URL.
    /// - Throws: The error that `configure` throws.
    public init(
        baseURL: URL,
        interceptors: [any Interceptor] = [],
        configure: (inout Configuration) throws -> Void
    ) rethrows {
        var configuration = Configuration()
        configuration.baseURL = baseURL
        try configure(&configuration)
        self.init(configuration: configuration, interceptors: interceptors)
    }

    init(
        _ configuration: Configuration,
        _ interceptors: [any Interceptor],
        _ adapters: AdapterInterceptor,
        _ transport: (any HTTPTransport)?
    ) {
        self.configuration = configuration
        let transport = transport ?? PlatformTransport.make(configuration.transport)
        let isGuarded = configuration.transport.requestGuard != nil
        let files =
            configuration.allowsFileURLs ? FileURLInterceptor(clock: transport.clock, isGuarded: isGuarded) : nil
        // Without interceptors, a request needs no chain, and the core follows redirects itself.
        let isPlain = interceptors.isEmpty && adapters.isEmpty && files == nil && configuration.cookieJar == nil
        let order = InterceptorOrder(
            interceptors,
            adapters: adapters.isEmpty ? nil : adapters,
            files: files,
            redirects: configuration.redirects,
            cookies: configuration.cookieJar
        )
        core = DispatcherCore(
            options: configuration.options,
            additionalHeaders: AdditionalHeaders(configuration),
            redirects: configuration.redirects,
            order: isPlain ? nil : order,
            observers: configuration.observers,
            transport: transport
        )
    }

    /// The defaults of requests that are made from a path: those of the configuration.
    public nonisolated var requestDefaults: RequestDefaults {
        var defaults = configuration.requestDefaults
        defaults.sensitiveHeaders = configuration.options.sensitiveHeaders
        defaults.hasAccept = core.additionalHeaders.contains(.accept)
        return defaults
    }

    deinit {
        core.release()
    }

    /// Sends a request and collects the response.
    ///
    /// A 4xx or 5xx status code does not throw; call `validated()` on the response to turn it into an error.
    /// Cancelling the calling task closes the exchange at once.
    ///
    /// - Parameter request: The request; `GET` if it has no method.
    /// - Returns: The response; its body is `nil` if it is empty.
    /// - Throws: ``TransportError`` if there is no complete response, an adapter's or interceptor's own error, or
    ///   `CancellationError` if the calling task is cancelled or the dispatcher is invalidated.
    public nonisolated func data(for request: URLRequest) async throws -> Response<Data?> {
        try await core.data(for: request)
    }

    /// Sends a request with its own limits and collects the response.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: The limits, in place of the configuration's; start from ``Configuration/options``.
    /// - Returns: The response; its body is `nil` if it is empty.
    /// - Throws: The errors of ``data(for:)``.
    public nonisolated func data(for request: URLRequest, options: RequestOptions) async throws -> Response<Data?> {
        try await core.data(for: request, options: options)
    }

    /// Sends a `GET` request to a URL, with its own limits.
    ///
    /// - Parameters:
    ///   - url: An `http` or `https` URL.
    ///   - options: The limits, in place of the configuration's; start from ``Configuration/options``.
    /// - Returns: The response; its body is `nil` if it is empty.
    /// - Throws: The errors of ``data(for:)``.
    public nonisolated func data(from url: URL, options: RequestOptions) async throws -> Response<Data?> {
        try await core.data(for: URLRequest(url: url, method: .get), options: options)
    }

    /// How long requests in progress may continue after ``shutdown()``: 30 seconds.
    public static let defaultGracePeriod = Duration.seconds(30)

    /// Refuses new requests, lets those in progress end, and returns when every connection is closed.
    ///
    /// This is the recommended way to end a dispatcher. ``finishTasksAndInvalidate()`` and ``invalidateAndCancel()`` have the
    /// names of `URLSession`, for code that was written for it or for earlier versions. They do not wait: the first begins the
    /// same shutdown, and the second is like ``shutdown(gracePeriod:)`` with a grace period of zero.
    ///
    /// It also waits until streams are read to their ends or dropped, but for at most ``defaultGracePeriod``. Then it cancels
    /// the requests in progress, as ``shutdown(gracePeriod:)`` does. Therefore it always returns, even if something keeps an
    /// unread stream.
    ///
    /// Later requests throw a ``TransportError`` with the code `shutDown`. Cancelling the calling task does not shorten the
    /// wait; ``invalidateAndCancel()`` does.
    public func shutdown() async {
        await core.shutdown(gracePeriod: Self.defaultGracePeriod)
    }

    /// Refuses new requests, cancels those that outlast a grace period, and returns when all connections are closed.
    ///
    /// Cancelled requests end with `CancellationError`, including streams that are not being read. Work that ignores its
    /// cancellation, such as a ``DownloadOptions/verify`` that waits for something else, is abandoned after five more
    /// seconds. Cancelling the calling task does not shorten the wait; ``invalidateAndCancel()`` does.
    ///
    /// - Parameter gracePeriod: How long the requests in progress may continue; a billion seconds or more is no limit.
    public func shutdown(gracePeriod: Duration) async {
        await core.shutdown(gracePeriod: gracePeriod)
    }

    /// Refuses new requests and lets those in progress finish, without waiting for them.
    ///
    /// The name is that of `URLSession` and of earlier versions; ``shutdown()`` is recommended, because it waits. Returns at
    /// once.
    public nonisolated func finishTasksAndInvalidate() {
        core.close()
    }

    /// Refuses new requests and cancels those in progress, which end with `CancellationError`, without waiting for them.
    ///
    /// The name is that of `URLSession` and of earlier versions; ``shutdown(gracePeriod:)`` with `.zero` does the same and
    /// waits. Returns at once.
    public nonisolated func invalidateAndCancel() {
        core.invalidateAndCancel()
    }
}

extension URLRequestDispatcher: Redacted {
    /// The configuration, without secrets.
    package nonisolated var shown: KeyValuePairs<String, Any> { ["configuration": configuration] }
}
