/// Replaces the values of secret fields in text that looks like JSON: `"password": "…"`.
///
/// An object with the name and the value in two fields, as in lists of header fields, counts as well:
/// `{"name": "Set-Cookie", "value": "…"}`. So does JSON in a string of JSON, up to three strings deep, as queues and
/// webhooks wrap it: `{"body": "{\"password\": \"…\"}"}`.
package struct JSONScrubber {
    private let bytes: [UInt8]
    private let keepsShape: Bool
    private let isSecret: (String) -> Bool

    /// Creates a scrubber of a text.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - keepsShape: Whether only the strings and numbers in a secret value are replaced, so that each keeps its type.
    ///   - isSecret: Returns whether the value of a field with this name is a secret.
    package init(_ bytes: [UInt8], keepsShape: Bool, isSecret: @escaping (String) -> Bool) {
        self.bytes = bytes
        self.keepsShape = keepsShape
        self.isSecret = isSecret
    }

    /// Returns the text without secrets, unchanged if it contains none.
    package func scrubbed() -> [UInt8] {
        bytes.withUnsafeBufferPointer { bytes in
            Self.scrubbed(bytes, keepsShape: keepsShape) { name in
                isSecret(String(String(decoding: name, as: UTF8.self).unicodeScalars.filter { $0 != "\u{FEFF}" }))
            }
        } ?? bytes
    }

    /// Replaces the secrets in a text.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - keepsShape: Whether each value keeps its type.
    ///   - replacement: The replacement of a secret; for a number, the placeholder is 0.
    ///   - isSecret: Returns whether the value of a field with this name, in UTF-8, is a secret.
    /// - Returns: The text; `nil` if it contains no secret.
    static func scrubbed(
        _ bytes: UnsafeBufferPointer<UInt8>,
        keepsShape: Bool,
        _ replacement: SecretReplacement = .placeholder,
        isSecretName isSecret: (UnsafeBufferPointer<UInt8>) -> Bool
    ) -> [UInt8]? {
        withoutActuallyEscaping(isSecret) { isSecret in
            func scrubbed(_ bytes: UnsafeBufferPointer<UInt8>, depth: Int) -> [UInt8]? {
                var pass = JSONScrubberPass(bytes, depth, keepsShape ? replacement : nil, isSecret)
                return pass.scrubbed()
            }
            var result = scrubbed(bytes, depth: 0)
            guard hasEscapedQuote(bytes) else { return result }
            for depth in 1...3 {
                result =
                    result.map { bytes in bytes.withUnsafeBufferPointer { scrubbed($0, depth: depth) } ?? bytes }
                    ?? scrubbed(bytes, depth: depth)
            }
            return result
        }
    }

    private static func hasEscapedQuote(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var start = 0
        while start < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start...])
            guard let offset = rest.firstOffset(of: 0x5C) else { return false }
            start += offset + 1
            if start < bytes.count, bytes[start] == 0x22 { return true }
        }
        return false
    }
}

/// One pass over a text, which handles the strings at one depth.
///
/// The quotes of a string in a string are `\"`, one level deeper `\\\"`, and so on: a quote at depth n has 2ⁿ - 1 backslashes.
private struct JSONScrubberPass {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let depth: Int
    /// The length of a quote in bytes.
    private let quoteLength: Int
    private let quote: [UInt8]
    /// The replacement of each secret; `nil` if the placeholder replaces whole values.
    private let replacement: SecretReplacement?
    private let isSecret: (UnsafeBufferPointer<UInt8>) -> Bool
    private var result: ScrubbedText
    private var position = 0
    private var unescaped: [UInt8] = []
    /// Whether the last field whose value is a name contained the name of a secret.
    private var isValueSecret = false

    init(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ depth: Int,
        _ replacement: SecretReplacement?,
        _ isSecret: @escaping (UnsafeBufferPointer<UInt8>) -> Bool
    ) {
        self.bytes = bytes
        self.depth = depth
        quoteLength = 1 << depth
        quote = [UInt8](repeating: 0x5C, count: quoteLength - 1) + [0x22]
        self.replacement = replacement
        self.isSecret = isSecret
        result = ScrubbedText(bytes)
    }

    mutating func scrubbed() -> [UInt8]? {
        while let quote = nextQuote(position) {
            position = quote
            let end = endOfString(quote)
            let colon = skippingBlanks(end)
            guard colon < bytes.count, bytes[colon] == 0x3A else {
                position = end
                continue
            }
            let value = skippingBlanks(colon + 1)
            let isNamed = isSecretName(quote, end) || isSecretOfPair(quote, end, value)
            position = isNamed ? value : end
            if isNamed { replaceValue() }
        }
        return result.finish()
    }

    private func nextQuote(_ start: Int) -> Int? {
        var start = start
        while start < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start...])
            guard let offset = rest.firstOffset(of: 0x22) else { return nil }
            let quote = start + offset + 1 - quoteLength
            if depth == 0 || quote >= start && startsString(quote) { return quote }
            start += offset + 1
        }
        return nil
    }

    /// Whether a quote of this depth starts at an index.
    private func startsString(_ index: Int) -> Bool {
        let last = index + quoteLength - 1
        guard last < bytes.count, bytes[last] == 0x22 else { return false }
        return depth == 0 || backslashes(before: last, from: 0) == quoteLength - 1
    }

    /// Counts the backslashes in front of a quote.
    private func backslashes(before quote: Int, from start: Int) -> Int {
        var index = quote
        while index > start, bytes[index - 1] == 0x5C { index -= 1 }
        return quote - index
    }

    private mutating func replaceValue() {
        guard position < bytes.count else { return }
        switch bytes[position] {
        case 0x22 where depth > 0, 0x5C where !startsString(position): return
        case 0x22, 0x5C, 0x7B, 0x5B, 0x2D, 0x30...0x39:
            let end = endOfValue(position)
            if let replacement {
                replaceLeaves(upTo: end, replacement)
            } else {
                replace(upTo: end, by: quote + Redaction.placeholder.utf8 + quote)
            }
        // true, false, null, and anything that is not JSON.
        default: return
        }
    }

    /// Replaces strings and numbers, but not the names of fields.
    private mutating func replaceLeaves(upTo end: Int, _ replacement: SecretReplacement) {
        while position < end {
            switch bytes[position] {
            case 0x22,
                0x5C where startsString(position):
                let last = endOfString(position)
                let colon = skippingBlanks(last)
                let isName = colon < bytes.count && bytes[colon] == 0x3A
                if isName {
                    position = last
                } else {
                    let text = bytes[content(position, isOpen(position, last) ? last + quoteLength : last)]
                    let shown = text.isEmpty ? [] : replacement.text(for: text, or: Array(Redaction.placeholder.utf8))
                    replace(upTo: last, by: quote + shown + quote)
                }
            case 0x2D, 0x30...0x39:
                let end = endOfNumber(position)
                replace(upTo: end, by: replacement.number(for: bytes[position..<end]))
            default: position += 1
            }
        }
    }

    private mutating func replace(upTo end: Int, by replacement: [UInt8]) {
        // A string without a closing quote gets none, so that truncated text still looks truncated.
        let shown = isOpen(position, end) ? replacement.dropLast(quoteLength) : replacement[...]
        result.replace(position..<end, with: shown)
        position = end
    }

    private func isOpen(_ start: Int, _ end: Int) -> Bool {
        startsString(start) && bytes[start..<end].dropFirst(quoteLength).last != 0x22
    }

    // MARK: Ends

    /// Returns the position after the closing quote; a string without one ends with its line, and with the string around it.
    private func endOfString(_ start: Int) -> Int {
        guard depth == 0 else { return endOfNestedString(start) }
        var index = start + 1
        while index < bytes.count {
            switch bytes[index] {
            case 0x22: return index + 1
            case 0x0A, 0x0D: return index
            case 0x5C: index += 2
            default: index += 1
            }
        }
        return bytes.count
    }

    private func endOfNestedString(_ start: Int) -> Int {
        let content = start + quoteLength
        var index = content
        while index < bytes.count {
            switch bytes[index] {
            case 0x0A, 0x0D: return index
            case 0x22:
                // An escaped backslash has two of this depth.
                let count = backslashes(before: index, from: content) % (2 * quoteLength)
                if count == quoteLength - 1 { return index + 1 }
                if count < quoteLength - 1 { return index - count }
            default: break
            }
            index += 1
        }
        return bytes.count
    }

    private func endOfNumber(_ start: Int) -> Int {
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case 0x30...0x39, 0x2B, 0x2D, 0x2E, 0x45, 0x65: index += 1
            default: return index
            }
        }
        return index
    }

    private func endOfValue(_ start: Int) -> Int {
        switch bytes[start] {
        case 0x22, 0x5C: return endOfString(start)
        case 0x7B, 0x5B: break
        default: return endOfNumber(start)
        }
        var level = 0
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case 0x22 where depth > 0: return index
            case 0x22,
                0x5C where startsString(index):
                index = endOfString(index)
                continue
            case 0x7B, 0x5B: level += 1
            case 0x7D, 0x5D:
                level -= 1
                if level == 0 { return index + 1 }
            default: break
            }
            index += 1
        }
        return bytes.count
    }

    private func skippingBlanks(_ start: Int) -> Int {
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            case 0x5C:
                guard let end = endOfEscapedBlank(index) else { return index }
                index = end
            default: return index
            }
        }
        return bytes.count
    }

    /// Returns the end of a line break or a tab in a string, which has half as many backslashes as a quote has bytes.
    private func endOfEscapedBlank(_ start: Int) -> Int? {
        let letter = start + quoteLength / 2
        guard depth > 0, letter < bytes.count, [0x6E, 0x72, 0x74].contains(bytes[letter]),
            bytes[start..<letter].allSatisfy({ $0 == 0x5C })
        else { return nil }
        return letter + 1
    }

    // MARK: Names

    private mutating func isSecretName(_ start: Int, _ end: Int) -> Bool {
        let quoted = UnsafeBufferPointer(rebasing: bytes[content(start, end)])
        guard UnsafeRawBufferPointer(quoted).firstOffset(of: 0x5C) != nil else { return isSecret(quoted) }
        unescape(quoted)
        for _ in 0..<depth { Array(unescaped).withUnsafeBufferPointer { unescape($0) } }
        return unescaped.withUnsafeBufferPointer(isSecret)
    }

    /// Returns the range between the quotes of a string.
    private func content(_ start: Int, _ end: Int) -> Range<Int> {
        let first = min(start + quoteLength, end)
        return first..<max(first, end - quoteLength)
    }

    /// Whether a field is the second of a pair whose first field has the name of a secret as its value.
    private mutating func isSecretOfPair(_ start: Int, _ end: Int, _ value: Int) -> Bool {
        let name = bytes[content(start, end)]
        guard 3...6 ~= name.count else { return false }
        func isCalled(_ word: StaticString) -> Bool {
            name.count == word.utf8CodeUnitCount
                && word.withUTF8Buffer { zip(name, $0).allSatisfy { $0.asciiLowercased == $1 } }
        }
        if isCalled("name") || isCalled("key") || isCalled("header") || isCalled("field") {
            isValueSecret = startsString(value) && isSecretName(value, endOfString(value))
            return false
        }
        return isValueSecret && (isCalled("value") || isCalled("values"))
    }

    /// Decodes the escapes of a string (RFC 8259 §7).
    private mutating func unescape(_ quoted: UnsafeBufferPointer<UInt8>) {
        unescaped.removeAll(keepingCapacity: true)
        var index = 0
        while index < quoted.count {
            let byte = quoted[index]
            index += 1
            guard byte == 0x5C, index < quoted.count else {
                unescaped.append(byte)
                continue
            }
            index += 1
            switch quoted[index - 1] {
            case 0x62: unescaped.append(0x08)
            case 0x66: unescaped.append(0x0C)
            case 0x6E: unescaped.append(0x0A)
            case 0x72: unescaped.append(0x0D)
            case 0x74: unescaped.append(0x09)
            case 0x75:
                guard let unit = Self.unit(quoted, at: index) else { break }
                index += 4
                var scalar = Unicode.Scalar(UInt32(unit))
                if UTF16.isLeadSurrogate(unit), index + 1 < quoted.count, quoted[index] == 0x5C,
                    quoted[index + 1] == 0x75, let trail = Self.unit(quoted, at: index + 2),
                    UTF16.isTrailSurrogate(trail)
                {
                    index += 6
                    scalar = Unicode.Scalar((UInt32(unit) - 0xD800) << 10 + UInt32(trail) - 0xDC00 + 0x10000)
                }
                unescaped += UTF8.encode(scalar ?? "\u{FFFD}").map { Array($0) } ?? []
            case let other: unescaped.append(other)
            }
        }
    }

    private static func unit(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> UInt16? {
        guard start + 4 <= bytes.count else { return nil }
        var unit: UInt16 = 0
        for byte in bytes[start..<(start + 4)] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
