/// Replaces the values of secrets that follow their names in plain text, source code and JSON strings:
/// `Authorization: Bearer …`, `password=…`, `login(pin: 1234)`, `'token' => '…'`, `<user password="…"/>`.
///
/// A quoted value ends at its closing quote. An unquoted one is a word, or the rest of the line if the name starts the line or
/// is that of a header field.
struct PairScrubber: TextScrubber {
    /// The length of the longest name in bytes.
    private static let longestName = 128
    private static let placeholder = Array(Redaction.placeholder.utf8)
    /// Names of header fields whose value has several words.
    private static let lineNames = NameSet(["authorization", "cookie"])
    /// Words in place of a value, or of its type.
    private static let words = ["true", "false", "null", "nil", "none", "undefined", "string", "str", "string!"].map {
        Array($0.utf8)
    }

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
        while position < bytes.count {
            guard bytes[position] == 0x3A || bytes[position] == 0x3D else {
                position += 1
                continue
            }
            let separator = position
            position += 1
            guard let name = name(before: separator), isSecretName(name), let value = value(after: separator, name),
                !value.isEmpty, !isShown(value)
            else { continue }
            result.replace(value, with: replacement.text(for: bytes[value], or: Self.placeholder))
            position = value.upperBound
        }
        return result.finish()
    }

    // MARK: Names

    /// Returns the name before a separator; `nil` if there is none, or if it is a JSON name.
    private func name(before separator: Int) -> Range<Int>? {
        let lowest = max(result.copied, separator - Self.longestName)
        var end = separator
        func drop(while isDropped: (UInt8) -> Bool) {
            while end > lowest, isDropped(bytes[end - 1]) { end -= 1 }
        }
        drop(while: Self.isBlank)
        // "$_POST['password'] ="
        if end > lowest, bytes[end - 1] == 0x5D { end -= 1 }
        if end > lowest, Self.isQuote(bytes[end - 1]) {
            if bytes[end - 1] == 0x22, bytes[separator] == 0x3A { return nil }
            end -= 1
            drop { $0 == 0x5C }
        }
        var start = end
        while start > lowest, Self.isInName(bytes[start - 1]) { start -= 1 }
        // A variable of GraphQL has a type.
        if start > 0, bytes[start - 1] == 0x24, bytes[separator] == 0x3A { return nil }
        if isEscapedBreak(start) { start += 1 }
        return start < end ? start..<end : nil
    }

    private func isSecretName(_ name: Range<Int>) -> Bool {
        let text = UnsafeBufferPointer(rebasing: bytes[name])
        guard UnsafeRawBufferPointer(text).firstOffset(of: 0x25) != nil else { return isSecret(text) }
        return PercentEncoding.decoded(text).withUnsafeBufferPointer(isSecret)
    }

    /// Whether a letter belongs to an escaped line break or tab (RFC 8259 §7).
    private func isEscapedBreak(_ index: Int) -> Bool {
        guard index < bytes.count, [0x6E, 0x72, 0x74].contains(bytes[index]) else { return false }
        var first = index
        while first > 0, index - first < 16, bytes[first - 1] == 0x5C { first -= 1 }
        return (index - first) % 2 == 1
    }

    /// Whether only list or quotation marks are between a name and the start of its line or string.
    private func isAtStartOfLine(_ name: Int) -> Bool {
        var index = name
        while index > 0, name - index < 16 {
            let byte = bytes[index - 1]
            if byte == 0x0A || byte == 0x0D || Self.isQuote(byte) || isEscapedBreak(index - 1) { return true }
            guard Self.isBlank(byte) || [0x2D, 0x3E, 0x3C, 0x2A, 0x23, 0x7C].contains(byte) else { return false }
            index -= 1
        }
        return index == 0
    }

    // MARK: Values

    /// Returns the value after a separator; `nil` if there is none that could be a secret.
    private func value(after separator: Int, _ name: Range<Int>) -> Range<Int>? {
        let isEqualsSign = bytes[separator] == 0x3D
        if isEqualsSign, separator > 0, "!<>=+*/|&^?:~".utf8.contains(bytes[separator - 1]) { return nil }
        var start = separator + 1
        var isArrow = false
        switch start < bytes.count ? bytes[start] : 0 {
        case 0x3D where isEqualsSign, 0x7E where isEqualsSign, 0x3A where !isEqualsSign, 0x2F where !isEqualsSign:
            return nil
        case 0x3D: start += 1
        case 0x3E where isEqualsSign:
            isArrow = true
            start += 1
        default: break
        }
        let isTight = start < bytes.count && !Self.isBlank(bytes[start])
        while start < bytes.count, Self.isBlank(bytes[start]) { start += 1 }
        var quote = start
        while quote < bytes.count, bytes[quote] == 0x5C { quote += 1 }
        if quote < bytes.count, Self.isQuote(bytes[quote]) { return quoted(quote, slashes: quote - start) }
        guard !isArrow, start < bytes.count else { return nil }
        switch bytes[start] {
        case 0x0A, 0x0D, 0x28, 0x29, 0x2C, 0x3B, 0x3C, 0x5B, 0x5D, 0x7B, 0x7D: return nil
        case 0x5C where isEscapedBreak(start + 1): return nil
        case 0x24 where !isEqualsSign:
            // A variable of GraphQL.
            let end = bytes[(start + 1)...].firstIndex { !Self.isInName($0) } ?? bytes.count
            if isSecret(UnsafeBufferPointer(rebasing: bytes[(start + 1)..<end])) { return nil }
        default: break
        }
        let isLine =
            Self.lineNames.contains(UnsafeBufferPointer(rebasing: bytes[name]))
            || !(isEqualsSign && isTight) && isAtStartOfLine(name.lowerBound)
        guard !isPlaceholder(at: start) else { return nil }
        return start..<endOfBare(start, isLine: isLine)
    }

    /// Returns the range between quotes; a quote inside has more backslashes.
    private func quoted(_ quote: Int, slashes: Int) -> Range<Int> {
        var start = quote + 1
        // A string with several lines.
        let isTriple =
            slashes == 0 && start + 1 < bytes.count && bytes[start] == bytes[quote] && bytes[start + 1] == bytes[quote]
        if isTriple { start += 2 }
        guard !isPlaceholder(at: start) else { return start..<start }
        var index = start
        while index < bytes.count {
            if !isTriple, bytes[index] == 0x0A || bytes[index] == 0x0D { return start..<index }
            guard bytes[index] == bytes[quote] else {
                index += 1
                continue
            }
            var first = index
            while first > start, bytes[first - 1] == 0x5C { first -= 1 }
            let count = index - first
            let isEnd = slashes == 0 ? count % 2 == 0 : count % (2 * slashes + 2) == slashes
            let isTripled = !isTriple || bytes[index...].prefix(3).allSatisfy { $0 == bytes[quote] }
            if isEnd, isTripled { return start..<index - slashes }
            // The enclosing string ends.
            if slashes > 0, count < slashes { return start..<first }
            index += 1
        }
        return start..<bytes.count
    }

    private func endOfBare(_ start: Int, isLine: Bool) -> Int {
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case 0x0A, 0x0D: return index
            case 0x20, 0x09, 0x26: if !isLine { return index }
            case 0x3C: if index + 1 < bytes.count, bytes[index + 1] == 0x2F { return index }
            case 0x29, 0x2C, 0x3B, 0x5D, 0x7D: if !isLine, isClosed(index + 1) { return index }
            case 0x22, 0x27, 0x60: if isClosed(index + 1) { return index }
            case 0x5C:
                let end = bytes[index...].firstIndex { $0 != 0x5C } ?? bytes.count
                if end < bytes.count, isEscapedBreak(end) { return index }
                if end < bytes.count, Self.isQuote(bytes[end]), isClosed(end + 1) { return index }
                index = end
                continue
            default: break
            }
            index += 1
        }
        return bytes.count
    }

    /// Whether no more of a word follows, so that it ends here.
    private func isClosed(_ index: Int) -> Bool {
        guard index < bytes.count else { return true }
        switch bytes[index] {
        case 0...0x20, 0x22, 0x27, 0x29, 0x2C, 0x2E, 0x2F, 0x3A, 0x3B, 0x3C, 0x3E, 0x5C, 0x5D, 0x60, 0x7B, 0x7D:
            return true
        default: return false
        }
    }

    /// Whether a placeholder is at a position.
    ///
    /// The check comes before the search for the end of the value, because the loop continues right after the separator:
    /// otherwise it would read a line of placeholders once for each of them.
    private func isPlaceholder(at start: Int) -> Bool {
        let text = bytes[start...]
        return SecretReplacement.placeholders.contains { text.starts(with: $0.utf8) }
    }

    /// Whether a value reveals nothing.
    private func isShown(_ value: Range<Int>) -> Bool {
        let text = bytes[value]
        return Self.words.contains { $0.count == text.count && $0.elementsEqual(text) { $0 == $1.asciiLowercased } }
    }

    // MARK: Bytes

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isQuote(_ byte: UInt8) -> Bool { byte == 0x22 || byte == 0x27 || byte == 0x60 }

    private static func isInName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x25, 0x2D, 0x2E, 0x5B, 0x5D, 0x5F, 0x80...: true
        default: false
        }
    }
}
