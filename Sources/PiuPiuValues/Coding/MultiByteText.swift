/// A text in one of the East Asian encodings, decoded according to the Encoding Standard (§10–§13).
///
/// This includes the use of U+FFFD, so that an invalid character never hides the ASCII character after it.
struct MultiByteText {
    enum Scheme: Hashable {
        /// Also used for GBK.
        case gb18030
        case big5
        case eucJP
        case iso2022JP
        case shiftJIS
        case eucKR

        /// Whether the platform has the standard's characters.
        var isOffered: Bool { index != nil && (self != .eucJP || TextIndex.jis0212 != nil) }

        fileprivate var index: [UInt32]? {
            switch self {
            case .gb18030: TextIndex.gb18030
            case .big5: TextIndex.big5
            case .eucJP, .iso2022JP, .shiftJIS: TextIndex.jis0208
            case .eucKR: TextIndex.eucKR
            }
        }

        fileprivate var grid: TextIndex.Grid {
            switch self {
            case .gb18030: .gb18030
            case .big5: .big5
            case .eucJP: .eucJP
            case .iso2022JP: .iso2022
            case .shiftJIS: .shiftJIS
            case .eucKR: .eucKR
            }
        }
    }

    /// The character at a position, or `nil` if there is none, and the number of its bytes.
    private typealias Step = (character: UInt32?, length: Int)

    /// The character sets that ISO-2022-JP switches between.
    private enum CharacterSet { case ascii, roman, katakana, jis0208 }

    private let scheme: Scheme
    private let grid: TextIndex.Grid
    private let index: [UInt32]
    private let bytes: [UInt8]
    private var place = 0
    private var set = CharacterSet.ascii
    /// Whether no character has followed the last switch.
    private var hasSwitched = false

    /// Decodes a text; `nil` if a part is invalid and not repaired, or if the encoding is not offered.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - scheme: The encoding.
    ///   - isRepaired: Whether invalid parts become U+FFFD.
    /// - Returns: The text.
    static func text(of data: Data, _ scheme: Scheme, isRepaired: Bool) -> String? {
        guard scheme.isOffered, let index = scheme.index else { return nil }
        var reader = MultiByteText(scheme: scheme, grid: scheme.grid, index: index, bytes: Array(data))
        return reader.text(isRepaired: isRepaired)
    }

    private init(scheme: Scheme, grid: TextIndex.Grid, index: [UInt32], bytes: [UInt8]) {
        self.scheme = scheme
        self.grid = grid
        self.index = index
        self.bytes = bytes
    }

    private mutating func text(isRepaired: Bool) -> String? {
        var text = String.UnicodeScalarView()
        func append(_ value: UInt32) { if let scalar = Unicode.Scalar(value) { text.append(scalar) } }
        while let first = byte(0) {
            if scheme == .iso2022JP, switchesSet() { continue }
            let step = scheme == .iso2022JP ? stepInSet(first) : step(first)
            guard let character = step.character else {
                guard isRepaired else { return nil }
                append(0xFFFD)
                place += step.length
                continue
            }
            if character > 0x10FFFF { append(character >> 16) }
            append(character > 0x10FFFF ? character & 0xFFFF : character)
            place += step.length
        }
        return String(text)
    }

    private func byte(_ offset: Int) -> UInt8? { place + offset < bytes.count ? bytes[place + offset] : nil }

    private func step(_ first: UInt8) -> Step {
        switch (scheme, first) {
        case (_, ..<0x80): return (UInt32(first), 1)
        case (.shiftJIS, 0x80): return (0x80, 1)
        case (.shiftJIS, 0xA1...0xDF): return (0xFF61 + UInt32(first) - 0xA1, 1)
        case (.gb18030, 0x80): return (0x20AC, 1)
        case (.gb18030, 0x81...0xFE):
            if let second = byte(1), (0x30...0x39).contains(second) { return fourBytes(first, second) }
        case (.eucJP, 0x8E):
            if let second = byte(1), (0xA1...0xDF).contains(second) { return (0xFF61 + UInt32(second) - 0xA1, 2) }
            return (nil, lengthOfError(at: 1))
        case (.eucJP, 0x8F):
            guard let second = byte(1), (0xA1...0xFE).contains(second) else { return (nil, lengthOfError(at: 1)) }
            return pair(second, at: 2, TextIndex.jis0212 ?? [])
        default: break
        }
        guard grid.first.contains(where: { $0.contains(first) }) else { return (nil, 1) }
        return pair(first, at: 1, index)
    }

    /// Reads the character of a first byte and the byte at an offset.
    private func pair(_ first: UInt8, at offset: Int, _ index: [UInt32]) -> Step {
        guard let second = byte(offset), let pointer = grid.pointer(first, second) else {
            return (nil, lengthOfError(at: offset))
        }
        // The rows for private use, which index jis0208 lacks.
        if scheme == .shiftJIS, (8836...10_715).contains(pointer) {
            return (0xE000 + UInt32(pointer) - 8836, offset + 1)
        }
        guard pointer < index.count, index[pointer] != 0 else { return (nil, lengthOfError(at: offset)) }
        return (index[pointer], offset + 1)
    }

    /// Returns the length of an error that ends with the byte at an offset, which is read again if it is ASCII.
    private func lengthOfError(at offset: Int) -> Int {
        guard let last = byte(offset), last >= 0x80 else { return min(offset, bytes.count - place) }
        return offset + 1
    }

    /// Reads a four-byte character in GB18030 (§10.2.1).
    private func fourBytes(_ first: UInt8, _ second: UInt8) -> Step {
        guard let third = byte(2) else { return (nil, bytes.count - place) }
        guard (0x81...0xFE).contains(third) else { return (nil, 1) }
        guard let fourth = byte(3) else { return (nil, bytes.count - place) }
        guard (0x30...0x39).contains(fourth) else { return (nil, 1) }
        let pointer =
            ((Int(first) - 0x81) * 10 + Int(second) - 0x30) * 1260 + (Int(third) - 0x81) * 10 + Int(fourth) - 0x30
        if pointer < TextIndex.gb18030Ranges.count { return (TextIndex.gb18030Ranges[pointer], 4) }
        let supplementary = 189_000...1_237_575
        return (supplementary.contains(pointer) ? 0x10000 + UInt32(pointer - 189_000) : nil, 4)
    }

    // MARK: ISO-2022-JP

    /// Handles an escape sequence to another character set (§12.2.1).
    ///
    /// Returns `false` if there is none, or if it is an error, because no character has followed the previous one.
    private mutating func switchesSet() -> Bool {
        guard let next = nextSet else { return false }
        set = next
        guard !hasSwitched else { return false }
        hasSwitched = true
        place += 3
        return true
    }

    private var nextSet: CharacterSet? {
        guard byte(0) == 0x1B else { return nil }
        return switch (byte(1), byte(2)) {
        case (0x28, 0x42): .ascii
        case (0x28, 0x4A): .roman
        case (0x28, 0x49): .katakana
        case (0x24, 0x40), (0x24, 0x42): .jis0208
        default: nil
        }
    }

    private mutating func stepInSet(_ first: UInt8) -> Step {
        if nextSet != nil { return (nil, 3) }
        hasSwitched = false
        switch (set, first) {
        case (_, 0x1B): return (nil, 1)
        case (.jis0208, 0x21...0x7E):
            guard let second = byte(1), second != 0x1B else { return (nil, 1) }
            guard grid.second[0].contains(second), let character = character(first, second) else { return (nil, 2) }
            return (character, 2)
        case (.katakana, 0x21...0x5F): return (0xFF61 + UInt32(first) - 0x21, 1)
        case (.ascii, ..<0x80), (.roman, ..<0x80):
            if first == 0x0E || first == 0x0F { return (nil, 1) }
            guard set == .roman else { return (UInt32(first), 1) }
            return (first == 0x5C ? 0xA5 : first == 0x7E ? 0x203E : UInt32(first), 1)
        default: return (nil, 1)
        }
    }

    private func character(_ first: UInt8, _ second: UInt8) -> UInt32? {
        guard let pointer = grid.pointer(first, second), index[pointer] != 0 else { return nil }
        return index[pointer]
    }
}
