extension URLRequestDispatcher {
    /// The limits, timeouts and policies of a dispatcher.
    ///
    /// ```swift
    /// var configuration = URLRequestDispatcher.Configuration()
    /// configuration.timeouts = .init(connect: .seconds(5), idle: .seconds(30), total: .seconds(60))
    /// configuration.connections = .init(perHost: 8, total: 256)
    /// configuration.maximumBufferedBody = 16 * 1024 * 1024
    /// ```
    public struct Configuration: Sendable {
        /// The limits of requests without their own.
        public var options: RequestOptions
        /// How the transport connects; ignored if you supply your own transport.
        public var transport: TransportConfiguration
        /// Header fields that are added to each request that lacks them.
        ///
        /// A field of the request replaces all default fields of that name, regardless of case; there is no way to send a
        /// request without a default field. With a ``baseURL``, secret fields are added only to requests to its origin,
        /// before adapters and interceptors see them: an interceptor that changes the origin has to remove secrets.
        public var additionalHeaders: HTTPHeaderFields
        /// The defaults of requests that are made from a path: the base URL, the query, and the coders.
        public var requestDefaults = RequestDefaults()
        /// How redirects are followed; `nil` to deliver them as responses.
        public var redirects: RedirectPolicy?
        /// Whether requests for `file:` URLs are answered with the contents of files; `false` by default.
        ///
        /// The response to such a request, `GET` or `HEAD`, has the status code 200 and a `Content-Type` that follows from
        /// the file's name. Query and fragment are ignored. The request throws a ``TransferError`` if there is no such
        /// file, if it is a folder, a device or a pipe, or if it may not be read, and a ``TransportError`` if the URL has a
        /// host other than `localhost`, or a path that goes up with `..`. Adapters may change a request into one for a
        /// file. The dispatcher follows no redirect to a file; an interceptor that follows redirects itself has to check
        /// their targets. The limit for buffered bodies applies.
        public var allowsFileURLs: Bool
        /// The jar of `cookies`.
        var cookieJar: (any Interceptor)?
        /// The observers of each call and each exchange, in this order; none by default.
        public var observers: [any ExchangeObserver] = []

        /// The server, and the part of the path that all requests share; see ``RequestDefaults/baseURL``.
        public var baseURL: URL? {
            get { requestDefaults.baseURL }
            set { requestDefaults.baseURL = newValue }
        }

        /// Items that are added to the query of requests that are made from a path; see ``RequestDefaults/query``.
        public var defaultQuery: QueryItems {
            get { requestDefaults.query }
            set { requestDefaults.query = newValue }
        }

        /// How long each phase of a request may take.
        public var timeouts: Timeouts {
            get { options.timeouts }
            set { options.timeouts = newValue }
        }

        /// The largest body that is collected in memory, in bytes after decompression; 64 MiB by default.
        public var maximumBufferedBody: Int {
            get { options.maximumBufferedBody }
            set { options.maximumBufferedBody = newValue }
        }

        /// Names of header fields as they are sent over HTTP/1.1; see ``RequestOptions/fieldSpellings``.
        public var fieldSpellings: [String] {
            get { options.fieldSpellings }
            set { options.fieldSpellings = newValue }
        }

        /// Names of header fields that are secrets, in addition to standard ones such as `Authorization` and `Cookie`.
        public var sensitiveHeaders: [String] {
            get { options.sensitiveHeaders }
            set { options.sensitiveHeaders = newValue }
        }

        /// How many connections may be open at once.
        public var connections: ConnectionLimits {
            get { transport.connections }
            set { transport.connections = newValue }
        }

        /// Creates a configuration.
        ///
        /// - Parameters:
        ///   - options: The limits of a request.
        ///   - transport: How the transport connects.
        ///   - additionalHeaders: Header fields that are added to each request that lacks them.
        ///   - redirects: How redirects are followed.
        ///   - allowsFileURLs: Whether requests for `file:` URLs are answered with the contents of files.
        public init(
            options: RequestOptions = RequestOptions(),
            transport: TransportConfiguration = TransportConfiguration(),
            additionalHeaders: HTTPHeaderFields = [:],
            redirects: RedirectPolicy? = RedirectPolicy(),
            allowsFileURLs: Bool = false
        ) {
            self.options = options
            self.transport = transport
            self.additionalHeaders = additionalHeaders
            self.redirects = redirects
            self.allowsFileURLs = allowsFileURLs
        }

        /// Creates a configuration from the settings of a `URLSessionConfiguration` that apply.
        ///
        /// | `URLSessionConfiguration` | becomes |
        /// |---|---|
        /// | `timeoutIntervalForRequest` | ``Timeouts/idle`` |
        /// | `timeoutIntervalForResource` | ``Timeouts/total``, unless it is the default of seven days |
        /// | `httpAdditionalHeaders` | ``additionalHeaders`` |
        /// | `httpMaximumConnectionsPerHost` | ``ConnectionLimits/perHost`` |
        ///
        /// Caches, cookies, credentials, cellular and background settings and the connection proxy dictionary are ignored;
        /// for cookies, see ``cookies``.
        ///
        /// Protocol classes other than Foundation's own are not supported: they might exist to keep requests off the
        /// network. Every request of the dispatcher throws a ``TransportError`` with the code `unsupported`, unless you
        /// supply a transport.
        ///
        /// - Parameter session: Foundation's configuration.
        public init(_ session: URLSessionConfiguration) {
            self.init()
            timeouts.idle = Self.duration(session.timeoutIntervalForRequest)
            timeouts.total =
                session.timeoutIntervalForResource < 604_800
                ? Self.duration(session.timeoutIntervalForResource) : nil
            connections.perHost = max(1, session.httpMaximumConnectionsPerHost)
            for (name, value) in session.httpAdditionalHeaders ?? [:] {
                additionalHeaders["\(name)"] = "\(value)"
            }
            transport.protocolClasses = Self.protocolClasses(of: session)
        }

        /// The names of the protocol classes that the caller added.
        private static func protocolClasses(of session: URLSessionConfiguration) -> [String] {
            let included = Set((URLSessionConfiguration.default.protocolClasses ?? []).map { ObjectIdentifier($0) })
            return (session.protocolClasses ?? []).filter { !included.contains(ObjectIdentifier($0)) }.map { "\($0)" }
        }

        /// Converts an interval of Foundation's, which may be any number, including `nan` and infinity.
        private static func duration(_ interval: TimeInterval) -> Duration? {
            guard interval.isFinite, interval > 0, interval < 1e9 else { return nil }
            return .seconds(interval)
        }
    }
}

extension URLRequestDispatcher.Configuration: Redacted {
    /// Every setting, with the values of secret header fields replaced.
    package var shown: KeyValuePairs<String, Any> {
        [
            "timeouts": timeouts, "maximumBufferedBody": maximumBufferedBody, "maximumHead": options.maximumHead,
            "sensitiveHeaders": sensitiveHeaders, "fieldSpellings": fieldSpellings, "transport": transport,
            "additionalHeaders": additionalHeaders.hiding(sensitiveHeaders),
            "requestDefaults": requestDefaults, "redirects": redirects.map { "\($0)" } ?? "none",
            "allowsFileURLs": allowsFileURLs, "cookies": cookieJar.map { "\($0)" } ?? "none",
            "observers": observers.map { "\(type(of: $0))" },
        ]
    }
}

extension URLRequestDispatcher.Configuration {
    /// Returns a copy with changes.
    ///
    /// ```swift
    /// let tuned = URLRequestDispatcher.Configuration().with { $0.timeouts.total = .seconds(30) }
    /// let dispatcher = URLRequestDispatcher(configuration: tuned)
    /// ```
    ///
    /// Unlike a variable, the result can be used in an `async let`.
    ///
    /// - Parameter change: Changes the copy.
    /// - Returns: The changed copy.
    /// - Throws: The error that `change` throws.
    public func with(_ change: (inout Self) throws -> Void) rethrows -> Self {
        var copy = self
        try change(&copy)
        return copy
    }
}
