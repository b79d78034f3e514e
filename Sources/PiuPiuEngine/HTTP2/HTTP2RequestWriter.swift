#if os(Linux)
/// Writes the head of an HTTP/2 request (RFC 9113 §8.3.1).
package enum HTTP2RequestWriter {
    /// Writes a head.
    ///
    /// It leaves out fields that belong to an HTTP/1.1 connection (RFC 9113 §8.2.2), and writes names in lower case (§8.2.1).
    /// A `Host` becomes the authority.
    ///
    /// - Parameters:
    ///   - block: The empty block to write to.
    ///   - method: The method.
    ///   - url: The URL.
    ///   - fields: The fields.
    ///   - hasHost: Whether the fields contain a `Host`.
    ///   - hasAccept: Whether the fields contain an `Accept`; if not, the head accepts anything.
    ///   - length: The length of the content; `nil` if there is no content or its length is unknown.
    ///   - extra: Further fields.
    ///   - tunnel: The protocol of the tunnel to open, by an extended `CONNECT` (RFC 8441 §4); `nil` for none.
    package static func write(
        to block: FieldBlock,
        method: String,
        url: String,
        fields: FieldList,
        hasHost: Bool,
        hasAccept: Bool,
        length: Int64?,
        extra: FieldList,
        tunnel: String? = nil
    ) {
        let output = block.bytes
        add(":method", to: block) { output.append(tunnel == nil ? method : "CONNECT") }
        if let tunnel { add(":protocol", to: block) { output.append(tunnel) } }
        var url = url
        url.withUTF8 { bytes in
            let parts = RequestWriter.Parts(UnsafeRawBufferPointer(bytes))
            add(":scheme", to: block) { output.append(parts.isSecure ? "https" : "http") }
            add(":authority", to: block) {
                if !hasHost || !writeHost(of: fields, to: output) {
                    RequestWriter.writeHost(parts.authority, isSecure: parts.isSecure, to: output)
                }
            }
            add(":path", to: block) { parts.writePath(to: output) }
        }
        if !hasAccept { add("accept", to: block) { output.append("*/*") } }
        fields.forEach { add($0, $1, to: block) }
        extra.forEach { add($0, $1, to: block) }
        if let length { add("content-length", to: block) { output.append("\(length)") } }
    }

    /// Writes trailers, given as lines without line ends, to an empty block.
    static func write(trailers lines: [String], to block: FieldBlock) {
        for var line in lines {
            line.withUTF8 { line in
                if let (name, value) = FieldList.split(UnsafeRawBufferPointer(line)) { add(name, value, to: block) }
            }
        }
    }

    private static func add(_ name: StaticString, to block: FieldBlock, _ writeValue: () -> Void) {
        block.bytes.append(name)
        writeValue()
        block.end(nameCount: name.utf8CodeUnitCount)
    }

    /// Writes the value of the `Host` that the caller has set, and returns whether there is one.
    private static func writeHost(of fields: FieldList, to output: OutputBuffer) -> Bool {
        var isFound = false
        fields.forEach { name, value in
            guard !isFound, name.isName("host"), !value.isEmpty else { return }
            isFound = true
            output.append(value)
        }
        return isFound
    }

    private static func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, to block: FieldBlock) {
        guard !isConnectionField(name) else { return }
        block.bytes.append(upTo: name.count) { room in
            for index in 0..<name.count { room[index] = name[index].asciiLowercased }
            return name.count
        }
        block.bytes.append(value)
        block.end(nameCount: name.count, isSecret: name.isName("authorization") || name.isName("proxy-authorization"))
    }

    private static func isConnectionField(_ name: UnsafeRawBufferPointer) -> Bool {
        switch name.count {
        case 4: name.isName("host")
        case 7: name.isName("upgrade")
        case 10: name.isName("connection") || name.isName("keep-alive")
        case 16: name.isName("proxy-connection")
        case 17: name.isName("transfer-encoding")
        default: false
        }
    }
}
#endif
