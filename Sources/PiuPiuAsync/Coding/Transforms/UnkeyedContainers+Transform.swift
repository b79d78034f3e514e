extension UnkeyedDecodingContainer {
    /// Reads the next element with a transform.
    ///
    /// Where it throws, the container stays at the element, as it does without a transform.
    ///
    /// - Parameter transform: Makes the value of what is read.
    /// - Returns: The value.
    /// - Throws: `DecodingError` at the end, where the element is something else than the transform reads, and what the
    ///   transform throws; the coding path ends with the index.
    public mutating func decode<T: DecodingTransform>(using transform: T) throws -> T.ValueDestination {
        let path = codingPath + [ElementKey(index: currentIndex)]
        var rest = self
        let json = try DecodingError.locating(at: path) { try rest.decode(T.JSONSource.self) }
        let value = try transform.from(json: json, codingPath: path)
        self = rest
        return value
    }

    /// Reads the next element with a transform, where there is one.
    ///
    /// Where it throws, the container stays at the element, as it does without a transform.
    ///
    /// - Parameter transform: Makes the value of what is read.
    /// - Returns: The value, `nil` at the end and for `null`, which is stepped over.
    /// - Throws: `DecodingError` where the element is something else than the transform reads, and what the transform
    ///   throws; the coding path ends with the index.
    public mutating func decodeIfPresent<T: DecodingTransform>(using transform: T) throws -> T.ValueDestination? {
        // Asked first, because a decoder may throw at the end.
        guard try !isAtEnd && !decodeNil() else { return nil }
        return .some(try decode(using: transform))
    }

    /// Reads the next element with a transform that can give none, where there is one.
    ///
    /// Where it throws, the container stays at the element, as it does without a transform.
    ///
    /// - Parameter transform: Makes the value of what is read.
    /// - Returns: The value, `nil` at the end and for `null`, which is stepped over, and where the transform gives `nil`.
    /// - Throws: `DecodingError` where the element is something else than the transform reads, and what the transform
    ///   throws; the coding path ends with the index.
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
    ///   - transform: Makes of the value what is written; `nil` is written as `null`.
    /// - Throws: `EncodingError` where the encoder cannot write that, and what the transform throws; the coding path ends
    ///   with the index.
    public mutating func encode<T: EncodingTransform>(_ value: T.ValueSource, using transform: T) throws {
        try encode(transform.toJSON(value, codingPath: codingPath + [ElementKey(index: count)]))
    }

    /// Writes an element with a transform, and `null` where there is none, so that the others keep their places.
    ///
    /// - Parameters:
    ///   - value: The value, or `nil`.
    ///   - transform: Makes of the value what is written; `nil` is written as `null`.
    /// - Throws: `EncodingError` where the encoder cannot write that, and what the transform throws; the coding path ends
    ///   with the index.
    public mutating func encodeIfPresent<T: EncodingTransform>(_ value: T.ValueSource?, using transform: T) throws {
        guard let value else { return try encodeNil() }
        try encode(value, using: transform)
    }

    /// Writes an element with a transform that also takes none, and `null` where there is none.
    ///
    /// - Parameters:
    ///   - value: The value, or `nil`.
    ///   - transform: Makes of the value what is written; `nil` is written as `null`.
    /// - Throws: `EncodingError` where the encoder cannot write that, and what the transform throws; the coding path ends
    ///   with the index.
    public mutating func encodeIfPresent<T: EncodingTransform, Value>(
        _ value: Value?,
        using transform: T
    ) throws where T.ValueSource == Value? {
        guard let value else { return try encodeNil() }
        try encode(value, using: transform)
    }
}

/// The key of an element of an array, in the words of Foundation's.
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
