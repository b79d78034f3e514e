/// A type that writes itself as JSON, such as one that conforms to `MapEncodable` of MapCodableKit.
///
/// MapCodableKit has the required function, so one line is enough:
///
/// ```swift
/// extension Article: MapEncodableBody, MapDecodableBody {}
/// ```
public protocol MapEncodableBody {
    /// Writes the value as JSON.
    ///
    /// - Parameter options: The options of `JSONSerialization`.
    /// - Returns: The JSON text.
    /// - Throws: Any error; it reaches the caller unchanged.
    func jsonData(options: JSONSerialization.WritingOptions) throws -> Data
}

/// A type that reads itself from JSON, such as one that conforms to `MapDecodable` of MapCodableKit.
public protocol MapDecodableBody {
    /// Reads a value from a JSON object.
    ///
    /// - Parameters:
    ///   - jsonData: The JSON text.
    ///   - encoding: The encoding of the text.
    /// - Throws: Any error, which becomes the cause of a ``SerializationError``.
    init(jsonData: Data, encoding: String.Encoding) throws

    /// Reads values from a JSON array.
    ///
    /// - Parameters:
    ///   - jsonData: The JSON text.
    ///   - failOnError: Whether an unreadable element is an error; otherwise it is left out.
    /// - Returns: The values.
    /// - Throws: Any error, which becomes the cause of a ``SerializationError``.
    static func parseArray(jsonData: Data, failOnError: Bool) throws -> [Self]
}
