extension String.Encoding {
    /// Encodes a text.
    ///
    /// - Parameter text: The text.
    /// - Returns: The bytes; `nil` if the text has a character that the encoding does not have, or if the platform does
    ///   not support the encoding.
    package func data(of text: String) -> Data? {
        if self == .utf8 { return Data(text.utf8) }
        return isConvertible ? text.data(using: self) : nil
    }

    /// Decodes a text.
    ///
    /// - Parameter data: The bytes.
    /// - Returns: The text; `nil` if the bytes are not valid in this encoding, or if the platform does not support the
    ///   encoding.
    package func text(of data: Data) -> String? {
        isConvertible ? String(data: data, encoding: self) : nil
    }

    /// Whether Foundation can safely convert this encoding.
    ///
    /// On Linux, converting to or from an encoding without a converter (`.symbol`, and six of CFString's) ends the
    /// process.
    var isConvertible: Bool {
        #if canImport(Darwin)
        true
        #else
        self == .utf8 || String.availableStringEncodings.contains(self)
        #endif
    }
}
