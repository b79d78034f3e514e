import PiuPiuAsync

/// A recorded body, prepared for comparison.
struct HARBodyComparison {
    private let body: Data
    private let type: String

    init(_ body: Data, type: String) {
        self.body = body
        self.type = type
    }

    /// Whether a body equals the recorded one, apart from redacted values and values that change every time.
    func matches(_ asked: Data, type askedType: String?) -> Bool {
        if body == asked { return true }
        if let recorded = Self.json(body), let json = Self.json(asked) { return recorded.matches(json) }
        if let boundary = type.parameter("boundary"), let other = askedType?.parameter("boundary") {
            return HARPattern(Self.replacing(boundary, in: body)).matches(Self.replacing(other, in: asked))
        }
        return HARPattern(body).matches(asked)
    }

    private static func json(_ data: Data) -> HARValue? {
        // Text in other charsets is rare, and Foundation decodes it.
        data.prefix(2).contains(0) || data.first.map { $0 >= 0xEF } ?? false
            ? try? JSONDecoder().decodeGuarded(HARValue.self, from: data) : HARValueParser.value(of: data)
    }

    private static func replacing(_ boundary: String, in body: Data) -> Data {
        Data(body.pieces(between: Data(boundary.utf8)).joined(separator: Data("boundary".utf8)))
    }
}

/// A JSON value that can be compared with another.
enum HARValue: Decodable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([HARValue])
    case object([String: HARValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode([HARValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: HARValue].self))
        }
    }

    func matches(_ asked: HARValue) -> Bool {
        switch (self, asked) {
        case (.string(Redaction.placeholder), _): true
        case (.string(let recorded), .string(let value)): HARPattern(recorded).matches(value)
        case (.array(let recorded), .array(let values)):
            recorded.count == values.count && zip(recorded, values).allSatisfy { $0.matches($1) }
        case (.object(let recorded), .object(let values)):
            recorded.count == values.count
                && recorded.allSatisfy { name, value in values[name].map(value.matches) ?? false }
        default: self == asked
        }
    }
}
