extension Redaction {
    /// Fields whose whole value is a URL, or ends with one.
    private static let urlFields: Set<String> = [
        "location", "content-location", "content-base", "referer", "refresh", "sourcemap", "x-sourcemap", "destination",
        "origin", "x-forwarded-uri", "x-original-uri", "x-original-url", "x-rewrite-url", "x-request-uri", "x-pingback",
    ]

    /// Returns the value of a header field for a description: without the queries and fragments of its URLs.
    ///
    /// Any word with a question mark or a number sign may be a URL, as in `Link`, `Refresh` or `Content-Security-Policy`, or a
    /// reference without a scheme. The result leaves out the rest of the word. `?0` and `?1` stay: they are the Booleans of
    /// RFC 9651 §3.3.6.
    static func withoutQueries(_ value: String, of name: String) -> String {
        var value = value
        let shown = value.withUTF8 { bytes -> [UInt8]? in
            let raw = UnsafeRawBufferPointer(bytes)
            guard raw.firstOffset(of: 0x3F) != nil || raw.firstOffset(of: 0x23) != nil else { return nil }
            return urlFields.contains(name.lowercased())
                ? Array(bytes.prefix { $0 != 0x3F && $0 != 0x23 }) : withoutQueries(bytes)
        }
        return shown.map { String(decoding: $0, as: UTF8.self) } ?? value
    }

    private static func withoutQueries(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var position = 0
        // In angle brackets, as in `Link` (RFC 8288 §3), a URL ends only at the closing bracket.
        var isBracketed = false
        while position < bytes.count {
            let byte = bytes[position]
            if byte == 0x3C { isBracketed = true }
            if byte == 0x3E { isBracketed = false }
            if beginsQuery(bytes, position) {
                while position < bytes.count, !endsURL(bytes[position], isBracketed) { position += 1 }
                continue
            }
            result.append(byte)
            position += 1
        }
        return result
    }

    private static func beginsQuery(_ bytes: UnsafeBufferPointer<UInt8>, _ position: Int) -> Bool {
        let next = position + 1 < bytes.count ? bytes[position + 1] : nil
        switch bytes[position] {
        case 0x3F:
            guard next == 0x30 || next == 0x31 else { return true }
            return position + 2 < bytes.count && !" \t;,)".utf8.contains(bytes[position + 2])
        // "#1" alone is a number.
        case 0x23: return position > 0 && !bytes[position - 1].isHTTPWhitespace
        default: return false
        }
    }

    private static func endsURL(_ byte: UInt8, _ isBracketed: Bool) -> Bool {
        isBracketed ? byte == 0x3E : byte.isHTTPWhitespace || byte == 0x22 || byte == 0x3C || byte == 0x3E
    }
}
