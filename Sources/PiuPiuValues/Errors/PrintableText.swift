/// Makes text from the network safe to print.
///
/// The names in a certificate can contain anything: line ends, escape sequences of terminals, marks that reverse the direction
/// of text, and megabytes.
package enum PrintableText {
    /// The number of characters of a name to show.
    package static let usualLimit = 100

    /// Escapes a text.
    ///
    /// Letters and digits of any script and the printable ASCII characters stay. Every other scalar becomes `\u{…}`, and a
    /// backslash becomes two, so that no other text has the same result. After a number of characters, the text is truncated,
    /// with an ellipsis.
    package static func escape(_ text: some StringProtocol, limit: Int = usualLimit) -> String {
        // Most texts are short and plain.
        if text.utf8.count <= limit, text.utf8.allSatisfy(isPlain) { return String(text) }
        var result: [UInt8] = []
        var copy = String(text)
        let isCut = copy.withUTF8 { append($0, to: &result, limit: limit) }
        return String(decoding: result, as: UTF8.self) + (isCut ? "…" : "")
    }

    /// Appends a UTF-8 text, escaped; returns whether it was truncated at the limit.
    @discardableResult
    static func append(_ text: UnsafeBufferPointer<UInt8>, to result: inout [UInt8], limit: Int = .max) -> Bool {
        var count = 0
        var position = 0
        // The start of the bytes that are not copied yet.
        var copied = 0
        while position < text.count {
            let (scalar, length) = scalar(at: position, in: text)
            let escape = isPlain(text[position]) || isLetter(scalar) ? nil : Escape(scalar)
            count += escape?.count ?? 1
            if escape != nil || count > limit {
                result += text[copied..<position]
                copied = position + length
            }
            guard count <= limit else { return true }
            escape?.append(to: &result)
            position += length
        }
        result += text[copied...]
        return false
    }

    /// The replacement of a scalar: two backslashes, or `\u{…}`.
    private struct Escape {
        private let value: UInt32
        private let digits: Int

        init(_ scalar: UInt32) {
            value = scalar
            digits = max(1, (35 - scalar.leadingZeroBitCount) / 4)
        }

        var count: Int { value == 0x5C ? 2 : digits + 4 }

        func append(to result: inout [UInt8]) {
            guard value != 0x5C else { return result += [0x5C, 0x5C] }
            result += [0x5C, 0x75, 0x7B]
            for digit in stride(from: UInt32(digits * 4), to: 0, by: -4) {
                let value = UInt8(value >> (digit - 4) & 0xF)
                result.append(value < 10 ? 0x30 + value : 0x57 + value)
            }
            result.append(0x7D)
        }
    }

    /// Decodes a scalar of valid UTF-8 (RFC 3629 §3).
    private static func scalar(at position: Int, in text: UnsafeBufferPointer<UInt8>) -> (value: UInt32, length: Int) {
        let first = UInt32(text[position])
        guard first >= 0x80 else { return (first, 1) }
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        var value = first & (0x7F >> UInt32(length))
        for byte in text[(position + 1)..<min(position + length, text.count)] {
            value = value << 6 | UInt32(byte & 0x3F)
        }
        return (value, min(length, text.count - position))
    }

    /// Whether a text needs no escapes.
    static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        // No early exit, so that the compiler can vectorize the loop.
        text.reduce(0) { $0 | ($1 &- 0x20 > 0x5E ? 1 : 0) | ($1 == 0x5C ? 1 : 0) } == 0
    }

    /// Whether a byte is a printable ASCII character other than the backslash.
    private static func isPlain(_ byte: UInt8) -> Bool { 0x20...0x7E ~= byte && byte != 0x5C }

    private static func isLetter(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0..<0x80: return false
        case 0x80..<0x800: return smallLetters[Int(scalar)]
        // Ideographs and Hangul syllables.
        case 0x4E00...0x9FFF, 0xAC00...0xD7A3: return true
        default: return Unicode.Scalar(scalar).map(hasLetterCategory) ?? false
        }
    }

    /// The two-byte letters, because looking up the category of a scalar takes as long as a hundred bytes.
    private static let smallLetters = (0..<UInt32(0x800)).map { Unicode.Scalar($0).map(hasLetterCategory) ?? false }

    private static func hasLetterCategory(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .decimalNumber: true
        default: false
        }
    }
}
