extension ProxyServer {
    /// The maximum length of a SOCKS user name or password, in bytes (RFC 1929 §2).
    private static let maximumSOCKSText = 255
    /// The maximum length of a host name, in bytes (RFC 1035 §2.3.4).
    package static let maximumHost = 255

    /// Returns a host in lower case and without brackets.
    static func validatedHost(_ host: String) throws(ProxyServerError) -> String {
        let isBracketed = host.utf8.first == UInt8(ascii: "[") && host.utf8.last == UInt8(ascii: "]")
        let name = isBracketed ? String(host.dropFirst().dropLast()) : host
        if isBracketed || name.utf8.contains(UInt8(ascii: ":")) {
            guard IPAddress(name)?.isIPv4 == false else { throw ProxyServerError(.invalidHost) }
        } else {
            guard !name.isEmpty, name.utf8.count <= maximumHost, name.utf8.allSatisfy(\.isHostCharacter) else {
                throw ProxyServerError(.invalidHost)
            }
        }
        return name.lowercased()
    }

    static func checkCredentials(_ user: String?, _ password: String, for kind: Kind) throws(ProxyServerError) {
        guard let user else {
            guard password.isEmpty else { throw ProxyServerError(.invalidPassword) }
            return
        }
        guard !hasControlCharacters(user) else { throw ProxyServerError(.invalidUser) }
        guard !hasControlCharacters(password) else { throw ProxyServerError(.invalidPassword) }
        switch kind {
        case .http, .https: break
        case .socks4, .socks4a, .socks5, .socks5h:
            guard (1...maximumSOCKSText).contains(user.utf8.count) else { throw ProxyServerError(.invalidUser) }
            let hasPassword = kind == .socks5 || kind == .socks5h
            guard password.utf8.count <= (hasPassword ? maximumSOCKSText : 0) else {
                throw ProxyServerError(.invalidPassword)
            }
        }
    }

    private static func hasControlCharacters(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// Returns the field with the credentials for an HTTP proxy; empty for none.
    static func authorization(
        _ user: String?,
        _ password: String,
        for kind: Kind
    ) throws(ProxyServerError) -> FieldList {
        guard let user, kind == .http || kind == .https else { return FieldList() }
        do throws(AuthenticationError) {
            let value = try BasicAuthentication.value(user: user, password: password)
            return FieldList("Proxy-Authorization", value)
        } catch {
            throw ProxyServerError(error.code == .invalidUserName ? .invalidUser : .invalidPassword)
        }
    }

    /// The fields of `CONNECT` that the caller must not set.
    private static let reservedNames = [
        "connection", "content-length", "expect", "host", "proxy-authorization", "transfer-encoding",
    ]
    /// The maximum total size of all fields, in bytes.
    private static let maximumSize = 64 << 10

    /// Validates header fields.
    static func fields(of fields: HTTPHeaderFields, for kind: Kind) throws(ProxyServerError) -> FieldList {
        guard !fields.isEmpty else { return FieldList() }
        guard kind == .http || kind == .https else { throw ProxyServerError(.invalidConnectHeaders) }
        var checked = RequestFields()
        for field in fields {
            guard !reservedNames.contains(field.name.lowercased()) else {
                throw ProxyServerError(.invalidConnectHeaders)
            }
            do throws(RequestFields.Refusal) {
                try checked.append(name: field.name, value: field.value, contentLength: nil)
            } catch {
                throw ProxyServerError(.invalidConnectHeaders)
            }
        }
        guard checked.list.lines.count <= maximumSize else { throw ProxyServerError(.invalidConnectHeaders) }
        return checked.list
    }
}

extension UInt8 {
    /// Whether a URL's host may contain the byte outside of brackets; the same as in ``RequestTarget``.
    fileprivate var isHostCharacter: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }
}
