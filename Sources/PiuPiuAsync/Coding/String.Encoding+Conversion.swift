extension String.Encoding {
    /// Encodes a text.
    ///
    /// - Parameter text: The text.
    /// - Returns: The bytes; `nil` where the text has a character that the encoding has not, and for an encoding that
    ///   the platform does not know.
    package func data(of text: String) -> Data? {
        if self == .utf8 { return Data(text.utf8) }
        return isConvertible ? text.data(using: self) : nil
    }

    /// Decodes a text.
    ///
    /// - Parameter data: The bytes.
    /// - Returns: The text; `nil` where the bytes are none in this encoding, and for an encoding that the platform does
    ///   not know.
    package func text(of data: Data) -> String? {
        isConvertible ? String(data: data, encoding: self) : nil
    }

    /// Whether Foundation can be asked to convert.
    ///
    /// On Linux, asking it for an encoding without a converter (`.symbol`, and six of CFString's) ends the process.
    private var isConvertible: Bool {
        #if canImport(Darwin)
        true
        #else
        self == .utf8 || String.availableStringEncodings.contains(self)
        #endif
    }
}
