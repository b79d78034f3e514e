extension UInt8 {
    /// Whether a field value may contain the byte (RFC 9110 §5.5).
    @inlinable
    package var isFieldCharacter: Bool { self >= 0x20 && self != 0x7F || self == 0x09 }

    /// The lowercase form of an ASCII letter; any other byte unchanged.
    @inlinable
    package var asciiLowercased: UInt8 {
        (0x41...0x5A).contains(self) ? self | 0x20 : self
    }

    /// Whether the byte is a space or a horizontal tab, the `OWS` of RFC 9110 §5.6.3.
    @inlinable
    package var isHTTPWhitespace: Bool {
        self == 0x20 || self == 0x09
    }

    /// Whether the byte is a `tchar` of RFC 9110 §5.6.2, the characters of tokens (methods, field names).
    @inlinable
    package var isTokenCharacter: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: false
        }
    }
}
