/// The rules for fields in a trailer section (RFC 9110 §6.5).
package enum TrailerFields {
    /// Names of fields that have no meaning in a trailer section, in lower case.
    ///
    /// RFC 9110 §6.5.1 excludes fields that must be known before the content: framing, routing, authentication, modifiers of
    /// the request, control data of the response, and the format of the content. RFC 7230 §4.1.2 lists the fields by
    /// name. Fields of the connection (RFC 9110 §7.6.1) are excluded too.
    static let forbidden: Set<String> = [
        // Framing, and the connection.
        "content-length", "transfer-encoding", "trailer", "te", "connection", "keep-alive", "proxy-connection",
        "upgrade", "http2-settings",
        // Routing.
        "host",
        // Authentication, and other secrets.
        "authorization", "proxy-authorization", "www-authenticate", "proxy-authenticate", "cookie", "cookie2",
        "set-cookie", "set-cookie2",
        // Modifiers of the request.
        "cache-control", "expect", "max-forwards", "pragma", "range", "if-match", "if-none-match", "if-modified-since",
        "if-unmodified-since", "if-range",
        // Control data of the response.
        "age", "expires", "date", "location", "retry-after", "vary", "warning",
        // The format of the content.
        "content-encoding", "content-type", "content-range",
    ]

    /// Returns whether a field may be in a trailer section; other fields are ignored there.
    package static func allows(_ name: String) -> Bool {
        !forbidden.contains(name.lowercased())
    }

    /// Parses the lines of a trailer section, each with its line end, without the fields that have no meaning there.
    package static func parse(_ lines: [UInt8]) -> HTTPHeaderFields {
        guard !lines.isEmpty else { return [:] }
        // The line end takes the place of a status line.
        let fields = RawHead(bytes: [0x0A] + lines).fields
        return HTTPHeaderFields(fields.filter { allows($0.name) })
    }
}
