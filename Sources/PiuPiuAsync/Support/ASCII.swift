extension String {
    /// Tells whether two strings are equal when A–Z and a–z are taken for the same.
    ///
    /// - Parameter other: The string to compare with.
    /// - Returns: `true` where every byte agrees, letters without regard to case.
    package func isEqualIgnoringASCIICase(to other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return zip(utf8, other.utf8).allSatisfy { $0 == $1 || ($0.asciiLowercased == $1.asciiLowercased) }
    }
}

extension String {
    /// Whether it can be the value of a field: not empty, and without control characters (RFC 9110 §5.5).
    var isFieldValue: Bool { !isEmpty && utf8.allSatisfy(\.isFieldCharacter) }
}

extension UInt8 {
    /// A byte that the value of a field may hold (RFC 9110 §5.5).
    var isFieldCharacter: Bool { self >= 0x20 && self != 0x7F || self == 0x09 }

    /// The lower-case form of an ASCII letter; any other byte as it is.
    package var asciiLowercased: UInt8 {
        (0x41...0x5A).contains(self) ? self | 0x20 : self
    }

    /// A space or a horizontal tab, the `OWS` of RFC 9110 §5.6.3.
    package var isHTTPWhitespace: Bool {
        self == 0x20 || self == 0x09
    }

    /// A `tchar` of RFC 9110 §5.6.2, of which tokens (methods, field names) are made.
    package var isTokenCharacter: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: false
        }
    }
}
