/// The capabilities of a transport on this system, for a line in a log or for `swift run Tour --doctor`.
///
/// ```swift
/// let capabilities = SocketTransport.capabilities
/// print(capabilities)
/// for advice in capabilities.missing { print(advice) }
/// ```
///
/// The description is one line, such as
/// `sockets with OpenSSL/3.0.17: HTTP/1.1, HTTP/2; gzip, deflate, br, zstd; …; nothing is missing`.
public struct TransportCapabilities: Sendable, Hashable {
    /// Whether a feature is available.
    public enum Support: Sendable, Hashable {
        case yes
        /// The feature is not available, for this reason.
        case no(reason: String)

        /// Whether the feature is available.
        public var isAvailable: Bool { self == .yes }
    }

    /// The method of name lookups.
    public enum NameLookup: Sendable, Hashable {
        /// The system's resolver, on separate threads.
        case threads
        /// c-ares of this version, without threads.
        case cares(version: String)
        /// The system's resolver, while all other requests of the event loop wait.
        case blocking
    }

    /// The engine that sends requests: `sockets` for ``SocketTransport``, or `libcurl` and its version.
    public let engine: String
    /// The version of the underlying library: that of OpenSSL, such as `3.0.17`, or of libcurl.
    public let libraryVersion: String
    /// The TLS library and its version, such as `OpenSSL/3.0.17`; `nil` if `https` is not supported.
    public let tls: String?
    /// Whether HTTP/2 is offered with ``HTTP2Use/automatic``.
    public let http2: Support
    /// Whether HTTP/3 can be used.
    public let http3: Support
    /// The supported content codings, by their names in `Accept-Encoding`; `br` is brotli.
    public let contentCodings: [String]
    /// Whether IPv6 is supported.
    public let supportsIPv6: Bool
    /// The method of name lookups.
    public let nameLookup: NameLookup
    /// Whether servers on Unix sockets are supported.
    public let supportsUnixSockets: Bool
    /// Whether proxies with TLS are supported.
    public let supportsHTTPSProxies: Bool
    /// Whether alternative services (RFC 7838) are supported.
    public let supportsAlternativeServices: Bool
    /// Whether the transport can query the TLS library for a connection's unread bytes and end.
    ///
    /// Otherwise, a connection over TLS and HTTP/1.1 is used only once.
    public let inspectsTLS: Bool
    /// The files and folders of the certificate authorities to trust, unless a configuration sets others.
    public let authorities: [String]
    /// The missing or limited features, and the packages to install; empty if everything is available.
    public let missing: [Advice]

    /// Creates a value for another transport of this package.
    package init(
        engine: String,
        libraryVersion: String,
        tls: String?,
        http2: Support,
        http3: Support,
        contentCodings: [String],
        supportsIPv6: Bool,
        nameLookup: NameLookup,
        supportsUnixSockets: Bool,
        supportsHTTPSProxies: Bool,
        supportsAlternativeServices: Bool,
        inspectsTLS: Bool,
        authorities: [String],
        missing: [Advice]
    ) {
        self.engine = engine
        self.libraryVersion = libraryVersion
        self.tls = tls
        self.http2 = http2
        self.http3 = http3
        self.contentCodings = contentCodings
        self.supportsIPv6 = supportsIPv6
        self.nameLookup = nameLookup
        self.supportsUnixSockets = supportsUnixSockets
        self.supportsHTTPSProxies = supportsHTTPSProxies
        self.supportsAlternativeServices = supportsAlternativeServices
        self.inspectsTLS = inspectsTLS
        self.authorities = authorities
        self.missing = missing
    }

    /// Whether requests to `http` and `https` URLs can succeed.
    public var hasEssentials: Bool { !missing.contains(where: \.isEssential) }
}

extension TransportCapabilities {
    /// A missing or limited feature, and the remedy.
    public struct Advice: Sendable, Hashable, CustomStringConvertible {
        /// The missing feature, such as `HTTP/2`.
        public let subject: String
        /// The reason and the consequence, as a sentence without its period.
        public let problem: String
        /// The packages to install or the settings to change, as a sentence without its period.
        public let remedy: String
        /// Whether requests fail without it.
        public let isEssential: Bool

        /// Creates advice for another transport of this package.
        package init(subject: String, problem: String, remedy: String, isEssential: Bool) {
            self.subject = subject
            self.problem = problem
            self.remedy = remedy
            self.isEssential = isEssential
        }

        /// The subject, the problem and the remedy, on one line.
        public var description: String { "\(subject): \(problem). \(remedy)." }
    }
}

extension TransportCapabilities: CustomStringConvertible {
    /// All capabilities on one line.
    public var description: String {
        var protocols = ["HTTP/1.1"]
        if http2.isAvailable { protocols.append("HTTP/2") }
        if http3.isAvailable { protocols.append("HTTP/3") }
        let features: [(name: String, isThere: Bool)] = [
            ("IPv6", supportsIPv6), (nameLookup.description, true), ("Unix sockets", supportsUnixSockets),
            ("HTTPS proxies", supportsHTTPSProxies), ("Alt-Svc", supportsAlternativeServices),
            ("inspection of TLS", inspectsTLS),
        ]
        let missing = missing.map { $0.isEssential ? "\($0.subject) (essential)" : $0.subject }
        let parts = [
            protocols.joined(separator: ", "),
            contentCodings.isEmpty ? "no decompression" : contentCodings.joined(separator: ", "),
            features.filter(\.isThere).map(\.name).joined(separator: ", "),
            authorities.isEmpty ? "no authorities" : "authorities in " + authorities.joined(separator: ", "),
            missing.isEmpty ? "nothing is missing" : "missing or limited: " + missing.joined(separator: ", "),
        ]
        let text = "\(engine) with \(tls ?? "no TLS"): " + parts.joined(separator: "; ")
        // A path can contain any character.
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }
}

extension TransportCapabilities.NameLookup: CustomStringConvertible {
    /// The kind in a few words.
    public var description: String {
        switch self {
        case .threads: "name lookups on threads"
        case .cares(let version): "name lookups by c-ares \(version)"
        case .blocking: "blocking name lookups"
        }
    }
}
