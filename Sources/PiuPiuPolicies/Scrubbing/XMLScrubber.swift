/// Replaces the content of secret elements in text that looks like XML: `<wsse:Password Type="…">…</wsse:Password>`.
///
/// Prefixes of names are ignored. The placeholder replaces everything up to the closing tag, including elements. The search
/// works on bytes, so it also handles truncated text.
struct XMLScrubber: TextScrubber {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let replacement: SecretReplacement
    private let isSecret: (UnsafeBufferPointer<UInt8>) -> Bool
    private var result: ScrubbedText
    /// Whether a `>` in quotes does not end a tag; `false` after a quote that is never closed.
    private var hasQuotes = true

    init(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ replacement: SecretReplacement,
        _ isSecret: @escaping (UnsafeBufferPointer<UInt8>) -> Bool
    ) {
        (self.bytes, self.replacement, self.isSecret) = (bytes, replacement, isSecret)
        result = ScrubbedText(bytes)
    }

    mutating func scrubbed() -> [UInt8]? {
        var position = 0
        while let tag = next(0x3C, from: position) {
            let name = (tag + 1)..<endOfName(tag + 1)
            position = name.upperBound
            guard !name.isEmpty, isSecret(UnsafeBufferPointer(rebasing: bytes[local(name)])) else { continue }
            guard let end = endOfTag(name.upperBound) else { break }
            position = end
            // An empty element.
            guard bytes[end - 2] != 0x2F else { continue }
            position = closingTag(name, from: end)
            guard position > end else { continue }
            result.replace(end..<position, with: replacement.text(for: bytes[end..<position], or: Self.placeholder))
        }
        return result.finish()
    }

    /// The placeholder with escaped brackets.
    private static let placeholder = Array(
        Redaction.placeholder.replacing("<", with: "&lt;").replacing(">", with: "&gt;").utf8
    )

    private func next(_ byte: UInt8, from start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start...]).firstOffset(of: byte)
            .map { start + $0 }
    }

    private func endOfName(_ start: Int) -> Int {
        var index = start
        // No name is much longer than the longest on the list, and a text may consist of one name.
        while index < min(bytes.count, start + 512) {
            switch bytes[index] {
            case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x2D, 0x2E, 0x5F, 0x3A, 0x80...0xFF: index += 1
            default: return index
            }
        }
        return index
    }

    /// Returns a name without its prefix.
    private func local(_ name: Range<Int>) -> Range<Int> {
        let colon = bytes[name].lastIndex(of: 0x3A)
        return colon.map { ($0 + 1)..<name.upperBound } ?? name
    }

    /// Returns the position after a tag's end; a `>` in an attribute's value does not count.
    private mutating func endOfTag(_ start: Int) -> Int? {
        var index = hasQuotes ? start : bytes.count
        var quote: UInt8?
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch (byte, quote) {
            case (0x3E, nil): return index
            case (0x22, nil), (0x27, nil): quote = byte
            case (_, byte): quote = nil
            default: break
            }
        }
        hasQuotes = false
        return next(0x3E, from: start).map { $0 + 1 }
    }

    /// Returns the position of the tag that closes an element; the end of the text if there is none.
    private func closingTag(_ name: Range<Int>, from start: Int) -> Int {
        var position = start
        while let tag = next(0x3C, from: position) {
            position = tag + 1
            let end = tag + 2 + name.count
            guard end <= bytes.count, bytes[tag + 1] == 0x2F, bytes[(tag + 2)..<end].elementsEqual(bytes[name]) else {
                continue
            }
            if end == bytes.count || endOfName(end) == end { return tag }
        }
        return bytes.count
    }
}
