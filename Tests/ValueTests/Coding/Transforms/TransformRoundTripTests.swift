import PiuPiuAsync
import PiuPiuTransforms
import SuiteSupport
import TestSupport
import Testing

/// Tests that models that are encoded are decoded again, and that any other input ends in an error that says where.
struct TransformRoundTripTests {
    private struct Model: Codable, Equatable {
        var date: Date
        var timeZone: TimeZone
        var url: URL?
        var number: UInt64
        var text: String
        var note: String?
        var dates: [Date?]

        private enum CodingKeys: String, CodingKey {
            case date, timeZone, url, number, text, note, dates
        }

        private static let dateTransform = DateTransform(formatter: .rfc3339)

        init(using random: inout SeededRandom) {
            func date(_ random: inout SeededRandom) -> Date {
                Date(timeIntervalSince1970: Double.random(in: -6e10...2e11, using: &random).rounded())
            }
            let zones = ["UTC", "America/Montreal", "Asia/Kathmandu", "GMT+0530"]
            let texts = ["", "x", " ", "\0", "\"\\/", "é", "e\u{301}", "🇩🇪", "\u{FFFF}", "\r\n", "null"]
            self.date = date(&random)
            timeZone = zones.randomElement(using: &random).flatMap(TimeZone.init(identifier:)) ?? .gmt
            url = Bool.random(using: &random) ? nil : URL(string: "https://example.com/\(random.next())?a=%20#b")
            number = random.next() >> UInt64.random(in: 0...63, using: &random)
            text = "\(Int64(bitPattern: random.next() >> UInt64.random(in: 0...63, using: &random)))"
            note = texts.randomElement(using: &random).flatMap { $0.isEmpty ? nil : $0 }
            dates = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                Bool.random(using: &random) ? nil : date(&random)
            }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            date = try container.decode(using: Self.dateTransform, forKey: .date)
            timeZone = try container.decode(using: TimeZoneTransform(), forKey: .timeZone)
            url = try container.decodeIfPresent(using: URLTransform(), forKey: .url)
            number = try container.decode(using: IntAsStringTransform(), forKey: .number)
            text = try container.decode(using: StringAsIntTransform(), forKey: .text)
            note = try container.decode(using: EmptyStringTransform(), forKey: .note)
            var elements = try container.nestedUnkeyedContainer(forKey: .dates)
            dates = []
            while !elements.isAtEnd {
                dates.append(try elements.decodeIfPresent(using: Self.dateTransform))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(date, forKey: .date, using: Self.dateTransform)
            try container.encode(timeZone, forKey: .timeZone, using: TimeZoneTransform())
            try container.encodeIfPresent(url, forKey: .url, using: URLTransform())
            try container.encode(number, forKey: .number, using: IntAsStringTransform())
            try container.encode(text, forKey: .text, using: StringAsIntTransform())
            try container.encode(note, forKey: .note, using: EmptyStringTransform())
            var elements = container.nestedUnkeyedContainer(forKey: .dates)
            for date in dates { try elements.encodeIfPresent(date, using: Self.dateTransform) }
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func modelsComeBack(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<50 {
            let model = Model(using: &random)
            #expect(try JSONDecoder().decode(Model.self, from: JSONEncoder().encode(model)) == model)
            let list = try PropertyListEncoder().encode([model])
            // Property lists have no `null`.
            if model.note != nil, !model.dates.contains(nil) {
                #expect(try PropertyListDecoder().decode([Model].self, from: list) == [model])
            }
        }
    }

    /// Values that are not what a model asks for, or barely.
    private static let hostile = [
        "null", "true", "0", "-1", "1e400", "-1e400", "1e308", "9223372036854775808", "18446744073709551616", "0.1",
        "1E-999", #""""#, #""NaN""#, #""Infinity""#, #""\u0000""#, #""2018-04-12T23:20:50Z""#, #""e\u0301""#,
        #""2018-04-12T23:20:50Z\u0301""#, #""UTC""#, #""\uD83C\uDDE9""#, #""99999999999999999999""#, #""http://[::1""#,
        "[]", "{}", #"{"a":null}"#, "[null]", #"[["x"]]"#, #"["2018-04-12T23:20:50Z",1]"#, #"[null,"\u0301"]"#,
        String(repeating: "[", count: 300) + String(repeating: "]", count: 300),
        "\"" + String(repeating: "9", count: 10_000) + "\"",
    ]

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func hostileModelsEndInErrorsWithPaths(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var refused = 0
        for _ in 0..<300 {
            var members = [
                "date": #""2018-04-12T23:20:50Z""#, "timeZone": #""UTC""#, "url": #""https://example.com""#,
                "number": #""1""#, "text": "1", "note": #""x""#, "dates": "[]",
            ]
            let keys = members.keys.sorted()
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let key = keys.randomElement(using: &random) ?? ""
                let replacement = Self.hostile.randomElement(using: &random)
                members[key] = Int.random(in: 0..<8, using: &random) == 0 ? nil : replacement
            }
            let model = members.map { "\"\($0)\":\($1)" }.joined(separator: ",")
            do {
                let models = try JSONDecoder().decode([String: Model].self, from: Data(#"{"m":{\#(model)}}"#.utf8))
                _ = try JSONEncoder().encode(models)
            } catch DecodingError.keyNotFound(let key, let context) {
                #expect(keys.contains(key.stringValue) && context.codingPath.map(\.stringValue) == ["m"])
                refused += 1
            } catch {
                let path = codingPath(of: error) ?? []
                #expect(path.first == "m" && path.count > 1 && keys.contains(path[1]), "\(error)")
                refused += 1
            }
        }
        #expect((100..<300).contains(refused))
    }
}
