/// Makes texts from elsewhere safe for a terminal: nothing in them moves the cursor, changes colours or hides letters.
enum SafeText {
    /// A text that may have lines and tabs.
    ///
    /// - Parameter text: The text.
    /// - Returns: The text with `�` in place of all other control characters, and of those that change the direction of
    ///   letters.
    static func lines(_ text: String) -> String {
        // Almost every text is plain.
        if text.utf8.allSatisfy({ 0x20...0x7E ~= $0 || $0 == 0x0A }) { return text }
        let scalars = text.unicodeScalars.map { isHarmful($0) && $0 != "\n" && $0 != "\t" ? "\u{FFFD}" : $0 }
        return String(String.UnicodeScalarView(scalars))
    }

    /// A text in one line.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - limit: How many characters it may have; what is in the middle of a longer one is left out.
    /// - Returns: The text.
    static func line(_ text: String, limit: Int = .max) -> String {
        shortened(String(String.UnicodeScalarView(text.unicodeScalars.map { isHarmful($0) ? "\u{FFFD}" : $0 })), limit)
    }

    /// Leaves out the middle of a text that is too long, because its end often says more than that.
    static func shortened(_ text: String, _ limit: Int) -> String {
        guard text.count > limit else { return text }
        guard limit > 1 else { return String(text.prefix(max(0, limit))) }
        let head = (limit - 1) / 2
        return text.prefix(head) + "…" + text.suffix(limit - 1 - head)
    }

    /// Whether a scalar could do something other than be seen.
    static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        // `format` has the marks that reverse the direction of text, and those that cannot be seen.
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: true
        default: false
        }
    }

    /// Whether a scalar in a body could do something other than be seen.
    ///
    /// Joiners are parts of words and emoji, and fonts have signs of their own.
    static func isHarmfulInBody(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00AD, 0x200C, 0x200D, 0x0600...0x0605, 0x06DD, 0x08E2: false
        default: scalar.properties.generalCategory != .privateUse && isHarmful(scalar)
        }
    }
}
