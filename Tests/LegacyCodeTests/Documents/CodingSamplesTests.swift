// swift-format-ignore-file: NeverForceUnwrap, NoEmptyTrailingClosureParentheses, AllPublicDeclarationsHaveDocumentation

import Foundation
import PiuPiuFutures
import PiuPiuTesting
import Testing

/// "Encoding" and "Decoding" of the document of 1.10.
private class CodingSamples: DocumentSamples {
    private func texts() throws -> [String] {
        var request = URLRequest(url: baseURL, method: .post)
        let jsonString = "{}"
        let myCodable = ["id": "123"]
        var bodies: [Data?] = []

        // Block 19
        request.setJSONBody(string: jsonString, encoding: .utf8)
        bodies.append(request.httpBody)

        // Block 20
        let jsonObject: [String: Any?] = [
            "id": "123",
            "name": "Kevin Malone",
        ]

        try request.setJSONBody(jsonObject: jsonObject)
        bodies.append(request.httpBody)

        // Block 21
        try request.setJSONBody(encodable: myCodable)
        bodies.append(request.httpBody)
        return bodies.map { String(decoding: $0 ?? Data(), as: UTF8.self) }
    }

    func encoded() throws -> [String] { try texts() }

    // Block 22
    func wrapEncoding(_ post: [String: Double]) {
        dispatcher.dataFuture() {
            let url = URL(string: "https://jsonplaceholder.typicode.com/posts/1")!
            var request = URLRequest(url: url, method: .post)
            try request.setJSONBody(post)
            return request
        }.error { error in
            self.note(type(of: error))
        }.send()
    }

    // Block 23
    func unwrap() {
        let request = get("/posts")

        dispatcher.dataFuture(from: request).success { response in
            let data = try response.unwrapData()

            self.note(data.isEmpty)
        }.error { error in
            self.note(error)
        }.send()
    }

    // Block 24
    func decodeAString() {
        let request = get("/missing")

        dispatcher.dataFuture(from: request).success { response in
            let string = try response.decodeString(encoding: .utf8)

            self.note(string)
        }.error { error in
            self.note(error)
        }.send()
    }

    // Block 25
    func decode() {
        let request = get("/posts")

        dispatcher.dataFuture(from: request).success { response in
            let posts = try response.decode([Post].self)

            self.note(posts.count)
        }.error { error in
            self.note(error)
        }.send()
    }
}

/// "Transforms" of the document of 1.10.
private enum TransformSamples {
    // Block 26
    struct ExampleModel: Codable {
        enum CodingKeys: String, CodingKey {
            case timeZoneId
        }

        let timeZone: TimeZone

        init(from decoder: Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            self.timeZone = try container.decode(using: TimeZoneTransform(), forKey: .timeZoneId)
        }

        func encode(to encoder: Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(timeZone, forKey: .timeZoneId, using: TimeZoneTransform())
        }
    }

    // Block 28
    class DateTransform: Transform {
        public let formatter: DateFormatter

        public init(formatter: DateFormatter) {
            self.formatter = formatter
        }

        public func from(json: String, codingPath: [CodingKey]) throws -> Date {
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

        public func toJSON(_ value: Date, codingPath: [CodingKey]) throws -> String {
            return formatter.string(from: value)
        }
    }

    struct OptionalModel: Decodable {
        enum CodingKeys: String, CodingKey {
            case value
        }

        let value: String?

        init(from decoder: Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            // Block 29
            self.value = try container.decodeIfPresent(using: EmptyStringTransform(), forKey: .value) ?? nil
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct CodingSamplesTests {
    @Test func encoding() async throws {
        let texts = try CodingSamples().encoded()
        #expect(texts.count == 3 && texts[0] == "{}" && texts[1].contains("Kevin Malone") && texts[2].contains("123"))
        let failed = await DocumentSamples.run(until: "EncodingError", CodingSamples.self) {
            $0.wrapEncoding(["number": .infinity])
        }
        #expect(failed == ["EncodingError"])
    }

    @Test func decoding() async {
        #expect(await DocumentSamples.run(until: "false", CodingSamples.self) { $0.unwrap() } == ["false"])
        let empty = "\(ResponseError.unexpectedEmptyResponse)"
        #expect(await DocumentSamples.run(until: empty, CodingSamples.self) { $0.decodeAString() } == [empty])
        #expect(await DocumentSamples.run(until: "1", CodingSamples.self) { $0.decode() } == ["1"])
    }

    @Test func transforms() throws {
        let json = Data(#"{"timeZoneId":"America/Montreal"}"#.utf8)
        let model = try JSONDecoder().decode(TransformSamples.ExampleModel.self, from: json)
        #expect(model.timeZone.identifier == "America/Montreal")
        #expect(try JSONEncoder().encode(model) == Data(#"{"timeZoneId":"America\/Montreal"}"#.utf8))
        let empty = try JSONDecoder().decode(TransformSamples.OptionalModel.self, from: Data(#"{"value":""}"#.utf8))
        #expect(empty.value == nil)
        let formatter = DateFormatter.rfc3339
        let transform = TransformSamples.DateTransform(formatter: formatter)
        let date = try transform.from(json: "2020-01-02T03:04:05Z", codingPath: [])
        #expect(try transform.toJSON(date, codingPath: []) == formatter.string(from: date))
    }
}
