extension String.Encoding {
    /// Encodes a text; `nil` if the encoding lacks one of its characters, or the platform does not support the encoding.
    package func data(of text: String) -> Data? {
        if self == .utf8 { return Data(text.utf8) }
        return isConvertible ? text.data(using: self) : nil
    }

    /// Decodes a text; `nil` if the bytes are not valid, or the platform does not support the encoding.
    package func text(of data: Data) -> String? {
        isConvertible ? String(data: data, encoding: self) : nil
    }

    /// Whether Foundation can safely convert this encoding.
    ///
    /// On Linux, converting to or from an encoding without a converter (`.symbol`, and six of CFString's) crashes.
    var isConvertible: Bool {
        #if canImport(Darwin)
        true
        #else
        self == .utf8 || String.availableStringEncodings.contains(self)
        #endif
    }
}
