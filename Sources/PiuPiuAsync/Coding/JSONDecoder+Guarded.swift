extension JSONDecoder {
    /// Decodes a value, but for texts for which Foundation on Linux ends the process.
    ///
    /// These are texts that end with the bracket that opens the 513th array or dictionary (Swift 6.3): Foundation looks for
    /// the line of the error behind the end. A server can send one.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - data: The text.
    /// - Returns: The value.
    /// - Throws: `DecodingError.dataCorrupted` for such a text, and what ``decode(_:from:)`` throws.
    func decodeGuarded<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        // In UTF-16 and UTF-32 a NUL may be the last byte. Nothing but a comment of JSON5 may end so.
        if data.last(where: { $0 != 0 }) == UInt8(ascii: "["),
            data.count(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }) > JSONObject.maximumDepth
        {
            let context = DecodingError.Context(codingPath: [], debugDescription: "The given data was not valid JSON.")
            throw DecodingError.dataCorrupted(context)
        }
        return try decode(type, from: data)
    }
}
