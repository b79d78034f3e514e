extension KeyedDecodingContainer {
    /// Reads a value with a transform.
    ///
    /// - Parameters:
    ///   - transform: Converts the JSON value that is read.
    ///   - key: The key to read.
    /// - Returns: The value.
    /// - Throws: `DecodingError` if the key is missing or its value has another type than the transform reads, and the
    ///   errors of the transform; the coding path ends with `key`.
    public func decode<T: DecodingTransform>(using transform: T, forKey key: Key) throws -> T.ValueDestination {
        let path = codingPath + [key]
        let json = try DecodingError.locating(at: path) { try decode(T.JSONSource.self, forKey: key) }
        return try transform.from(json: json, codingPath: path)
    }

    /// Reads a value with a transform, if there is one.
    ///
    /// - Parameters:
    ///   - transform: Converts the JSON value that is read.
    ///   - key: The key to read.
    /// - Returns: The value; `nil` if the key is missing or its value is `null`.
    /// - Throws: `DecodingError` if the value has another type than the transform reads, and the errors of the
    ///   transform; the coding path ends with `key`.
    public func decodeIfPresent<T: DecodingTransform>(
        using transform: T,
        forKey key: Key
    ) throws -> T.ValueDestination? {
        guard try contains(key) && !decodeNil(forKey: key) else { return nil }
        return .some(try decode(using: transform, forKey: key))
    }

    /// Reads a value, if there is one, with a transform that can return `nil`.
    ///
    /// PiuPiu 1 returned an optional of an optional here. Adding `?? nil`, as its documentation says, still works.
    ///
    /// - Parameters:
    ///   - transform: Converts the JSON value that is read.
    ///   - key: The key to read.
    /// - Returns: The value; `nil` if the key is missing, if its value is `null`, or if the transform returns `nil`.
    /// - Throws: `DecodingError` if the value has another type than the transform reads, and the errors of the
    ///   transform; the coding path ends with `key`.
    public func decodeIfPresent<T: DecodingTransform, Value>(
        using transform: T,
        forKey key: Key
    ) throws -> Value? where T.ValueDestination == Value? {
        guard try contains(key) && !decodeNil(forKey: key) else { return nil }
        return try decode(using: transform, forKey: key)
    }
}

extension KeyedEncodingContainer {
    /// Writes a value with a transform.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The key to write.
    ///   - transform: Converts the value to the JSON value that is written; `nil` is written as `null`.
    /// - Throws: `EncodingError` if the encoder cannot write the JSON value, and the errors of the transform; the
    ///   coding path ends with `key`.
    public mutating func encode<T: EncodingTransform>(
        _ value: T.ValueSource,
        forKey key: Key,
        using transform: T
    ) throws {
        try encode(transform.toJSON(value, codingPath: codingPath + [key]), forKey: key)
    }

    /// Writes a value with a transform, and omits the key if there is no value.
    ///
    /// - Parameters:
    ///   - value: The value, or `nil`.
    ///   - key: The key to write.
    ///   - transform: Converts the value to the JSON value that is written; `nil` is written as `null`.
    /// - Throws: `EncodingError` if the encoder cannot write the JSON value, and the errors of the transform; the
    ///   coding path ends with `key`.
    public mutating func encodeIfPresent<T: EncodingTransform>(
        _ value: T.ValueSource?,
        forKey key: Key,
        using transform: T
    ) throws {
        guard let value else { return }
        try encode(value, forKey: key, using: transform)
    }

    /// Writes a value with a transform that also accepts `nil`, and omits the key if there is no value.
    ///
    /// - Parameters:
    ///   - value: The value, or `nil`.
    ///   - key: The key to write.
    ///   - transform: Converts the value to the JSON value that is written; `nil` is written as `null`.
    /// - Throws: `EncodingError` if the encoder cannot write the JSON value, and the errors of the transform; the
    ///   coding path ends with `key`.
    public mutating func encodeIfPresent<T: EncodingTransform, Value>(
        _ value: Value?,
        forKey key: Key,
        using transform: T
    ) throws where T.ValueSource == Value? {
        guard let value else { return }
        try encode(value, forKey: key, using: transform)
    }
}
