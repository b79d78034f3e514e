/// Writes the head of an HTTP/1.1 request (RFC 9112 §3).
package enum RequestWriter {
    /// Writes a head, including the empty line.
    ///
    /// - Parameters:
    ///   - output: The buffer to append to.
    ///   - method: The method.
    ///   - url: The URL. The head contains its path and query, and its authority without the scheme's default port.
    ///   - fields: The fields.
    ///   - hasHost: Whether the fields contain a `Host`.
    ///   - hasAccept: Whether the fields contain an `Accept`; if not, the head accepts anything.
    ///   - framing: The line that frames the content; `nil` for none.
    ///   - extra: Further fields.
    ///   - isForProxy: Whether the request goes to a proxy, with the whole URL (RFC 9112 §3.2.2).
    package static func write(
        to output: OutputBuffer,
        method: String,
        url: String,
        fields: FieldList,
        hasHost: Bool,
        hasAccept: Bool,
        framing: String?,
        extra: FieldList,
        isForProxy: Bool = false
    ) {
        output.append(method)
        output.append(" ")
        var url = url
        url.withUTF8 { bytes in
            let parts = Parts(UnsafeRawBufferPointer(bytes))
            if isForProxy {
                output.append(parts.isSecure ? "https://" : "http://")
                writeHost(parts.authority, isSecure: parts.isSecure, to: output)
            }
            parts.writePath(to: output)
            output.append(" HTTP/1.1\r\n")
            if !hasHost {
                output.append("Host: ")
                writeHost(parts.authority, isSecure: parts.isSecure, to: output)
                output.append("\r\n")
            }
        }
        if !hasAccept { output.append("Accept: */*\r\n") }
        output.append(fields.lines)
        output.append(extra.lines)
        if let framing {
            output.append(framing)
            output.append("\r\n")
        }
        output.append("\r\n")
    }

    /// Returns a whole request that asks an HTTP proxy for a tunnel (RFC 9110 §9.3.6).
    ///
    /// - Parameters:
    ///   - host: The server's host; an IPv6 address is in brackets, and its zone is left out.
    ///   - port: The server's port.
    ///   - fields: The fields.
    /// - Returns: The request.
    package static func connect(to host: some StringProtocol, port: Int, fields: FieldList) -> [UInt8] {
        let zone = host.hasPrefix("[") ? host.firstIndex(of: "%") : nil
        let authority = (zone.map { "\(host[..<$0])]" } ?? String(host)) + ":\(port)"
        let output = OutputBuffer()
        output.append("CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n")
        output.append(fields.lines)
        output.append("\r\n")
        return Array(output.bytes)
    }

    /// The parts of a URL that go into a head.
    struct Parts {
        let isSecure: Bool
        let authority: UnsafeRawBufferPointer
        /// The path with its query; empty, or a query alone, for the root.
        private let path: UnsafeRawBufferPointer

        /// - Parameter url: An absolute URL with the scheme `http` or `https`.
        init(_ url: UnsafeRawBufferPointer) {
            isSecure = url.count > 4 && url[4] | 0x20 == 0x73
            let start = min(url.count, isSecure ? 8 : 7)
            let end = url[start...].firstIndex { $0 == 0x2F || $0 == 0x3F } ?? url.count
            authority = UnsafeRawBufferPointer(rebasing: url[start..<end])
            path = UnsafeRawBufferPointer(rebasing: url[end...])
        }

        func writePath(to output: OutputBuffer) {
            if path.first != 0x2F { output.append("/") }
            output.append(path)
        }
    }

    /// Writes an authority without the scheme's default port, and without the zone of an IPv6 address (RFC 6874 §1).
    static func writeHost(_ authority: UnsafeRawBufferPointer, isSecure: Bool, to output: OutputBuffer) {
        var host = UnsafeRawBufferPointer(rebasing: authority[...])
        var port = UnsafeRawBufferPointer(rebasing: authority[authority.count...])
        let bracket = authority.lastIndex(of: 0x5D) ?? 0
        if let colon = authority[bracket...].firstIndex(of: 0x3A) {
            host = UnsafeRawBufferPointer(rebasing: authority[..<colon])
            port = UnsafeRawBufferPointer(rebasing: authority[(colon + 1)...])
        }
        if host.first == 0x5B, let zone = host.firstIndex(of: 0x25) {
            output.append(UnsafeRawBufferPointer(rebasing: host[..<zone]))
            output.append("]")
        } else {
            output.append(host)
        }
        let number = port.reduce(0) { min(100_000, $0 * 10 + Int($1 &- 0x30)) }
        guard !port.isEmpty, number != (isSecure ? 443 : 80) else { return }
        output.append(":\(number)")
    }
}
