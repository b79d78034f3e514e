import PiuPiuAsync
import PiuPiuTransforms
import Testing

/// The samples of the articles about transforms, and those in the `///` comments there.
struct TransformSamplesTests {
    struct Event: Codable {
        private enum CodingKeys: String, CodingKey {
            case id, day, timeZone, note
        }

        private static let day: DateTransform = {
            let formatter = DateFormatter.rfc3339
            formatter.dateFormat = "yyyy-MM-dd"
            return DateTransform(formatter: formatter)
        }()

        let id: UInt64
        let day: Date
        let timeZone: TimeZone?
        let note: String?

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(using: IntAsStringTransform(), forKey: .id)
            day = try container.decode(using: Self.day, forKey: .day)
            timeZone = try container.decodeIfPresent(using: TimeZoneTransform(), forKey: .timeZone)
            note = try container.decodeIfPresent(using: EmptyStringTransform(), forKey: .note)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(id, forKey: .id, using: IntAsStringTransform())
            try container.encode(day, forKey: .day, using: Self.day)
            try container.encodeIfPresent(timeZone, forKey: .timeZone, using: TimeZoneTransform())
            try container.encodeIfPresent(note, forKey: .note, using: EmptyStringTransform())
        }
    }

    @Test(arguments: [
        #"{"day":"2018-04-12","id":"18446744073709551615","note":"x","timeZone":"America/Montreal"}"#,
        #"{"day":"2018-04-12","id":"7"}"#,
    ])
    func modelWithTransforms(json: String) throws {
        let event = try JSONDecoder().decode(Event.self, from: Data(json.utf8))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(String(decoding: try encoder.encode(event), as: UTF8.self) == json)
    }

    struct TagsTransform: Transform {
        func from(json: String, codingPath: [any CodingKey]) throws -> [String] {
            json.split(separator: ",").map(String.init)
        }

        func toJSON(_ value: [String], codingPath: [any CodingKey]) throws -> String {
            guard !value.contains(where: { $0.contains(",") }) else {
                let problem = EncodingError.Context(codingPath: codingPath, debugDescription: "A tag has a comma.")
                throw EncodingError.invalidValue(value, problem)
            }
            return value.joined(separator: ",")
        }
    }

    @Test func transformOfYourOwn() throws {
        #expect(try TagsTransform().from(json: "a,b", codingPath: []) == ["a", "b"])
        #expect(try TagsTransform().toJSON(["a", "b"], codingPath: []) == "a,b")
        #expect(throws: EncodingError.self) { try TagsTransform().toJSON(["a,b"], codingPath: []) }
    }

    struct Page: Decodable {
        enum CodingKeys: String, CodingKey {
            case links
        }

        var links: [URL] = []

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)

            var elements = try container.nestedUnkeyedContainer(forKey: .links)
            while !elements.isAtEnd {
                if let link = try? elements.decode(using: URLTransform()) {
                    links.append(link)
                } else {
                    _ = try elements.decode(String.self)
                }
            }
        }
    }

    @Test func elementsOfAnArray() throws {
        let json = #"{"links":["https://a.example","","https://b.example"]}"#
        let page = try JSONDecoder().decode(Page.self, from: Data(json.utf8))
        #expect(page.links.map { $0.host() } == ["a.example", "b.example"])
    }

    struct Account: Codable, Equatable {
        enum CodingKeys: String, CodingKey {
            case id, value, timeZoneId
        }

        let id: Int
        let value: String?
        let timeZone: TimeZone

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            self.id = try container.decode(using: IntAsStringTransform(), forKey: .id)
            self.value = try container.decodeIfPresent(using: EmptyStringTransform(), forKey: .value)
            self.timeZone = try container.decode(using: TimeZoneTransform(), forKey: .timeZoneId)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(id, forKey: .id, using: IntAsStringTransform())
            try container.encode(value, forKey: .value, using: EmptyStringTransform())
            try container.encode(timeZone, forKey: .timeZoneId, using: TimeZoneTransform())
        }
    }

    @Test(arguments: ["", #""value":null,"#, #""value":"","#])
    func comments(value: String) throws {
        let json = #"{"id":"7",\#(value)"timeZoneId":"Europe/Berlin"}"#
        let account = try JSONDecoder().decode(Account.self, from: Data(json.utf8))
        #expect(account.id == 7 && account.value == nil && account.timeZone.identifier == "Europe/Berlin")
        #expect(try JSONDecoder().decode(Account.self, from: JSONEncoder().encode(account)) == account)
    }
}
