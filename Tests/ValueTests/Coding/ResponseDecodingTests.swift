import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing
@testable import PiuPiuRecording

struct ResponseDecodingTests {
    private struct Post: Codable, Equatable {
        var id: Int
        var title: String
    }

    private let json = "{\"id\": 1, \"title\": \"é\"}"
    private let post = Post(id: 1, title: "é")

    @Test func aMissingBodyIsAnError() {
        let response = Fixture.response(nil)
        #expect(throws: ResponseError.unexpectedEmptyResponse) { try response.unwrapData() }
        #expect(throws: ResponseError.unexpectedEmptyResponse) { try response.decodeString() }
        #expect(throws: ResponseError.unexpectedEmptyResponse) { try response.decodeJSONObject() }
        #expect(throws: ResponseError.unexpectedEmptyResponse) { try response.decode(Post.self) }
        #expect(throws: ResponseError.unexpectedEmptyResponse) { try response.decoded(Post.self) }
        #expect(throws: ResponseError.unexpectedEmptyResponse) { try response.makeHTTPResponse().decoded(Post.self) }
    }

    // Foundation on Linux ends the process for the second one (Swift 6.3).
    @Test(arguments: 512...514)
    func aTextThatEndsDeepInsideArraysIsAnError(_ depth: Int) async throws {
        let text = String(repeating: "[", count: depth)
        let response = Fixture.response(text)
        #expect(throws: DecodingError.self) { try response.decode([Post].self) }
        #expect(throws: DecodingError.self) { try response.decodeIfPresent([Post].self) }
        #expect(throws: DecodingError.self) { try response.decode([Post].self, dateDecodingStrategy: .iso8601) }
        #expect(throws: DecodingError.self) { try response.decoded([Post].self) }
        #expect(throws: HARError.self) { try HAR(Data(text.utf8)) }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decodeGuarded([Post].self, from: #require(text.data(using: .utf16LittleEndian)))
        }
        let lines = await collect(Chunks("[]\n", text + "\n").jsonLines(of: [Post].self))
        #expect(lines.elements == [[]])
        #expect(lines.error is DecodingError)
    }

    // Foundation on Linux ends the process for it (Swift 6.3).
    @Test func whatIsNoTextIsNoJSON5() throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let data = Data([0x7B, 0xFF, 0xFE, 0x22, 0x3A, 0x31, 0x7D])
        #expect(throws: DecodingError.self) { try decoder.decodeGuarded([String: Int].self, from: data) }
        for encoding in [String.Encoding.utf8, .utf16, .utf16LittleEndian, .utf32] {
            let data = try #require("{a: \"é\"}".data(using: encoding))
            let decoded = try? decoder.decode([String: String].self, from: data)
            #expect((try? decoder.decodeGuarded([String: String].self, from: data)) == decoded)
        }
    }

    @Test func aNumberOfJSON5MayBeTheWholeText() throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        // Behind a text of each length stands something else in memory.
        for length in 1...200 {
            let text = String(repeating: "9", count: length)
            #expect(try decoder.decodeGuarded(Double.self, from: Data(text.utf8)) == Double(text))
            #expect(try decoder.decodeGuarded(Double.self, from: Data("-\(text)".utf8)) == Double("-\(text)"))
        }
        // A zero among the first bytes does not make it UTF-16.
        for start in ["/*\0*/", "//\0\n", "/*ab\0*/", "\0 ", "\0"] {
            let text = Data((start + String(repeating: "9", count: 23)).utf8)
            let value = try? decoder.decodeGuarded(Double.self, from: text)
            #expect(value == nil || value == Double(String(repeating: "9", count: 23)))
        }
        for encoding in [
            String.Encoding.utf16BigEndian, .utf16LittleEndian, .utf32BigEndian, .utf32LittleEndian, .utf16,
        ] {
            #expect(try decoder.decodeGuarded(Int.self, from: #require("12".data(using: encoding))) == 12)
            #expect(try decoder.decodeGuarded(Int.self, from: #require("123456".data(using: encoding))) == 123_456)
        }
        for bytes in [[0x31, 0, 0x32], [0, 0x31, 0], [0, 0x31], [0xFF, 0xFE, 0x31], [0xFE, 0xFF]] as [[UInt8]] {
            _ = try? decoder.decodeGuarded(Int.self, from: Data(bytes))
        }
    }

    @Test func aCommentOfJSON5MayEndWithABracket() throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        #expect(try decoder.decodeGuarded([Int].self, from: Data("[1] // [".utf8)) == [1])
    }

    @Test func aMissingBodyCanBeNil() throws {
        let response = Fixture.response(nil)
        #expect(try response.decodeIfPresent(Post.self) == nil)
        #expect(try response.decodedIfPresent(Post.self).data == nil)
        #expect(try response.makeHTTPResponse().decodedIfPresent(Post.self).data == nil)
    }

    @Test func anEmptyBodyAndNullAreDecodedAsAnyOther() throws {
        #expect(throws: DecodingError.self) { try Fixture.response("").decodeIfPresent(Post.self) }
        #expect(throws: DecodingError.self) { try Fixture.response("null").decodeIfPresent(Post.self) }
        #expect(try Fixture.response("null").decode(Post?.self) == nil)
        #expect(try Fixture.response("").decodeString() == "")
    }

    @Test func aBodyIsDecoded() throws {
        let response = Fixture.response(json, .created)
        #expect(try response.unwrapData() == Data(json.utf8))
        #expect(try response.decodeString() == json)
        #expect(try response.decode(Post.self) == post)
        #expect(try response.decodeIfPresent(Post.self) == post)
        #expect(try response.decoded(Post.self).data == post)
        #expect(try response.decodedIfPresent(Post.self).data == post)
        let http = try response.makeHTTPResponse()
        #expect(try http.decode(Post.self) == post)
        #expect(try http.decoded(Post.self).data == post)
        #expect(try http.decodedIfPresent(Post.self).data == post)
        #expect(try http.decoded(Post.self).statusCode == .created)
        #expect(try response.decoded(Post.self).statusCode == .created)
        let object = try #require(try response.decodeJSONObject() as? [String: Any])
        #expect(object["id"] as? Int == 1)
        #expect(object["title"] as? String == "é")
    }

    @available(*, deprecated)
    @Test func formerNamesStillWork() throws {
        let response = Fixture.response(json)
        #expect(try response.decodedResponse(Post.self).data == post)
        #expect(try response.decodedResponseIfPresent(Post.self).data == post)
        #expect(try response.makeHTTPResponse().decodedResponse(Post.self).data == post)
        #expect(try response.makeHTTPResponse().decodedResponseIfPresent(Post.self).data == post)
    }

    @Test func theDecoderIsUsed() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        struct User: Decodable { var userName: String }
        let response = Fixture.response("{\"user_name\": \"a\"}")
        #expect(try response.decode(User.self, using: decoder).userName == "a")
        #expect(try response.decoded(User.self, using: decoder).data.userName == "a")
        #expect(throws: DecodingError.self) { try response.decode(User.self) }
    }

    @Test func theDateStrategyIsUsed() throws {
        let response = Fixture.response("[\"1970-01-01T00:00:01Z\"]")
        #expect(try response.decode([Date].self, dateDecodingStrategy: .rfc3339) == [Date(timeIntervalSince1970: 1)])
        #expect(throws: DecodingError.self) { try response.decode([Date].self) }
    }

    @Test(arguments: [
        "1.5", "1e30", "-1e30", "99999999999999999999", "NaN", "Infinity", "-Infinity", "\"1\"", "null", "true", "{}",
        "", "[", "\u{0}", "1 2", "0x10", "+1", "1e", "--1", "01",
    ])
    func whatIsNoIntegerIsADecodingError(_ json: String) {
        #expect(throws: DecodingError.self) { try Fixture.response(json).decode(Int.self) }
    }

    @Test(arguments: ["1e400", "-1e400", "NaN", "Infinity"])
    func whatIsNoDoubleIsADecodingError(_ json: String) {
        #expect(throws: DecodingError.self) { try Fixture.response(json).decode(Double.self) }
    }

    @Test(arguments: ["300", "-1", "255.5"])
    func whatDoesNotFitIsADecodingError(_ json: String) {
        #expect(throws: DecodingError.self) { try Fixture.response(json).decode(UInt8.self) }
    }

    @Test func bytesThatAreNoTextAreAnError() {
        let response = Response(data: Data([0xFF, 0xC3]) as Data?, urlRequest: Fixture.request, head: Fixture.head())
        #expect(throws: ResponseError.failedToDecodeDataToString(encoding: .utf8)) { try response.decodeString() }
        #expect(throws: ResponseError.failedToDecodeDataToString(encoding: .ascii)) {
            try response.decodeString(encoding: .ascii)
        }
        #expect(throws: DecodingError.self) { try response.decode([String].self) }
        #expect(throws: (any Error).self) { try response.decodeJSONObject() }
    }

    @Test(arguments: [
        String.Encoding.ascii, .utf8, .utf16, .utf16BigEndian, .utf16LittleEndian, .utf32, .utf32BigEndian,
        .utf32LittleEndian, .isoLatin1, .isoLatin2, .windowsCP1252, .macOSRoman, .nextstep, .symbol, .shiftJIS,
        .japaneseEUC, .iso2022JP, .nonLossyASCII, String.Encoding(rawValue: 0),
        String.Encoding(rawValue: 2_147_483_652), String.Encoding(rawValue: 999_999), String.Encoding(rawValue: .max),
    ])
    func noEncodingTraps(_ encoding: String.Encoding) {
        var random = SeededRandom(seed: 7)
        for count in 0..<40 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let response = Response(data: Data(bytes) as Data?, urlRequest: Fixture.request, head: Fixture.head())
            _ = try? response.decodeString(encoding: encoding)
        }
    }

    @Test func noJSONTraps() {
        var random = SeededRandom(seed: 8)
        let pieces = [
            "{", "}", "[", "]", ":", ",", "\"", "\\", "\\u", "\\ud800", "null", "true", "1", "-", ".", "e", "1e999",
            "é", "\0", " ", "\u{FEFF}", "NaN", "99999999999999999999999999",
        ]
        for _ in 0..<rounds(5000) {
            let count = Int.random(in: 0...12, using: &random)
            let text = (0..<count).compactMap { _ in pieces.randomElement(using: &random) }.joined()
            _ = try? Fixture.response(text).decodeJSONObject(options: [.fragmentsAllowed])
            _ = try? Fixture.response(text).decode([String: Int].self)
            _ = try? Fixture.response(text).decode([Double].self)
        }
    }

    @Test func deepNestingIsAnError() {
        let text = String(repeating: "[", count: 100_000)
        #expect(throws: (any Error).self) { try Fixture.response(text).decodeJSONObject() }
        #expect(throws: DecodingError.self) { try Fixture.response(text).decode([Int].self) }
    }
}
