/// Replaces the values of secret items in URLs and forms: `?token=…`, `&password=…`.
///
/// A URL may be the value of an item of another URL, with its delimiters escaped once or several times (`%3Ftoken%3D`,
/// `%253Ftoken%253D`), a part of JSON (`\u0026token=`) or of HTML (`&amp;token=`). Each byte has the depth of its escape; a
/// value ends at a delimiter of the same or a lower depth.
struct ItemScrubber {
    /// The text that replaces a value.
    private static let placeholder = Array("%3Credacted%3E".utf8)
    /// The length of the longest name that is looked up.
    private static let longestName = 256

    /// Returns whether an item with this name is a secret.
    let isSecret: (UnsafeBufferPointer<UInt8>) -> Bool
    /// Whether an item may be at the start of the text, and of each line.
    let isForm: Bool
    /// Whether an apostrophe or a backslash ends a URL; elsewhere they are part of it.
    let isText: Bool
    /// The replacement of a value.
    var replacement = SecretReplacement.placeholder

    /// Returns the text with the values replaced; `nil` if it contains no secret.
    func scrubbed(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        let raw = UnsafeRawBufferPointer(bytes)
        guard [0x3D, 0x25, 0x5C].contains(where: { raw.firstOffset(of: $0) != nil }) else { return nil }
        var result = ScrubbedText(bytes)
        var name: [UInt8] = []
        name.reserveCapacity(Self.longestName)
        var position = 0
        var mayBegin = isForm
        while position < bytes.count {
            if mayBegin, let value = valueOfSecretItem(bytes, position, &name) {
                position = value.start
                while position < bytes.count {
                    let next = Self.character(bytes, position)
                    if endsValue(next, value.depth) { break }
                    position += next.length
                }
                mayBegin = false
                // A quoted value belongs to no URL.
                guard position > value.start else { continue }
                let secret = value.start..<position
                result.replace(secret, with: replacement.text(for: bytes[secret], or: Self.placeholder))
                continue
            }
            mayBegin = false
            position = Self.nextDelimiter(bytes, position, isForm)
            guard position < bytes.count else { break }
            let next = Self.character(bytes, position)
            mayBegin = Self.beginsItem(next, isForm)
            position += next.length
        }
        return result.finish()
    }

    /// A character, its length in bytes, and how many times it is escaped as a part of a URL.
    private typealias Character = (byte: UInt8, length: Int, depth: Int)

    /// Returns the position of the next byte that may start an item.
    private static func nextDelimiter(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ isForm: Bool) -> Int {
        var position = start
        while position < bytes.count {
            switch bytes[position] {
            case 0x23, 0x25, 0x26, 0x3B, 0x3F, 0x5C: return position
            case 0x0A, 0x0D: if isForm { return position }
            default: break
            }
            position += 1
        }
        return position
    }

    private static func beginsItem(_ next: Character, _ isForm: Bool) -> Bool {
        switch next.byte {
        // A semicolon separates items too, and ends the "&amp;" of HTML.
        case 0x23, 0x26, 0x3B, 0x3F: true
        case 0x0A, 0x0D: isForm && next.depth == 0
        default: false
        }
    }

    /// Returns the position of an item's value and the depth of its equals sign, if the item's name is that of a secret.
    private func valueOfSecretItem(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ start: Int,
        _ name: inout [UInt8]
    ) -> (start: Int, depth: Int)? {
        var position = start
        // Most names have nothing to decode.
        while position < bytes.count, Self.isPlain(bytes[position]) { position += 1 }
        guard position < bytes.count else { return nil }
        let plain = UnsafeBufferPointer(rebasing: bytes[start..<position])
        if bytes[position] == 0x3D { return isSecret(plain) ? (position + 1, 0) : nil }
        name.removeAll(keepingCapacity: true)
        name += plain.prefix(Self.longestName)
        while position < bytes.count, name.count < Self.longestName {
            let next = Self.character(bytes, position)
            position += next.length
            switch next.byte {
            case 0x3D: return name.withUnsafeBufferPointer(isSecret) ? (position, next.depth) : nil
            // The loop looks at the following bytes when it reaches them.
            case 0x23, 0x26, 0x3B, 0x3F: return nil
            case 0x2B: name.append(0x20)
            default:
                if next.depth == 0, endsValue(next, 0) { return nil }
                name.append(next.byte)
            }
        }
        return nil
    }

    /// Whether a byte of a name needs no decoding.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E, 0x80...: true
        default: false
        }
    }

    /// Whether a character ends a value at a depth: `&`, `#`, bytes that no URL contains, and in text the end of a URL.
    private func endsValue(_ next: Character, _ depth: Int) -> Bool {
        switch next.byte {
        case 0x26, 0x23: next.depth <= depth
        case 0x22, 0x3C, 0x3E, 0...0x20: next.depth == 0
        case 0x27, 0x5C: isText && next.depth == 0
        default: false
        }
    }

    /// Returns the character at a position: JSON may escape `/`, `&` and `=`, and a URL all characters.
    private static func character(_ bytes: UnsafeBufferPointer<UInt8>, _ position: Int) -> Character {
        let byte = bytes[position]
        if byte == 0x25 { return escaped(bytes, position) }
        guard byte == 0x5C, position + 1 < bytes.count else { return (byte, 1, 0) }
        if bytes[position + 1] == 0x2F { return (0x2F, 2, 0) }
        guard position + 5 < bytes.count, bytes[position + 1] == 0x75, bytes[position + 2] == 0x30,
            bytes[position + 3] == 0x30, let high = digit(bytes[position + 4]), let low = digit(bytes[position + 5])
        else { return (0x5C, 1, 0) }
        return (high << 4 | low, 6, 0)
    }

    /// Returns the character of an escape (RFC 3986 §2.1), whose percent sign may be escaped in turn.
    private static func escaped(_ bytes: UnsafeBufferPointer<UInt8>, _ position: Int) -> Character {
        var index = position + 1
        var depth = 1
        while index + 3 < bytes.count, bytes[index] == 0x32, bytes[index + 1] == 0x35,
            digit(bytes[index + 2]) != nil, digit(bytes[index + 3]) != nil
        {
            index += 2
            depth += 1
        }
        guard index + 1 < bytes.count, let high = digit(bytes[index]), let low = digit(bytes[index + 1]) else {
            return (0x25, 1, 0)
        }
        return (high << 4 | low, index + 2 - position, depth)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
