/// Percent-encoding of text as UTF-8 (RFC 3986 §2.1).
package enum PercentEncoding {
    /// Appends a text, and encodes every byte for which `isKept` is `false`.
    static func append(_ text: some StringProtocol, to bytes: inout [UInt8], keeping isKept: (UInt8) -> Bool) {
        for byte in text.utf8 {
            if isKept(byte) { bytes.append(byte) } else { append(byte, to: &bytes) }
        }
    }

    /// Appends a name or a value in the format of a form: a space as `+` (WHATWG URL §5.2).
    package static func appendToForm(_ text: String, to bytes: inout [UInt8]) {
        for (index, part) in text.utf8.split(separator: 0x20, omittingEmptySubsequences: false).enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: "+")) }
            append(Substring(part), to: &bytes, keeping: \.isKeptInForm)
        }
    }

    /// Appends an encoded byte.
    static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
    }

    /// Returns the bytes of a text with its escapes decoded; a `%` that does not begin an escape stays.
    package static func decoded(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = value(of: rest.prefix(2)) {
                result.append(value)
                rest = rest.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return result
    }

    /// Returns the value of two hexadecimal digits; `nil` for anything else.
    static func value(of digits: some Collection<UInt8>) -> UInt8? {
        guard digits.count == 2 else { return nil }
        var value: UInt8 = 0
        for digit in digits {
            switch digit.asciiLowercased {
            case let byte where (0x30...0x39).contains(byte): value = value << 4 | (byte - 0x30)
            case let byte where (0x61...0x66).contains(byte): value = value << 4 | (byte - 0x61 + 10)
            default: return nil
            }
        }
        return value
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x41 + value - 10
    }
}

extension UInt8 {
    /// Whether the byte is an unreserved character of a URI (RFC 3986 §2.3).
    var isUnreserved: Bool { isASCIILetterOrDigit || "-._~".utf8.contains(self) }

    /// Whether the `application/x-www-form-urlencoded` serializer keeps the byte.
    var isKeptInForm: Bool { isASCIILetterOrDigit || "*-._".utf8.contains(self) }

    /// Whether the byte may be in a path, apart from `/` and `%` (RFC 3986 §3.3, `pchar`).
    var isPathCharacter: Bool { isUnreserved || "!$&'()*+,;=:@".utf8.contains(self) }

    /// Whether the byte may be in a query, apart from `%` (RFC 3986 §3.4).
    var isQueryCharacter: Bool { isPathCharacter || self == UInt8(ascii: "/") || self == UInt8(ascii: "?") }

    private var isASCIILetterOrDigit: Bool {
        (0x61...0x7A).contains(asciiLowercased) || (0x30...0x39).contains(self)
    }
}
