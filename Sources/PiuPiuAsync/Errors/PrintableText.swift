/// Makes text from the network safe to print.
///
/// A certificate's names can hold anything: line ends, escape sequences of terminals, marks that reverse the direction
/// of text, and megabytes.
enum PrintableText {
    /// The number of characters of a name that are shown.
    static let usualLimit = 100

    /// Escapes a text.
    ///
    /// Letters and digits of any script and the printable characters of ASCII stay. Every other scalar becomes
    /// `\u{…}`, and a backslash becomes two, so that no other text looks the same.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - limit: The number of characters after which the text is cut off, with an ellipsis.
    /// - Returns: The text that may be printed.
    static func escape(_ text: some StringProtocol, limit: Int = usualLimit) -> String {
        // Almost every text is short and plain.
        if text.utf8.count <= limit, text.utf8.allSatisfy({ 0x20...0x7E ~= $0 && $0 != 0x5C }) { return String(text) }
        var result = ""
        var count = 0
        for scalar in text.unicodeScalars {
            let piece = piece(for: scalar)
            count += piece.unicodeScalars.count
            guard count <= limit else { return result + "…" }
            result.unicodeScalars.append(contentsOf: piece.unicodeScalars)
        }
        return result
    }

    private static func piece(for scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\\": return "\\\\"
        case " "..."~": return String(scalar)
        default: break
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .decimalNumber:
            return String(scalar)
        default: return "\\u{\(String(scalar.value, radix: 16))}"
        }
    }
}
