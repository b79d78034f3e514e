/// Writes untyped JSON safely: `JSONSerialization` crashes for a value that it cannot write.
package enum JSONObject {
    private struct Key: CodingKey {
        let stringValue: String
        let intValue: Int?

        init(stringValue: String) {
            self.stringValue = stringValue
            intValue = nil
        }

        init(intValue: Int) {
            stringValue = "Index \(intValue)"
            self.intValue = intValue
        }
    }

    /// The maximum nesting depth of arrays and dictionaries, as in Foundation's parser.
    package static let maximumDepth = 512

    /// Encodes dictionaries, arrays, strings, numbers, `nil` and `NSNull`.
    ///
    /// - Parameters:
    ///   - object: A dictionary or an array.
    ///   - options: The options of `JSONSerialization`.
    /// - Returns: The JSON text.
    /// - Throws: `EncodingError` for a value that JSON cannot express; it contains the path of the value, but not the value.
    package static func data(of object: Any, options: JSONSerialization.WritingOptions) throws -> Data {
        let object = try normalized(object, path: [])
        guard JSONSerialization.isValidJSONObject(object) else { throw invalid(object, path: [], "is not valid JSON") }
        return try JSONSerialization.data(withJSONObject: object, options: options)
    }

    /// Returns the same value, consisting only of types that `JSONSerialization` can write on every platform.
    private static func normalized(_ value: Any?, path: [any CodingKey]) throws -> Any {
        guard path.count <= maximumDepth else { throw invalid(value, path: [], "nests too deeply") }
        guard let value else { return NSNull() }
        // Cast only objects to classes: on Linux, that cast would first bridge a whole collection. `NSNumber` comes before
        // `Bool`, because a number with the value 1 can be cast to `Bool`, too.
        if Swift.type(of: value) is AnyClass {
            if value is NSNull { return value }
            if let number = value as? NSNumber {
                _ = try finite(number.doubleValue, path: path)
                return number
            }
        }
        switch value {
        case let optional as any OptionalValue: return try normalized(optional.wrapped, path: path)
        case let string as String: return string
        case let bool as Bool: return bool
        case let number as Decimal where number.isFinite: return NSDecimalNumber(decimal: number)
        case let number as Double: return try finite(number, path: path)
        case let number as Float: return try finite(number, path: path)
        case let number as CGFloat: return try finite(Double(number), path: path)
        case let number as any BinaryInteger:
            if let int = Int64(exactly: number) { return NSNumber(value: int) }
            if let uint = UInt64(exactly: number) { return NSNumber(value: uint) }
            throw invalid(value, path: path, "is an integer of more than 64 bits")
        case let dictionary as [String: Any?]:
            return try Dictionary(
                uniqueKeysWithValues: dictionary.map { key, value in
                    (key, try normalized(value, path: path + [Key(stringValue: key)]))
                }
            )
        case let array as [Any?]:
            return try array.enumerated().map { index, element in
                try normalized(element, path: path + [Key(intValue: index)])
            }
        default:
            throw invalid(value, path: path, "cannot be written as JSON")
        }
    }

    private static func finite<Number: BinaryFloatingPoint>(
        _ number: Number,
        path: [any CodingKey]
    ) throws -> Number {
        guard number.isFinite else { throw invalid(number, path: path, "is not a finite number") }
        return number
    }

    private static func invalid(_ value: Any?, path: [any CodingKey], _ problem: String) -> EncodingError {
        let type = value.map { "\(Swift.type(of: $0))" } ?? "nil"
        let context = EncodingError.Context(codingPath: path, debugDescription: "A value of type \(type) \(problem).")
        return .invalidValue(type, context)
    }
}

/// An optional value in an `Any`.
private protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrapped: Any? { self }
}
