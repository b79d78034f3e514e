/// How wide a text is on a terminal.
enum Columns {
    /// The number of columns of a text, as most terminals have it.
    static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

    /// Makes a text exactly so wide: it is filled with spaces, or its middle is left out.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - columns: The number of columns.
    /// - Returns: The text.
    static func fit(_ text: String, _ columns: Int) -> String {
        var text = text
        var limit = text.count
        while width(text) > columns, limit > 0 {
            limit -= 1
            text = SafeText.shortened(text, limit)
        }
        return text + String(repeating: " ", count: max(0, columns - width(text)))
    }

    /// Returns how many rows lines take on a terminal that breaks those that are too wide.
    ///
    /// - Parameters:
    ///   - widths: The widths of the lines, in columns.
    ///   - columns: The number of columns of the terminal, which may be narrower than when the lines were written.
    /// - Returns: The number of rows.
    static func height(_ widths: [Int], columns: Int) -> Int {
        let columns = max(1, columns)
        return widths.reduce(0) { $0 + max(1, ($1 + columns - 1) / columns) }
    }

    private static func width(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        switch scalar.value {
        case ..<0x1100: return 1
        // East Asian letters and emoji take two (Unicode Standard Annex #11).
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
