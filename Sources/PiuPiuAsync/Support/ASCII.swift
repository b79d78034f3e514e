import PiuPiuEngine

extension String {
    /// Returns whether two strings are equal, ignoring the case of A–Z and a–z.
    ///
    /// - Parameter other: The string to compare with.
    /// - Returns: `true` if all bytes are equal, ignoring the case of ASCII letters.
    package func isEqualIgnoringASCIICase(to other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return zip(utf8, other.utf8).allSatisfy { $0 == $1 || ($0.asciiLowercased == $1.asciiLowercased) }
    }
}

extension String {
    /// Whether the string can be a field value: not empty, and without control characters (RFC 9110 §5.5).
    var isFieldValue: Bool { !isEmpty && utf8.allSatisfy(\.isFieldCharacter) }
}
