import PiuPiuAsync
import Testing

/// Runs a closure with a container, to see what a model with such a container would see.
enum CodingBox {
    private static let key = CodingUserInfoKey(rawValue: "body")

    private struct Reader: Decodable {
        init(from decoder: any Decoder) throws {
            let body = try #require(CodingBox.key.flatMap { decoder.userInfo[$0] } as? Box<any Decoder>)
            try body.run(decoder)
        }
    }

    private struct Writer: Encodable {
        func encode(to encoder: any Encoder) throws {
            let body = try #require(CodingBox.key.flatMap { encoder.userInfo[$0] } as? Box<any Encoder>)
            try body.run(encoder)
        }
    }

    private struct Box<Coder>: @unchecked Sendable {
        // Used by the thread that made it only.
        let run: (Coder) throws -> Void
    }

    static func decode<Value>(_ json: String, _ body: (any Decoder) throws -> Value) throws -> Value {
        try withoutActuallyEscaping(body) { body in
            var value: Value?
            let decoder = JSONDecoder()
            if let key { decoder.userInfo[key] = Box<any Decoder> { value = try body($0) } }
            _ = try decoder.decode(Reader.self, from: Data(json.utf8))
            return try #require(value)
        }
    }

    static func encode(_ body: (any Encoder) throws -> Void) throws -> String {
        try withoutActuallyEscaping(body) { body in
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            if let key { encoder.userInfo[key] = Box<any Encoder>(run: body) }
            return String(decoding: try encoder.encode(Writer()), as: UTF8.self)
        }
    }
}

/// A key of any name.
struct Name: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringLiteral value: String) { stringValue = value }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
}

/// The names of an error's coding path, `nil` for an error of another kind.
func codingPath(of error: (any Error)?) -> [String]? {
    switch error {
    case let error as DecodingError:
        switch error {
        case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
            .valueNotFound(_, let context):
            return context.codingPath.map(\.stringValue)
        @unknown default:
            return nil
        }
    case EncodingError.invalidValue(_, let context)?:
        return context.codingPath.map(\.stringValue)
    default:
        return nil
    }
}
