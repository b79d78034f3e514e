/// Replaces the values of secrets in elements of HTML or XML that also contain their names:
/// `<input name="csrf_token" value="…">`, `<entry key="password">…</entry>`.
///
/// The attributes may be in any order, and the element may be in a JSON string, with its quotes escaped.
struct TagScrubber: TextScrubber {
    /// Attributes that name the value.
    private static let naming: Set<String> = [
        "name", "id", "key", "type", "field", "header", "property", "itemprop", "autocomplete",
    ]
    /// Attributes that name the element's content.
    private static let namingContent: Set<String> = ["name", "key"]
    private static let values: Set<String> = ["value", "content", "default"]
    /// The placeholder for an attribute, without angle brackets.
    private static let placeholder = Array("&lt;redacted&gt;".utf8)

    private let bytes: UnsafeBufferPointer<UInt8>
    private let replacement: SecretReplacement
    private let isSecret: (UnsafeBufferPointer<UInt8>) -> Bool
    private var result: ScrubbedText

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
        while let offset = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[position...]).firstOffset(
            of: 0x3C
        ) {
            position += offset + 1
            guard position < bytes.count, (0x61...0x7A).contains(bytes[position] | 0x20) else { continue }
            let end = readTag(position)
            // An attribute that is never closed hides nothing that follows.
            position = max(position, end)
        }
        return result.finish()
    }

    /// Reads a tag from its name on, replaces the value, and returns the position after the tag.
    private mutating func readTag(_ start: Int) -> Int {
        var index = skip(start) { !Self.isBlank($0) && $0 != 0x3E && $0 != 0x2F }
        var value: Range<Int>?
        var (isNamed, isContentNamed) = (false, false)
        while index < bytes.count, bytes[index] != 0x3E, bytes[index] != 0x3C {
            let nameStart = index
            index = skip(index) { !Self.isBlank($0) && $0 != 0x3E && $0 != 0x3D && $0 != 0x3C }
            let name = nameStart..<index
            let sign = skip(index, while: Self.isBlank)
            guard sign < bytes.count, bytes[sign] == 0x3D else {
                index = max(sign, nameStart + 1)
                continue
            }
            let text = attributeValue(skip(sign + 1, while: Self.isBlank), &index)
            guard 2...12 ~= name.count else { continue }
            let key = String(decoding: bytes[name], as: UTF8.self).lowercased()
            if Self.naming.contains(key), isSecret(UnsafeBufferPointer(rebasing: bytes[text])) {
                isNamed = true
                isContentNamed = isContentNamed || Self.namingContent.contains(key)
            } else if value == nil, Self.values.contains(key) {
                value = text
            }
        }
        let isClosed = index > start && bytes[index - 1] == 0x2F
        if index < bytes.count, bytes[index] == 0x3E { index += 1 }
        guard isNamed else { return index }
        if let value {
            replace(value)
        } else if isContentNamed, !isClosed {
            let end = skip(index) { $0 != 0x3C }
            replace(index..<end)
            return end
        }
        return index
    }

    /// Returns the value of an attribute, and sets the position after it.
    private func attributeValue(_ start: Int, _ end: inout Int) -> Range<Int> {
        let quote = skip(start) { $0 == 0x5C }
        guard quote < bytes.count, bytes[quote] == 0x22 || bytes[quote] == 0x27 else {
            end = skip(start) { !Self.isBlank($0) && $0 != 0x3E }
            return start..<end
        }
        let slashes = quote - start
        var index = quote + 1
        while index < bytes.count {
            if bytes[index] == bytes[quote] {
                let content = bytes[(quote + 1)..<index]
                if slashes == 0
                    || content.reversed().prefix(slashes).allSatisfy({ $0 == 0x5C }) && content.count >= slashes
                {
                    end = index + 1
                    return quote + 1..<index - slashes
                }
            }
            index += 1
        }
        end = bytes.count
        return quote + 1..<bytes.count
    }

    private mutating func replace(_ value: Range<Int>) {
        let secret = UnsafeBufferPointer(rebasing: bytes[value])
        guard value.lowerBound >= result.copied, !secret.allSatisfy(Self.isBlank),
            !SecretReplacement.isPlaceholder(secret)
        else { return }
        result.replace(value, with: replacement.text(for: secret, or: Self.placeholder))
    }

    private func skip(_ start: Int, while isPassed: (UInt8) -> Bool) -> Int {
        var index = start
        while index < bytes.count, isPassed(bytes[index]) { index += 1 }
        return index
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D, 0x0C: true
        default: false
        }
    }
}
