extension KeyedDecodingContainer {
    /// Reads a value with a transform.
    ///
    /// - Parameters:
    ///   - transform: Makes the value of what is read.
    ///   - key: Where to read.
    /// - Returns: The value.
    /// - Throws: `DecodingError` where the key is missing or has something else than the transform reads, and what the
    ///   transform throws; the coding path ends with `key`.
    public func decode<T: DecodingTransform>(using transform: T, forKey key: Key) throws -> T.ValueDestination {
        let path = codingPath + [key]
        let json = try DecodingError.locating(at: path) { try decode(T.JSONSource.self, forKey: key) }
        return try transform.from(json: json, codingPath: path)
    }

    /// Reads a value with a transform, where there is one.
    ///
    /// - Parameters:
    ///   - transform: Makes the value of what is read.
    ///   - key: Where to read.
    /// - Returns: The value, `nil` where the key is missing or has `null`.
    /// - Throws: `DecodingError` where the key has something else than the transform reads, and what the transform
    ///   throws; the coding path ends with `key`.
    public func decodeIfPresent<T: DecodingTransform>(
        using transform: T,
        forKey key: Key
    ) throws -> T.ValueDestination? {
        guard try contains(key) && !decodeNil(forKey: key) else { return nil }
        return .some(try decode(using: transform, forKey: key))
    }

    /// Reads a value with a transform that can give none, where there is one.
    ///
    /// PiuPiu 1 gave an optional of an optional here. Adding `?? nil`, as its documents say, still works.
    ///
    /// - Parameters:
    ///   - transform: Makes the value of what is read.
    ///   - key: Where to read.
    /// - Returns: The value, `nil` where the key is missing or has `null`, and where the transform gives `nil`.
    /// - Throws: `DecodingError` where the key has something else than the transform reads, and what the transform
    ///   throws; the coding path ends with `key`.
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
    ///   - key: Where to write.
    ///   - transform: Makes of the value what is written; `nil` is written as `null`.
    /// - Throws: `EncodingError` where the encoder cannot write that, and what the transform throws; the coding path ends
    ///   with `key`.
    public mutating func encode<T: EncodingTransform>(
        _ value: T.ValueSource,
        forKey key: Key,
        using transform: T
    ) throws {
        try encode(transform.toJSON(value, codingPath: codingPath + [key]), forKey: key)
    }

    /// Writes a value with a transform, and leaves the key out where there is none.
    ///
    /// - Parameters:
    ///   - value: The value, or `nil`.
    ///   - key: Where to write.
    ///   - transform: Makes of the value what is written; `nil` is written as `null`.
    /// - Throws: `EncodingError` where the encoder cannot write that, and what the transform throws; the coding path ends
    ///   with `key`.
    public mutating func encodeIfPresent<T: EncodingTransform>(
        _ value: T.ValueSource?,
        forKey key: Key,
        using transform: T
    ) throws {
        guard let value else { return }
        try encode(value, forKey: key, using: transform)
    }

    /// Writes a value with a transform that also takes none, and leaves the key out where there is none.
    ///
    /// - Parameters:
    ///   - value: The value, or `nil`.
    ///   - key: Where to write.
    ///   - transform: Makes of the value what is written; `nil` is written as `null`.
    /// - Throws: `EncodingError` where the encoder cannot write that, and what the transform throws; the coding path ends
    ///   with `key`.
    public mutating func encodeIfPresent<T: EncodingTransform, Value>(
        _ value: Value?,
        forKey key: Key,
        using transform: T
    ) throws where T.ValueSource == Value? {
        guard let value else { return }
        try encode(value, forKey: key, using: transform)
    }
}
