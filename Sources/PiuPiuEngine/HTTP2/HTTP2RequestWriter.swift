#if os(Linux)
/// Writes the head of a request of HTTP/2 (RFC 9113 §8.3.1).
package enum HTTP2RequestWriter {
    /// Writes a head.
    ///
    /// Fields that belong to a connection of HTTP/1.1 are left out (RFC 9113 §8.2.2), and names are in lower case (§8.2.1).
    /// A `Host` becomes the authority.
    ///
    /// - Parameters:
    ///   - block: Where to; it is empty.
    ///   - method: The method.
    ///   - url: The URL.
    ///   - lines: The field lines, in the notation of ``RequestWriter``.
    ///   - hasHost: Whether the lines have a `Host`.
    ///   - hasAccept: Whether the lines have an `Accept`; otherwise anything is accepted.
    ///   - length: The length of the content; `nil` for none, or an unknown one.
    ///   - extra: A line that is added, without its line end; empty for none.
    package static func write(
        to block: FieldBlock,
        method: String,
        url: String,
        lines: [UInt8],
        hasHost: Bool,
        hasAccept: Bool,
        length: Int64?,
        extra: [UInt8]
    ) {
        let output = block.bytes
        add(":method", to: block) { output.append(method) }
        var url = url
        url.withUTF8 { bytes in
            let parts = RequestWriter.Parts(UnsafeRawBufferPointer(bytes))
            add(":scheme", to: block) { output.append(parts.isSecure ? "https" : "http") }
            lines.withUnsafeBytes { lines in
                add(":authority", to: block) {
                    if let host = hasHost ? host(in: lines) : nil {
                        output.append(host)
                    } else {
                        RequestWriter.writeHost(parts.authority, isSecure: parts.isSecure, to: output)
                    }
                }
                add(":path", to: block) { parts.writePath(to: output) }
                if !hasAccept { add("accept", to: block) { output.append("*/*") } }
                forEachLine(in: lines) { add(line: $0, to: block) }
            }
        }
        if !extra.isEmpty { extra.withUnsafeBytes { add(line: $0, to: block) } }
        if let length { add("content-length", to: block) { output.append("\(length)") } }
    }

    /// Writes trailers.
    ///
    /// - Parameters:
    ///   - lines: The lines, without their line ends.
    ///   - block: Where to; it is empty.
    static func write(trailers lines: [String], to block: FieldBlock) {
        for var line in lines { line.withUTF8 { add(line: UnsafeRawBufferPointer($0), to: block) } }
    }

    private static func add(_ name: StaticString, to block: FieldBlock, _ writeValue: () -> Void) {
        block.bytes.append(name)
        writeValue()
        block.end(nameCount: name.utf8CodeUnitCount)
    }

    private static func forEachLine(in lines: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        var rest = lines
        while let end = rest.firstOffset(of: 0) {
            body(UnsafeRawBufferPointer(rebasing: rest[..<end]))
            rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
        }
    }

    /// The value of the `Host` that the caller has set.
    private static func host(in lines: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        var found: UnsafeRawBufferPointer?
        forEachLine(in: lines) { line in
            guard let (name, value) = split(line), isName(name, "host"), !value.isEmpty else { return }
            found = value
        }
        return found
    }

    /// Splits a line into its name and its value; returns `nil` for a line that means no field.
    private static func split(
        _ line: UnsafeRawBufferPointer
    ) -> (name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)? {
        guard let colon = line.firstOffset(of: 0x3A) else {
            guard line.last == 0x3B else { return nil }
            let name = UnsafeRawBufferPointer(rebasing: line[..<(line.count - 1)])
            return (name, UnsafeRawBufferPointer(rebasing: line[line.count...]))
        }
        guard colon + 1 < line.count else { return nil }
        var (lower, upper) = (colon + 1, line.count)
        while lower < upper, line[lower].isHTTPWhitespace { lower += 1 }
        while upper > lower, line[upper - 1].isHTTPWhitespace { upper -= 1 }
        return (
            UnsafeRawBufferPointer(rebasing: line[..<colon]), UnsafeRawBufferPointer(rebasing: line[lower..<upper])
        )
    }

    private static func add(line: UnsafeRawBufferPointer, to block: FieldBlock) {
        guard let (name, value) = split(line), !isConnectionField(name) else { return }
        block.bytes.append(upTo: name.count) { room in
            for index in 0..<name.count { room[index] = name[index].asciiLowercased }
            return name.count
        }
        block.bytes.append(value)
        block.end(nameCount: name.count, isSecret: isName(name, "authorization") || isName(name, "proxy-authorization"))
    }

    private static func isConnectionField(_ name: UnsafeRawBufferPointer) -> Bool {
        switch name.count {
        case 4: isName(name, "host")
        case 7: isName(name, "upgrade")
        case 10: isName(name, "connection") || isName(name, "keep-alive")
        case 16: isName(name, "proxy-connection")
        case 17: isName(name, "transfer-encoding")
        default: false
        }
    }

    private static func isName(_ name: UnsafeRawBufferPointer, _ word: StaticString) -> Bool {
        guard name.count == word.utf8CodeUnitCount else { return false }
        for index in 0..<name.count where name[index].asciiLowercased != word.utf8Start[index] { return false }
        return true
    }
}
#endif
