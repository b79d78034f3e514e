/// The limits of one request.
public struct RequestOptions: Sendable, Hashable {
    /// Options pass through every interceptor with every request; a single reference makes them cheap to copy.
    private var storage: CopyOnWrite<Values>

    /// The time limits of the phases.
    public var timeouts: Timeouts {
        get { storage.values.timeouts }
        set { storage.values.timeouts = newValue }
    }

    /// The latest time at which the call must end; `nil`, the default, sets no limit in addition to ``Timeouts/total``.
    ///
    /// Calls with the same deadline share a limit:
    ///
    /// ```swift
    /// var options = dispatcher.configuration.options
    /// options.deadline = .now + .seconds(5)
    /// let user = try await dispatcher.data(for: userRequest, options: options).decode(User.self)
    /// let posts = try await dispatcher.data(for: postsRequest(of: user), options: options)
    /// ```
    ///
    /// A call that does not end before the deadline, or starts after it, fails with ``TransportError/Code/timeout(_:)`` and the
    /// phase ``TimeoutPhase/total``. The earlier limit of this one and ``Timeouts/total`` applies. A deadline in more than
    /// thirty years counts as none.
    ///
    /// It is an instant of the transport's clock. Every real transport uses `ContinuousClock`, so a deadline means the same for
    /// all of them. In a test, it is the clock that the transport was created with: `TransferClock(clock).instant` is the
    /// current time of a `ManualClock` of PiuPiuTesting, for all transports with that clock.
    public var deadline: ContinuousClock.Instant? {
        get { storage.values.deadline }
        set { storage.values.deadline = newValue }
    }

    /// ``timeouts`` in nanoseconds, converted once rather than for each request.
    package var limits: TimeoutLimits { storage.values.limits }

    /// The maximum size of a body that is buffered in memory, in bytes after decompression.
    ///
    /// A larger body fails with ``TransportError/Code/bodyTooLarge``.
    public var maximumBufferedBody: Int {
        get { storage.values.maximumBufferedBody }
        set { storage.values.maximumBufferedBody = newValue }
    }

    /// The maximum size of a response head, in bytes, including informational heads and trailers.
    ///
    /// A larger head fails with ``TransportError/Code/headTooLarge``.
    public var maximumHead: Int {
        get { storage.values.maximumHead }
        set { storage.values.maximumHead = newValue }
    }

    /// The setting for decompression: on or off, and the maximum growth.
    public var decompression: Decompression {
        get { storage.values.decompression }
        set { storage.values.decompression = newValue }
    }

    /// The maximum speed at which a response is received, in bytes per second; `nil` for no limit.
    ///
    /// Values below 1 count as 1. The limit applies to the average over a few seconds: a first piece, as large as the buffers
    /// of the system and of the connection, may arrive faster. Waiting for the limit does not count as idle time.
    /// ``URLSessionTransport`` refuses the limit with ``TransportError/Code/unsupported``.
    public var maximumReceiveRate: Int? {
        get { storage.values.maximumReceiveRate }
        set { storage.values.maximumReceiveRate = newValue }
    }

    /// The maximum speed at which a request's body is sent, in bytes per second; `nil` for no limit.
    ///
    /// The rules of ``maximumReceiveRate`` apply.
    public var maximumSendRate: Int? {
        get { storage.values.maximumSendRate }
        set { storage.values.maximumSendRate = newValue }
    }

    /// Whether a `GET` may have a body; `false` by default.
    ///
    /// The body of a `GET` has no meaning in HTTP (RFC 9110 §9.3.1): servers, proxies and caches may ignore or refuse
    /// it, so a body that was set by mistake would be lost silently. Elasticsearch and some other services require
    /// one.
    public var allowsBodyInGET: Bool {
        get { storage.values.allowsBodyInGET }
        set { storage.values.allowsBodyInGET = newValue }
    }

    /// Whether a request asks the server for permission before it sends its content; ``ExpectContinue/never`` by default.
    ///
    /// `URLSession` cannot ask, so ``URLSessionTransport`` refuses such a request with ``TransportError/Code/unsupported``.
    public var expectContinue: ExpectContinue {
        get { storage.values.expectContinue }
        set { storage.values.expectContinue = newValue }
    }

    /// The names of secret header fields, in addition to standard ones such as `Authorization` and `Cookie`.
    ///
    /// Redirects never send them to another origin, and errors never show them.
    public var sensitiveHeaders: [String] {
        get { storage.values.sensitiveHeaders }
        set { storage.values.sensitiveHeaders = newValue }
    }

    /// The names of header fields as HTTP/1.1 sends them, such as `SOAPAction`, for servers that distinguish case.
    ///
    /// Names are case-insensitive (RFC 9110 §5.1), and Foundation on Linux changes their case: `Soapaction`. A field of the
    /// request with one of these names, in any case, gets this spelling. HTTP/2 and HTTP/3 send lower case.
    public var fieldSpellings: [String] {
        get { storage.values.fieldSpellings }
        set { storage.values.fieldSpellings = newValue }
    }

    /// Returns the spelling of a field's name.
    package func spelling(of name: String) -> String {
        storage.values.fieldSpellings.first { $0.isEqualIgnoringASCIICase(to: name) } ?? name
    }

    /// The pattern of the request's path, such as `/users/{id}`, for observers; `nil` if it has none.
    ///
    /// It is never sent. Metrics and traces group requests by it, because paths that contain identifiers are too numerous.
    public var routeTemplate: String? {
        get { storage.values.routeTemplate }
        set { storage.values.routeTemplate = newValue }
    }

    /// Creates options.
    ///
    /// - Parameters:
    ///   - timeouts: The time limits of the phases.
    ///   - maximumBufferedBody: The maximum size of a body buffered in memory, in bytes; 64 MiB by default.
    ///   - maximumHead: The maximum size of a response head, in bytes; 256 KiB by default.
    ///   - decompression: The setting for decompression: on or off, and the maximum growth.
    ///   - sensitiveHeaders: The names of additional secret header fields.
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
    /// - Throws: The error that `change` throws.
    public func with(_ change: (inout Self) throws -> Void) rethrows -> Self {
        var copy = self
        try change(&copy)
        return copy
    }
}
