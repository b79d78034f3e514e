/// What a transport can do on this system, for a line in a log or for `swift run Tour --doctor`.
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
    /// Whether something is there.
    public enum Support: Sendable, Hashable {
        case yes
        /// It is not there, for this reason.
        case no(reason: String)

        /// Whether it is there.
        public var isAvailable: Bool { self == .yes }
    }

    /// How names are looked up.
    public enum NameLookup: Sendable, Hashable {
        /// By the system's resolver, on threads of their own.
        case threads
        /// By c-ares of this version, without threads.
        case cares(version: String)
        /// By the system's resolver, while all other requests of the event loop wait.
        case blocking
    }

    /// What sends requests: `sockets` for ``SocketTransport``, or `libcurl` and its version.
    public let engine: String
    /// The version of the library that the transport stands on: that of OpenSSL, such as `3.0.17`, or of libcurl.
    public let libraryVersion: String
    /// The TLS library and its version, such as `OpenSSL/3.0.17`; `nil` if `https` is not supported.
    public let tls: String?
    /// Whether HTTP/2 is offered with ``HTTP2Use/automatic``.
    public let http2: Support
    /// Whether HTTP/3 can be used.
    public let http3: Support
    /// The content codings that are decoded, by their names in `Accept-Encoding`; `br` is brotli.
    public let contentCodings: [String]
    /// Whether IPv6 is supported.
    public let supportsIPv6: Bool
    /// How names are looked up.
    public let nameLookup: NameLookup
    /// Whether servers at Unix sockets are supported.
    public let supportsUnixSockets: Bool
    /// Whether proxies that speak TLS themselves are supported.
    public let supportsHTTPSProxies: Bool
    /// Whether alternative services (RFC 7838) are supported.
    public let supportsAlternativeServices: Bool
    /// Whether the TLS library can be asked about the bytes and the end of a connection.
    ///
    /// Otherwise, connections over TLS and HTTP/1.1 are used only once.
    public let inspectsTLS: Bool
    /// The files and folders of the certificate authorities that are trusted unless a configuration names others.
    public let authorities: [String]
    /// What is missing or limited, and what to install; empty if nothing is.
    public let missing: [Advice]

    /// Creates a value of its parts, for another transport of this package.
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
    /// Something that is missing or limited, and what to do about it.
    public struct Advice: Sendable, Hashable, CustomStringConvertible {
        /// What is missing, such as `HTTP/2`.
        public let subject: String
        /// Why, and what it means, as a sentence without its full stop.
        public let problem: String
        /// What to install or to set, as a sentence without its full stop.
        public let remedy: String
        /// Whether requests fail without it.
        public let isEssential: Bool

        /// Creates advice of another transport of this package.
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
        // A path can have any character.
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
