extension JSONDecoder {
    /// Decodes a value, but rejects texts that crash Foundation on Linux (Swift 6.3), with `DecodingError.dataCorrupted`.
    ///
    /// A server can send such texts.
    package func decodeGuarded<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        guard !Self.endsTooDeep(data), !allowsJSON5 || !Self.isNoText(data) else {
            let context = DecodingError.Context(codingPath: [], debugDescription: "The given data was not valid JSON.")
            throw DecodingError.dataCorrupted(context)
        }
        return try decode(type, from: allowsJSON5 ? Self.ended(data) : data)
    }

    /// Returns the text with white space appended if it may end with a number.
    ///
    /// Otherwise, Foundation's JSON5 parser would read the memory after the text as more digits.
    private static func ended(_ data: Data) -> Data {
        // Foundation first converts UTF-16 and UTF-32 to UTF-8.
        guard !isWide(data), let last = data.last, !"]}\"\n".utf8.contains(last) else { return data }
        return data + [UInt8(ascii: "\n")]
    }

    /// Returns whether a text ends with the bracket that opens the 513th array or dictionary.
    ///
    /// For such a text, Foundation searches for the line of the error beyond the end of the text.
    private static func endsTooDeep(_ data: Data) -> Bool {
        // In UTF-16 and UTF-32, the last byte may be NUL. Among valid texts, only a JSON5 comment may end like this.
        data.last(where: { $0 != 0 }) == UInt8(ascii: "[")
            && data.count(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }) > JSONObject.maximumDepth
    }

    /// Returns whether bytes that Foundation would read as UTF-8 are not UTF-8.
    ///
    /// Foundation's JSON5 parser does not expect such bytes.
    private static func isNoText(_ data: Data) -> Bool {
        if isWide(data) { return false }
        // Foundation may read three bytes and a line feed as UTF-16.
        return data.count == 3 && data.contains(0) || String(validating: data, as: UTF8.self) == nil
    }

    /// Returns whether Foundation reads a text as UTF-16 or UTF-32, by its byte order mark or its first zero bytes.
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
