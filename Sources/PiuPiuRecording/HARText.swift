import PiuPiuAsync

/// Repairs JSON that a tool wrote from text that is not Unicode.
///
/// A page can contain half of a surrogate pair. A browser writes it as `\ud800`, which most readers of JSON reject (RFC 8259
/// §8.2). One such body must not make the whole recording unreadable.
enum HARText {
    /// Returns JSON with U+FFFD in place of half surrogate pairs and bytes that are not UTF-8; `nil` if there is nothing to
    /// repair.
    static func repaired(_ data: Data) -> Data? {
        let escaped = withoutHalves(data)
        let text = escaped ?? data
        guard String(validating: text, as: UTF8.self) == nil else { return escaped }
        return Data(String(decoding: text, as: UTF8.self).utf8)
    }

    private static func withoutHalves(_ data: Data) -> Data? {
        data.withUnsafeBytes { bytes -> Data? in
            var result = Data()
            // The position from which nothing has been copied yet.
            var copied = 0
            var position = 0
            while position + 1 < bytes.count {
                guard bytes[position] == 0x5C else {
                    position += 1
                    continue
                }
                guard let unit = unit(bytes, at: position), UTF16.isSurrogate(unit) else {
                    // The character after a backslash does not begin another escape.
                    position += 2
                    continue
                }
                let next = Self.unit(bytes, at: position + 6)
                if UTF16.isLeadSurrogate(unit), let next, UTF16.isTrailSurrogate(next) {
                    position += 12
                    continue
                }
                result += bytes[copied..<position]
                result += "\\ufffd".utf8
                position += 6
                copied = position
            }
            guard copied > 0 else { return nil }
            result += bytes[copied...]
            return result
        }
    }

    /// The code unit of an escape; `nil` if there is none.
    private static func unit(_ bytes: UnsafeRawBufferPointer, at start: Int) -> UInt16? {
        guard start + 6 <= bytes.count, bytes[start] == 0x5C, bytes[start + 1] == 0x75 else { return nil }
        var unit: UInt16 = 0
        for byte in bytes[(start + 2)..<(start + 6)] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
