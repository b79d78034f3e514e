import PiuPiuAsync

/// A name and a value, which occur in many places in HAR.
struct HARPair: Codable {
    private enum Keys: String, CodingKey {
        case name, value
    }

    let name: String
    let value: String

    init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        self.init(name: try container.decode(String.self, forKey: .name), value: container.lenient(.value) ?? "")
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(name, forKey: .name)
        try container.encode(value, forKey: .value)
    }
}

extension KeyedDecodingContainer {
    /// An optional value: `nil` if it is missing or of another type.
    func lenient<Value: Decodable>(_ key: Key) -> Value? {
        (try? decodeIfPresent(Value.self, forKey: key)) ?? nil
    }

    /// Header fields, without those that a tool added, such as HTTP/2's `:authority`.
    func fields(_ key: Key) throws -> HTTPHeaderFields {
        var fields = HTTPHeaderFields()
        for pair in try decodeIfPresent([HARPair].self, forKey: key) ?? [] where !pair.name.hasPrefix(":") {
            // Chrome writes all lines of Set-Cookie into one value.
            for line in pair.value.split(whereSeparator: \.isNewline) {
                fields.append(name: pair.name, value: line.trimmingCharacters(in: .whitespaces))
            }
            if pair.value.isEmpty { fields.append(name: pair.name, value: "") }
        }
        return fields
    }
}

extension KeyedEncodingContainer {
    mutating func encode(_ fields: HTTPHeaderFields, forKey key: Key) throws {
        try encode(fields.map { HARPair(name: $0.name, value: $0.value) }, forKey: key)
    }
}

/// An object without fields.
struct HARNothing: Encodable {}
