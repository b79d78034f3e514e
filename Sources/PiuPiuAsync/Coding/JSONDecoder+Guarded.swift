extension JSONDecoder {
    /// Decodes a value, but for texts for which Foundation on Linux ends the process (Swift 6.3), which a server can send.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - data: The text.
    /// - Returns: The value.
    /// - Throws: `DecodingError.dataCorrupted` for such a text, and what `decode(_:from:)` throws.
    package func decodeGuarded<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        guard !Self.endsTooDeep(data), !allowsJSON5 || !Self.isNoText(data) else {
            let context = DecodingError.Context(codingPath: [], debugDescription: "The given data was not valid JSON.")
            throw DecodingError.dataCorrupted(context)
        }
        return try decode(type, from: allowsJSON5 ? Self.ended(data) : data)
    }

    /// The text with white space at its end where it may end with a number, of which Foundation's reader of JSON5 else takes
    /// what stands behind the text in memory for digits.
    private static func ended(_ data: Data) -> Data {
        // Foundation makes UTF-8 of UTF-16 and UTF-32 first.
        guard !isWide(data), let last = data.last, !"]}\"\n".utf8.contains(last) else { return data }
        return data + [UInt8(ascii: "\n")]
    }

    /// Whether a text ends with the bracket that opens the 513th array or dictionary: Foundation looks for the line of the
    /// error behind the end.
    private static func endsTooDeep(_ data: Data) -> Bool {
        // In UTF-16 and UTF-32 a NUL may be the last byte. Nothing but a comment of JSON5 may end so.
        data.last(where: { $0 != 0 }) == UInt8(ascii: "[")
            && data.count(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }) > JSONObject.maximumDepth
    }

    /// Whether bytes that would be read as UTF-8 are something else, which Foundation's reader of JSON5 does not expect.
    private static func isNoText(_ data: Data) -> Bool {
        if isWide(data) { return false }
        // Three bytes and a line feed could be read as UTF-16.
        return data.count == 3 && data.contains(0) || String(validating: data, as: UTF8.self) == nil
    }

    /// Whether Foundation reads a text as UTF-16 or UTF-32: by its mark, or by where the first zeros are.
    private static func isWide(_ data: Data) -> Bool {
        switch data.prefix(4).map({ $0 }) {
        case [0, 0, 0xFE, 0xFF]: true
        case let bytes where bytes.count == 4:
            bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
                || [[0, 1, 2], [0, 2], [1, 2, 3], [1, 3]].contains { $0.allSatisfy { bytes[$0] == 0 } }
        case let bytes where bytes.count == 2: bytes.contains(0)
        default: false
        }
    }
}
