extension UnkeyedDecodingContainer {
    /// Reads the next element with a transform.
    ///
    /// If it throws, the container stays at the element, as it does without a transform.
    ///
    /// - Parameter transform: Converts the JSON value that is read.
    /// - Returns: The value.
    /// - Throws: `DecodingError` at the end or if the element has another type than the transform reads, and the errors
    ///   of the transform; the coding path ends with the index.
    public mutating func decode<T: DecodingTransform>(using transform: T) throws -> T.ValueDestination {
        let path = codingPath + [ElementKey(index: currentIndex)]
        var rest = self
        let json = try DecodingError.locating(at: path) { try rest.decode(T.JSONSource.self) }
        let value = try transform.from(json: json, codingPath: path)
        self = rest
        return value
    }

    /// Reads the next element with a transform, if there is one.
    ///
    /// If it throws, the container stays at the element, as it does without a transform.
    ///
    /// - Parameter transform: Converts the JSON value that is read.
    /// - Returns: The value; `nil` at the end and for `null`, which is skipped.
    /// - Throws: `DecodingError` if the element has another type than the transform reads, and the errors of the
    ///   transform; the coding path ends with the index.
    public mutating func decodeIfPresent<T: DecodingTransform>(using transform: T) throws -> T.ValueDestination? {
        // Checked first, because a decoder may throw at the end.
        guard try !isAtEnd && !decodeNil() else { return nil }
        return .some(try decode(using: transform))
    }

    /// Reads the next element, if there is one, with a transform that can return `nil`.
    ///
    /// If it throws, the container stays at the element, as it does without a transform.
    ///
    /// - Parameter transform: Converts the JSON value that is read.
    /// - Returns: The value; `nil` at the end, for `null`, which is skipped, and if the transform returns `nil`.
    /// - Throws: `DecodingError` if the element has another type than the transform reads, and the errors of the
    ///   transform; the coding path ends with the index.
    public mutating func decodeIfPresent<T: DecodingTransform, Value>(
        using transform: T
    ) throws -> Value? where T.ValueDestination == Value? {
        guard try !isAtEnd && !decodeNil() else { return nil }
        return try decode(using: transform)
    }
}

extension UnkeyedEncodingContainer {
    /// Writes an element with a transform.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - transform: Converts the value to the JSON value that is written; `nil` is written as `null`.
    /// - Throws: `EncodingError` if the encoder cannot write the JSON value, and the errors of the transform; the
    ///   coding path ends with the index.
    public mutating func encode<T: EncodingTransform>(_ value: T.ValueSource, using transform: T) throws {
        try encode(transform.toJSON(value, codingPath: codingPath + [ElementKey(index: count)]))
    }

    /// Writes an element with a transform, and `null` if there is no value, so that other elements keep their indices.
    ///
    /// - Parameters:
    ///   - value: The value, or `nil`.
    ///   - transform: Converts the value to the JSON value that is written; `nil` is written as `null`.
    /// - Throws: `EncodingError` if the encoder cannot write the JSON value, and the errors of the transform; the
    ///   coding path ends with the index.
    public mutating func encodeIfPresent<T: EncodingTransform>(_ value: T.ValueSource?, using transform: T) throws {
        guard let value else { return try encodeNil() }
        try encode(value, using: transform)
    }

    /// Writes an element with a transform that also accepts `nil`, and `null` if there is no value.
    ///
    /// - Parameters:
    ///   - value: The value, or `nil`.
    ///   - transform: Converts the value to the JSON value that is written; `nil` is written as `null`.
    /// - Throws: `EncodingError` if the encoder cannot write the JSON value, and the errors of the transform; the
    ///   coding path ends with the index.
    public mutating func encodeIfPresent<T: EncodingTransform, Value>(
        _ value: Value?,
        using transform: T
    ) throws where T.ValueSource == Value? {
        guard let value else { return try encodeNil() }
        try encode(value, using: transform)
    }
}

/// The key of an array's element, with the same text as Foundation's.
struct ElementKey: CodingKey {
    let index: Int

    init(index: Int) {
        self.index = index
    }

    init?(intValue: Int) {
        index = intValue
    }

    init?(stringValue: String) {
        return nil
    }

    var intValue: Int? { index }

    var stringValue: String { "Index \(index)" }
}
