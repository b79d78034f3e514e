/// The key of a stored response: the resource, and everything else that selects a response for a request.
///
/// A `Host` field that names another host than the URL makes it another target (RFC 9110 §7.1), and thus another key. Removing
/// the responses of a URL removes them for all of its hosts.
///
/// A key contains the credentials of its request, so that no user gets the response of another. A storage that writes keys must
/// write their ``digest(salt:)`` and nothing else.
public struct CacheKey: Sendable, Hashable {
    /// A resource: all responses to requests for one URL, of all users.
    public struct Resource: Sendable, Hashable {
        /// The URL without user information and fragment, with the origin in lower case.
        let url: String

        init(_ target: RequestTarget) {
            url = target.url.hasPrefix(target.origin) ? target.url : Self.normalized(target)
        }

        private static func normalized(_ target: RequestTarget) -> String {
            let rest = target.url.utf8.drop { $0 != 0x2F }.dropFirst(2).drop { $0 != 0x2F && $0 != 0x3F }
            return target.origin + (rest.first == 0x2F ? "" : "/") + String(decoding: rest, as: UTF8.self)
        }

        /// Returns 32 bytes that are the same for equal resources, and from which the resource cannot be recovered.
        ///
        /// - Parameter salt: Random bytes, which are kept with the stored responses.
        /// - Returns: The SHA-256 of the salt and the resource.
        public func digest(salt: Data) -> Data { Data(SHA256.hash(Array(salt) + Array(url.utf8))) }
    }

    /// The resource.
    public let resource: Resource
    /// The host that the request names, the credentials, how the body is decoded, and the values of the fields on which the
    /// response depends.
    let selection: [UInt8]

    private init(resource: Resource, selection: [UInt8]) {
        self.resource = resource
        self.selection = selection
    }

    /// Creates the key of a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - target: Its parsed URL.
    ///   - identity: The certificate with which the transport authenticates the client.
    ///   - ignoresCookies: Whether the key leaves out `Cookie`, so that caches that include it share nothing with this one.
    init(_ request: TransportRequest, _ target: RequestTarget, identity: TLSIdentity?, ignoresCookies: Bool = false) {
        resource = Resource(target)
        // The body is stored in the form in which interceptors get it.
        var selection: [UInt8] = [(request.decodesContent ? 1 : 0) | (ignoresCookies ? 2 : 0)]
        if let host = Self.host(of: request.urlRequest, target) { Self.append("host", host, to: &selection) }
        for (name, value) in Self.credentials(of: request.urlRequest, request.options) {
            Self.append(name, value, to: &selection)
        }
        if let secret = target.userInformation { Self.append("@", String(secret), to: &selection) }
        if let identity { Self.append("certificate", Self.text(of: identity), to: &selection) }
        self.selection = selection
    }

    /// Returns the key of the response for a request's values of some fields, whose names are in lower case.
    func variant(_ names: [String], of request: URLRequest) -> CacheKey {
        var selection = selection
        for name in names {
            let value = request.value(forHTTPHeaderField: name)
            Self.append("vary " + name, value.map(Self.normalized) ?? "\u{0}", to: &selection)
        }
        return CacheKey(resource: resource, selection: selection)
    }

    /// Returns 32 bytes that are the same for equal keys, and from which no part of the key can be recovered.
    ///
    /// - Parameter salt: Random bytes, which are kept with the stored responses.
    /// - Returns: The SHA-256 of the salt and the key.
    public func digest(salt: Data) -> Data {
        var bytes = Array(salt)
        Self.append("", resource.url, to: &bytes)
        return Data(SHA256.hash(bytes + selection))
    }

    /// The value of `Host`, in lower case; `nil` if it is that of the URL.
    private static func host(of request: URLRequest, _ target: RequestTarget) -> String? {
        guard let value = request.value(forHTTPHeaderField: "Host") else { return nil }
        let host = value.trimmingCharacters(in: .whitespaces).lowercased()
        let scheme = target.isSecure ? "https://" : "http://"
        let isSame = [host, host + (target.isSecure ? ":443" : ":80")].contains { scheme + $0 == target.origin }
        return isSame ? nil : host
    }

    /// Returns the fields of a request that identify its user, by their names in lower case, sorted.
    static func credentials(of request: URLRequest, _ options: RequestOptions) -> [(name: String, value: String)] {
        guard let fields = request.allHTTPHeaderFields, !fields.isEmpty else { return [] }
        let redaction = Redaction.standard.hiding(options.sensitiveHeaders)
        var found: [(name: String, value: String)] = []
        for (name, value) in fields where redaction.isSensitive(name) { found.append((name.lowercased(), value)) }
        return found.count < 2 ? found : found.sorted { $0 < $1 }
    }

    /// Returns a value without the blanks around its commas, which have no meaning in most lists (RFC 9110 §5.6.1).
    private static func normalized(_ value: String) -> String {
        guard value.utf8.contains(0x2C), !value.utf8.contains(0x22) else { return value }
        return value.split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: ",")
    }

    private static func text(of identity: TLSIdentity) -> String {
        switch identity.certificate {
        case .file(let url): "file " + url.absoluteString
        case .bytes(let data): "bytes " + data.base64EncodedString()
        }
    }

    /// Appends a name and a value so that no other pair produces the same bytes.
    private static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) {
        for text in [name, value] {
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: text.utf8.count).littleEndian) { bytes += $0 }
            bytes += text.utf8
        }
    }
}

extension CacheKey: Redacted {
    /// Nothing: the URL and the credentials are secrets.
    package var shown: KeyValuePairs<String, Any> { [:] }
}

extension CacheKey.Resource: Redacted {
    /// Nothing: the URL may contain secrets.
    package var shown: KeyValuePairs<String, Any> { [:] }
}
