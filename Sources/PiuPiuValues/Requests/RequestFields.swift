/// Validates the header fields of a request, and collects those to send.
package struct RequestFields {
    /// The reason why a field was refused.
    ///
    /// The text never contains the value.
    package struct Refusal: Error {
        package let name: String
        package let reason: String
    }

    package private(set) var list = FieldList(capacity: 256)
    /// The fields for the proxy that opens the request's tunnel; the origin does not receive them.
    package private(set) var forProxy = FieldList()
    package private(set) var hasAcceptEncoding = false
    /// Whether the request is for a part of the representation, which cannot be decoded on its own (RFC 9110 §14.2).
    package private(set) var hasRange = false
    package private(set) var closesConnection = false
    package private(set) var hasIdempotencyKey = false
    /// Whether the caller set credentials for the proxy.
    package private(set) var hasProxyAuthorization = false
    private var hasUserAgent = false
    private var hasAuthorization = false
    private var hasExpect = false
    /// Whether the caller wants to wait for "100 Continue" (RFC 9110 §10.1.1).
    package private(set) var expectsContinue = false
    package private(set) var hasHost = false
    package private(set) var hasAccept = false
    private let isSecure: Bool

    /// Creates an empty list for a request with or without TLS; with TLS, a proxy has to open a tunnel.
    package init(isSecure: Bool = false) {
        self.isSecure = isSecure
    }

    /// Adds a field, or omits one that the transport writes itself.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: The field's value.
    ///   - contentLength: The length of the body in bytes; `nil` if it is unknown.
    /// - Throws: ``Refusal`` if the name is not a token (RFC 9110 §5.1), if the value contains CR, LF, NUL or another
    ///   control character (§5.5), or if the framing contradicts the body (RFC 9112 §6).
    package mutating func append(name: String, value: String, contentLength: Int64?) throws(Refusal) {
        guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenCharacter) else {
            throw Refusal(name: name, reason: "the name of a header field is not a token (RFC 9110 §5.1)")
        }
        try check(value, of: name)
        switch name.lowercased() {
        case "connection":
            switch value.lowercased() {
            case "close": closesConnection = true
            case "keep-alive": return
            default: throw Refusal(name: name, reason: "Connection may only be close or keep-alive")
            }
        case "content-length":
            guard let contentLength else {
                throw Refusal(name: name, reason: "Content-Length cannot be set for a body of unknown length")
            }
            guard value == String(contentLength) else {
                throw Refusal(
                    name: name,
                    reason: "Content-Length does not agree with the body of \(contentLength) bytes"
                )
            }
            return
        case "transfer-encoding":
            throw Refusal(name: name, reason: "Transfer-Encoding is set by the transport")
        case "te", "trailer", "upgrade", "keep-alive", "http2-settings", "proxy-connection":
            throw Refusal(
                name: name,
                reason: "\(name) is a field of the connection, and only the transport sets it (RFC 9110 §7.6.1)"
            )
        case "accept": hasAccept = true
        case "accept-encoding": hasAcceptEncoding = true
        case "authorization": hasAuthorization = true
        case "expect":
            hasExpect = true
            expectsContinue = value.lowercased().contains("100-continue")
        case "host":
            // A dictionary may contain the name twice, in different case; servers disagree about which one counts (RFC 9112
            // §3.2).
            guard !hasHost else { throw Refusal(name: name, reason: "there is more than one Host") }
            hasHost = true
        case "proxy-authorization" where isSecure:
            // The origin must not receive this field, and the proxy cannot read the requests in the tunnel.
            forProxy.append(name, value)
            hasProxyAuthorization = true
            return
        case "proxy-authorization": hasProxyAuthorization = true
        case "range": hasRange = true
        case "idempotency-key": hasIdempotencyKey = true
        case "user-agent": hasUserAgent = true
        default: break
        }
        list.append(name, value)
    }

    /// Adds the transport's own fields.
    ///
    /// - Parameters:
    ///   - content: The content's length and trailers; `nil` for none.
    ///   - userAgent: The `User-Agent` to send if the caller set none.
    ///   - userInformation: The URL's user information, percent-encoded, sent as basic credentials (RFC 7617).
    ///   - expectContinue: Whether the content waits for "100 Continue" even if the caller has not set the field.
    /// - Throws: ``Refusal`` if one of them must not be sent.
    package mutating func finish(
        content: (length: Int64?, trailers: RequestTrailers?)?,
        userAgent: String?,
        userInformation: Substring?,
        expectContinue: ExpectContinue = .never
    ) throws(Refusal) {
        if !hasUserAgent, let userAgent {
            try check(userAgent, of: "User-Agent")
            list.append("User-Agent", userAgent)
        }
        if !hasAuthorization, let userInformation, !userInformation.isEmpty {
            let parts = userInformation.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let user = parts[0].removingPercentEncoding ?? String(parts[0])
            // The server would read everything after the first colon as the password (RFC 7617 §2).
            guard !user.utf8.contains(UInt8(ascii: ":")) else {
                throw Refusal(name: "Authorization", reason: "the URL's user name contains a colon")
            }
            let password = parts.count > 1 ? parts[1].removingPercentEncoding ?? String(parts[1]) : ""
            list.append("Authorization", "Basic " + Data("\(user):\(password)".utf8).base64EncodedString())
        }
        guard let content else { return }
        if let trailers = content.trailers {
            if let (name, reason) = trailers.refusal { throw Refusal(name: name, reason: reason) }
            list.append("Trailer", trailers.announcement)
        }
        guard !hasExpect else { return }
        expectsContinue = expectContinue.applies(to: content.length)
        if expectsContinue { list.append("Expect", "100-continue") }
    }

    private func check(_ value: String, of name: String) throws(Refusal) {
        guard value.utf8.allSatisfy(\.isFieldCharacter) else {
            throw Refusal(name: name, reason: "the value of \(name) contains a control character (RFC 9110 §5.5)")
        }
    }
}

extension RequestFields: Redacted {
    /// The total length of the fields, without their text.
    package var shown: KeyValuePairs<String, Any> { ["length": list.lines.count] }
}
