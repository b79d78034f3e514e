/// Replaces the values of secret fields in text that looks like JSON: `"password": "…"`.
package struct JSONScrubber {
    private let bytes: [UInt8]
    private let keepsShape: Bool
    private let isSecret: (String) -> Bool
    private var result: [UInt8] = []
    private var position = 0

    /// Creates a scrubber of a text.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - keepsShape: Whether only the strings and numbers in a secret value are replaced, so that each keeps its type.
    ///   - isSecret: Whether the value of a field with a name is a secret.
    package init(_ bytes: [UInt8], keepsShape: Bool, isSecret: @escaping (String) -> Bool) {
        self.bytes = bytes
        self.keepsShape = keepsShape
        self.isSecret = isSecret
    }

    /// Returns the text without secrets.
    ///
    /// - Returns: The text, unchanged if it contains no secret.
    package func scrubbed() -> [UInt8] {
        guard bytes.contains(0x22) else { return bytes }
        var copy = self
        copy.scrub()
        return copy.result
    }

    private mutating func scrub() {
        result.reserveCapacity(bytes.count)
        while position < bytes.count {
            guard bytes[position] == 0x22 else {
                copy(to: position + 1)
                continue
            }
            let end = endOfString(position)
            let colon = skippingBlanks(end)
            guard colon < bytes.count, bytes[colon] == 0x3A, isSecret(name(position, end)) else {
                copy(to: end)
                continue
            }
            copy(to: skippingBlanks(colon + 1))
            replaceValue()
        }
    }

    private mutating func replaceValue() {
        guard position < bytes.count else { return }
        switch bytes[position] {
        case 0x22, 0x7B, 0x5B, 0x2D, 0x30...0x39:
            let end = endOfValue(position)
            if keepsShape { replaceLeaves(upTo: end) } else { replace(upTo: end, by: Self.placeholder) }
        // true, false, null, and anything that is not JSON.
        default: return
        }
    }

    /// Replaces strings and numbers, but not the names of fields.
    private mutating func replaceLeaves(upTo end: Int) {
        while position < end {
            switch bytes[position] {
            case 0x22:
                let last = endOfString(position)
                let colon = skippingBlanks(last)
                let isName = colon < bytes.count && bytes[colon] == 0x3A
                if isName { copy(to: last) } else { replace(upTo: last, by: Self.placeholder) }
            case 0x2D, 0x30...0x39: replace(upTo: endOfNumber(position), by: [0x30])
            default: copy(to: position + 1)
            }
        }
    }

    private static let placeholder = Array("\"\(Redaction.placeholder)\"".utf8)

    private mutating func copy(to end: Int) {
        result += bytes[position..<min(end, bytes.count)]
        position = min(end, bytes.count)
    }

    private mutating func replace(upTo end: Int, by replacement: [UInt8]) {
        // A string without a closing quote gets none, so that truncated text still looks truncated.
        let isOpen = bytes[position] == 0x22 && bytes[position..<end].dropFirst().last != 0x22
        result += isOpen ? replacement.dropLast() : replacement[...]
        position = end
    }

    // MARK: Where things end

    /// The position after the closing quote; a string without one ends with its line.
    private func endOfString(_ start: Int) -> Int {
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

    private func endOfNumber(_ start: Int) -> Int {
        bytes[start...].firstIndex { byte in
            switch byte {
            case 0x30...0x39, 0x2B, 0x2D, 0x2E, 0x45, 0x65: false
            default: true
            }
        } ?? bytes.count
    }

    private func endOfValue(_ start: Int) -> Int {
        switch bytes[start] {
        case 0x22: return endOfString(start)
        case 0x7B, 0x5B: break
        default: return endOfNumber(start)
        }
        var depth = 0
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case 0x22:
                index = endOfString(index)
                continue
            case 0x7B, 0x5B: depth += 1
            case 0x7D, 0x5D:
                depth -= 1
                if depth == 0 { return index + 1 }
            default: break
            }
            index += 1
        }
        return bytes.count
    }

    private func skippingBlanks(_ start: Int) -> Int {
        guard start < bytes.count else { return bytes.count }
        return bytes[start...].firstIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? bytes.count
    }

    /// The name of a field, unescaped and without byte order marks, some of which Foundation drops, too.
    private func name(_ start: Int, _ end: Int) -> String {
        let quoted = bytes[start..<end]
        let text =
            quoted.contains(0x5C)
            ? try? JSONDecoder().decode(String.self, from: Data(quoted)) : nil
        let name = text ?? String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
        return String(name.unicodeScalars.filter { $0 != "\u{FEFF}" })
    }
}
