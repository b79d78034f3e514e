/// The limits of one request.
public struct RequestOptions: Sendable, Hashable {
    /// Options travel with every request through every interceptor; as one reference they are cheap to copy.
    private var storage: CopyOnWrite<Values>

    /// How long each phase may take.
    public var timeouts: Timeouts {
        get { storage.values.timeouts }
        set { storage.values.timeouts = newValue }
    }

    /// When the call must have ended, at the latest; `nil`, the default, for no limit besides ``Timeouts/total``.
    ///
    /// Several calls share a limit if they are given the same deadline:
    ///
    /// ```swift
    /// var options = dispatcher.configuration.options
    /// options.deadline = .now + .seconds(5)
    /// let user = try await dispatcher.data(for: userRequest, options: options).decode(User.self)
    /// let posts = try await dispatcher.data(for: postsRequest(of: user), options: options)
    /// ```
    ///
    /// A call whose deadline has passed fails with ``TransportError/Code/timeout(_:)`` and the phase
    /// ``TimeoutPhase/total``, and so does one that does not end in time. Of this and ``Timeouts/total``, the earlier limit
    /// applies. One in more than thirty years is none.
    ///
    /// It is an instant of the transport's clock. That of every real transport is `ContinuousClock`, so that one deadline is the
    /// same for all of them. In a test, it is the clock that the transport was created with: `TransferClock(clock).instant` is the
    /// present of a `ManualClock` of PiuPiuTesting, for all transports with that clock.
    public var deadline: ContinuousClock.Instant? {
        get { storage.values.deadline }
        set { storage.values.deadline = newValue }
    }

    /// ``timeouts`` in nanoseconds, converted once rather than for each request.
    package var limits: TimeoutLimits { storage.values.limits }

    /// The largest body that is buffered in memory, in bytes after decompression.
    ///
    /// A larger body fails with ``TransportError/Code/bodyTooLarge``.
    public var maximumBufferedBody: Int {
        get { storage.values.maximumBufferedBody }
        set { storage.values.maximumBufferedBody = newValue }
    }

    /// The largest response head, in bytes, including informational heads and trailers.
    ///
    /// A larger head fails with ``TransportError/Code/headTooLarge``.
    public var maximumHead: Int {
        get { storage.values.maximumHead }
        set { storage.values.maximumHead = newValue }
    }

    /// Whether, and up to what growth, compressed bodies are decompressed.
    public var decompression: Decompression {
        get { storage.values.decompression }
        set { storage.values.decompression = newValue }
    }

    /// The highest speed at which a response is received, in bytes per second; `nil` for no limit.
    ///
    /// Values below 1 count as 1. The limit is for the average over a few seconds: a first piece, up to what the buffers
    /// of the system and of the connection hold, may come faster. Waiting for the limit does not count as idle time.
    /// `URLSession` refuses it with ``TransportError/Code/unsupported``.
    public var maximumReceiveRate: Int? {
        get { storage.values.maximumReceiveRate }
        set { storage.values.maximumReceiveRate = newValue }
    }

    /// The highest speed at which a request's body is sent, in bytes per second; `nil` for no limit.
    ///
    /// The rules of ``maximumReceiveRate`` apply.
    public var maximumSendRate: Int? {
        get { storage.values.maximumSendRate }
        set { storage.values.maximumSendRate = newValue }
    }

    /// Whether a `GET` may have a body; `false` by default.
    ///
    /// The body of a `GET` has no meaning in HTTP (RFC 9110 §9.3.1): servers, proxies and caches may ignore or refuse
    /// it, and a body that was set by mistake would be lost silently. Elasticsearch and some other services require
    /// one.
    public var allowsBodyInGET: Bool {
        get { storage.values.allowsBodyInGET }
        set { storage.values.allowsBodyInGET = newValue }
    }

    /// Whether a request asks the server to agree before its content is sent; ``ExpectContinue/never`` by default.
    ///
    /// `URLSession` cannot ask; a request that should is refused with ``TransportError/Code/unsupported``.
    public var expectContinue: ExpectContinue {
        get { storage.values.expectContinue }
        set { storage.values.expectContinue = newValue }
    }

    /// Names of header fields that are secrets, in addition to standard ones such as `Authorization` and `Cookie`.
    ///
    /// Redirects never send them to another origin, and errors never show them.
    public var sensitiveHeaders: [String] {
        get { storage.values.sensitiveHeaders }
        set { storage.values.sensitiveHeaders = newValue }
    }

    /// Names of header fields as they are sent over HTTP/1.1, such as `SOAPAction`, for servers to which case matters.
    ///
    /// Names have no case (RFC 9110 §5.1), and Foundation on Linux writes them in a way of its own: `Soapaction`. A field
    /// of the request with one of these names, in whatever case, is spelled like this. HTTP/2 and HTTP/3 send lower case.
    public var fieldSpellings: [String] {
        get { storage.values.fieldSpellings }
        set { storage.values.fieldSpellings = newValue }
    }

    /// Returns the spelling of a field's name.
    func spelling(of name: String) -> String {
        storage.values.fieldSpellings.first { $0.isEqualIgnoringASCIICase(to: name) } ?? name
    }

    /// The pattern that the request's path follows, such as `/users/{id}`, for observers; `nil` if it has none.
    ///
    /// It is never sent. Metrics and traces group requests by it, because paths with identifiers in them are too many to
    /// group by.
    public var routeTemplate: String? {
        get { storage.values.routeTemplate }
        set { storage.values.routeTemplate = newValue }
    }

    /// Creates options.
    ///
    /// - Parameters:
    ///   - timeouts: How long each phase may take.
    ///   - maximumBufferedBody: The largest body buffered in memory, in bytes; 64 MiB by default.
    ///   - maximumHead: The largest response head, in bytes; 256 KiB by default.
    ///   - decompression: Whether, and up to what growth, compressed bodies are decompressed.
    ///   - sensitiveHeaders: Names of additional header fields that are secrets.
    ///   - allowsBodyInGET: Whether a `GET` may have a body.
    public init(
        timeouts: Timeouts = Timeouts(),
        maximumBufferedBody: Int = 64 * 1024 * 1024,
        maximumHead: Int = 256 * 1024,
        decompression: Decompression = .automatic,
        sensitiveHeaders: [String] = [],
        allowsBodyInGET: Bool = false
    ) {
        storage = CopyOnWrite(
            Values(
                timeouts: timeouts,
                maximumBufferedBody: maximumBufferedBody,
                maximumHead: maximumHead,
                decompression: decompression,
                sensitiveHeaders: sensitiveHeaders,
                allowsBodyInGET: allowsBodyInGET
            )
        )
    }

    /// Compares two sets of options by their values.
    ///
    /// - Parameters:
    ///   - lhs: Options.
    ///   - rhs: Other options.
    /// - Returns: `true` if all values are equal.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.storage.values == rhs.storage.values
    }

    /// Feeds the values to a hasher.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(storage.values)
    }
}

extension RequestOptions {
    private struct Values: Sendable, Hashable {
        var timeouts: Timeouts {
            didSet { limits = TimeoutLimits(timeouts) }
        }
        private(set) var limits: TimeoutLimits
        var maximumBufferedBody: Int
        var maximumHead: Int
        var decompression: Decompression
        var sensitiveHeaders: [String]
        var allowsBodyInGET: Bool
        var deadline: ContinuousClock.Instant?
        var expectContinue = ExpectContinue.never
        var maximumReceiveRate: Int?
        var maximumSendRate: Int?
        var routeTemplate: String?
        var fieldSpellings: [String] = []

        init(
            timeouts: Timeouts,
            maximumBufferedBody: Int,
            maximumHead: Int,
            decompression: Decompression,
            sensitiveHeaders: [String],
            allowsBodyInGET: Bool
        ) {
            self.timeouts = timeouts
            limits = TimeoutLimits(timeouts)
            self.maximumBufferedBody = maximumBufferedBody
            self.maximumHead = maximumHead
            self.decompression = decompression
            self.sensitiveHeaders = sensitiveHeaders
            self.allowsBodyInGET = allowsBodyInGET
        }
    }
}

extension RequestOptions {
    /// Returns a copy with changes.
    ///
    /// ```swift
    /// let quick = dispatcher.configuration.options.with { $0.timeouts.total = .seconds(2) }
    /// async let response = dispatcher.data(for: request, options: quick)
    /// ```
    ///
    /// Unlike a variable, the result can be used in an `async let`.
    ///
    /// - Parameter change: Changes the copy.
    /// - Returns: The changed copy.
    /// - Throws: What `change` throws.
    public func with(_ change: (inout Self) throws -> Void) rethrows -> Self {
        var copy = self
        try change(&copy)
        return copy
    }
}
