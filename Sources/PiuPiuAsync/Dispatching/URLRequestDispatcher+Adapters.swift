/// The initializers of PiuPiu 1, with one adapter of each kind.
///
/// They hold an adapter that is an object weakly, so that the object that owns the dispatcher can be its adapter. Keep a
/// reference to the adapter: after it is released, every request throws a ``TransportError`` with the code
/// `adapterReleased`, and is not sent. An adapter that is released while its response is awaited causes the same error.
/// Structures and enumerations are kept. The initializer
/// `init(configuration:interceptors:requestAdapters:responseAdapters:transport:)` keeps all its adapters alive.
extension URLRequestDispatcher {
    /// Creates a dispatcher from Foundation's configuration, as in PiuPiu 1.
    ///
    /// See ``Configuration/init(_:)`` for the settings that apply.
    ///
    /// - Parameters:
    ///   - configuration: Foundation's configuration.
    ///   - requestAdapter: An adapter that changes each request before it is sent; an object is held weakly.
    ///   - responseAdapter: An adapter that changes each response before the caller gets it; an object is held weakly.
    public init(
        configuration: URLSessionConfiguration,
        requestAdapter: (any URLRequestAdapter)? = nil,
        responseAdapter: (any URLResponseAdapter)? = nil
    ) {
        self.init(
            configuration: Configuration(configuration),
            requestAdapter: requestAdapter,
            responseAdapter: responseAdapter
        )
    }

    /// Creates a dispatcher with one adapter of each kind.
    ///
    /// The attribute makes the compiler prefer Foundation's type for `configuration: .init()`, as in PiuPiu 1.
    ///
    /// - Parameters:
    ///   - configuration: Limits, timeouts and policies; by default, those of Foundation's default configuration.
    ///   - requestAdapter: An adapter that changes each request before it is sent; an object is held weakly.
    ///   - responseAdapter: An adapter that changes each response before the caller gets it; an object is held weakly.
    @_disfavoredOverload
    public init(
        configuration: Configuration = Configuration(.default),
        requestAdapter: (any URLRequestAdapter)?,
        responseAdapter: (any URLResponseAdapter)? = nil
    ) {
        let adapters = AdapterInterceptor(
            requestAdapters: requestAdapter.map { [AdapterReference(weak: $0)] } ?? [],
            responseAdapters: responseAdapter.map { [AdapterReference(weak: $0)] } ?? []
        )
        self.init(configuration, [], adapters, nil)
    }

    /// Creates a dispatcher with an adapter for responses.
    ///
    /// - Parameters:
    ///   - configuration: Limits, timeouts and policies; by default, those of Foundation's default configuration.
    ///   - responseAdapter: An adapter that changes each response before the caller gets it; an object is held weakly.
    @_disfavoredOverload
    public init(
        configuration: Configuration = Configuration(.default),
        responseAdapter: (any URLResponseAdapter)?
    ) {
        self.init(configuration: configuration, requestAdapter: nil, responseAdapter: responseAdapter)
    }
}
