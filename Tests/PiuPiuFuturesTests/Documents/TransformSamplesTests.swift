// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import PiuPiuFutures
import Testing

// 3-23
private struct ExampleModel: Codable {
    enum CodingKeys: String, CodingKey {
        case timeZoneId
    }

    let timeZone: TimeZone

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.timeZone = try container.decode(using: TimeZoneTransform(), forKey: .timeZoneId)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(timeZone, forKey: .timeZoneId, using: TimeZoneTransform())
    }
}

// 3-24: what the document prints of the library, which what the library has must fit.
private enum Printed {
    public protocol EncodingTransform {
        associatedtype ValueSource
        associatedtype JSONDestination: Encodable

        func toJSON(_ value: Self.ValueSource, codingPath: [any CodingKey]) throws -> Self.JSONDestination
    }

    public protocol DecodingTransform {
        associatedtype JSONSource: Decodable
        associatedtype ValueDestination

        func from(json: Self.JSONSource, codingPath: [any CodingKey]) throws -> Self.ValueDestination
    }

    // 3-25
    public class DateTransform: Transform {
        public let formatter: DateFormatter

        public init(formatter: DateFormatter) {
            self.formatter = formatter
        }

        public func from(json: String, codingPath: [any CodingKey]) throws -> Date {
            guard let date = formatter.date(from: json) else {
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(
                        codingPath: codingPath,
                        debugDescription:
                            "Could not convert `\(json)` to `Date` using formatter `\(String(describing: formatter))`"
                    )
                )
            }

            return date
        }

        public func toJSON(_ value: Date, codingPath: [any CodingKey]) throws -> String {
            return formatter.string(from: value)
        }
    }
}

extension TimeZoneTransform: Printed.EncodingTransform, Printed.DecodingTransform {}

/// Dates by the transform of the document and by that of the library.
private struct Dates: Codable {
    enum CodingKeys: String, CodingKey {
        case printed, included
    }

    let printed: Date
    let included: Date

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.printed = try container.decode(using: Printed.DateTransform(formatter: .rfc3339), forKey: .printed)
        self.included = try container.decode(using: DateTransform(formatter: .rfc3339), forKey: .included)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(printed, forKey: .printed, using: Printed.DateTransform(formatter: .rfc3339))
        try container.encode(included, forKey: .included, using: DateTransform(formatter: .rfc3339))
    }
}

// 3-26
private struct EmptyStringModel: Decodable {
    enum CodingKeys: String, CodingKey {
        case value
    }

    let value: String?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.value = try container.decodeIfPresent(using: EmptyStringTransform(), forKey: .value) ?? nil
    }
}

/// "Transforms" of the documents of 1.10 and 1.11.1, which are the same, and the paths in "Mock Dispatcher".
struct TransformSamplesTests {
    private func failure(_ body: () throws -> Any, _ location: SourceLocation = #_sourceLocation) -> [String]? {
        let error = #expect(throws: DecodingError.self, sourceLocation: location) { _ = try body() }
        guard case .dataCorrupted(let context) = error else { return nil }
        return context.codingPath.map(\.stringValue)
    }

    // 3-23
    @Test func timeZones() throws {
        let json = Data(#"{"timeZoneId":"Europe\/Berlin"}"#.utf8)
        let model = try JSONDecoder().decode(ExampleModel.self, from: json)
        #expect(model.timeZone.identifier == "Europe/Berlin")
        #expect(try JSONEncoder().encode(model) == json)
    }

    // K17, rule 20: PiuPiu 1 threw an error of another kind, without a path.
    @Test func timeZonesThatDoNotExist() {
        let json = Data(#"[{"timeZoneId":"Nowhere"}]"#.utf8)
        let path = failure { try JSONDecoder().decode([ExampleModel].self, from: json) }
        #expect(path == ["Index 0", "timeZoneId"])
    }

    // 3-25, rule 20
    @Test(arguments: ["printed", "included"])
    func dates(key: String) throws {
        let date = "2018-04-12T23:20:50Z"
        let dates = try JSONDecoder().decode(
            [Dates].self,
            from: JSONEncoder().encode([["printed": date, "included": date]])
        )
        #expect(dates.first?.printed == dates.first?.included)
        let written = try JSONDecoder().decode([[String: String]].self, from: JSONEncoder().encode(dates))
        #expect(written == [["printed": date, "included": date]])

        var wrong = ["printed": date, "included": date]
        wrong[key] = "yesterday"
        let json = try JSONEncoder().encode([wrong])
        #expect(failure { try JSONDecoder().decode([Dates].self, from: json) } == ["Index 0", key])
    }

    // 3-26
    @Test(arguments: [(#"{"value":""}"#, nil), ("{}", nil), (#"{"value":null}"#, nil), (#"{"value":"x"}"#, "x")])
    func emptyStrings(json: String, expected: String?) throws {
        #expect(try JSONDecoder().decode(EmptyStringModel.self, from: Data(json.utf8)).value == expected)
    }

    // K17, rule 20: the two of the documents turn a value one way; these two turn it both ways.
    @Test func integersAndStringsComeBack() throws {
        #expect(try IntFromStringTransform().from(json: "7", codingPath: []) == 7)
        #expect(try IntFromStringTransform().toJSON("7", codingPath: []) == 7)
        #expect(StringFromIntTransform().from(json: 7, codingPath: []) == "7")
        #expect(StringFromIntTransform().toJSON(7, codingPath: []) == "7")

        let number = IntAsStringTransform(Int.self)
        #expect(try number.from(json: number.toJSON(-7, codingPath: []), codingPath: []) == -7)
        let text = StringAsIntTransform()
        #expect(try text.from(json: text.toJSON("-7", codingPath: []), codingPath: []) == "-7")
    }

    // 3-29, without the dispatcher
    private func answer(_ request: URLRequest) -> String {
        if let id = request.integerValue(atIndex: 1, matching: [.constant("posts"), .wildcard(type: .integer)]) {
            return "post \(id)"
        } else if request.pathMatches(pattern: [.constant("posts")]) {
            return "posts"
        } else {
            return "not found"
        }
    }

    @Test(arguments: [
        ("https://jsonplaceholder.typicode.com/posts/1", "post 1"), ("https://example.com/posts/", "posts"),
        ("https://example.com/posts/x", "not found"), ("https://example.com", "not found"),
    ])
    func paths(url: String, expected: String) throws {
        #expect(try answer(URLRequest(url: #require(URL(string: url)), method: .get)) == expected)
    }

    // K18: PiuPiu 1 ended the process.
    @Test func indicesThatAreNotThere() throws {
        let request = try URLRequest(url: #require(URL(string: "https://example.com/posts")), method: .get)
        #expect(request.integerValue(atIndex: 1, matching: [.constant("posts")]) == nil)
        #expect(request.url?.integerValue(atIndex: -1, matching: [.constant("posts")]) == nil)
    }
}
