/// Makes the bytes of a body safe for a terminal, piece by piece: a pure value.
///
/// Control characters other than line ends and tabs become `�`, also those beyond ASCII (U+0080 to U+009F), and so do the
/// characters that reverse the direction of text or cannot be seen. A carriage return before a line feed is left out, and so
/// is a byte order mark at the start. Other bytes that are no UTF-8 stay as they are.
struct TerminalFilter {
    private static let replacement = Array("\u{FFFD}".utf8)
    /// The bytes that what follows decides about: a carriage return, or the beginning of a character.
    private var pending: [UInt8] = []
    private var isAtStart = true

    /// Filters a piece.
    ///
    /// - Parameter bytes: The bytes.
    /// - Returns: Those that may be written.
    mutating func filter(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        for byte in bytes { take(byte, &result) }
        return result
    }

    /// Ends the body.
    ///
    /// - Returns: What is left to write.
    mutating func finish() -> [UInt8] {
        var result: [UInt8] = []
        endPending(&result)
        return result
    }

    private mutating func take(_ byte: UInt8, _ result: inout [UInt8]) {
        if let first = pending.first {
            if first == 0x0D {
                if byte == 0x0A { pending = [] } else { endPending(&result) }
            } else if 0x80...0xBF ~= byte {
                pending.append(byte)
                if pending.count == Self.length(first) { endCharacter(&result) }
                return
            } else {
                endPending(&result)
            }
        }
        switch byte {
        case 0x0D, 0xC2...0xF4: pending = [byte]
        case 0x09, 0x0A: append(byte, &result)
        // Terminals that do not read UTF-8 obey the last of these.
        case 0..<0x20, 0x7F, 0x80...0x9F: result += Self.replacement
        default: append(byte, &result)
        }
    }

    private mutating func append(_ byte: UInt8, _ result: inout [UInt8]) {
        isAtStart = false
        result.append(byte)
    }

    /// Writes a character of several bytes.
    private mutating func endCharacter(_ result: inout [UInt8]) {
        guard let scalar = String(validating: pending, as: UTF8.self)?.unicodeScalars.first else {
            return endPending(&result)
        }
        defer { (pending, isAtStart) = ([], false) }
        if isAtStart, scalar == "\u{FEFF}" { return }
        result += SafeText.isHarmfulInBody(scalar) ? Self.replacement : pending
    }

    /// Writes what did not become a character.
    private mutating func endPending(_ result: inout [UInt8]) {
        for byte in pending {
            if byte == 0x0D || 0x80...0x9F ~= byte { result += Self.replacement } else { result.append(byte) }
        }
        pending = []
    }

    /// How many bytes a character has that begins with this one.
    private static func length(_ first: UInt8) -> Int { first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4 }
}
