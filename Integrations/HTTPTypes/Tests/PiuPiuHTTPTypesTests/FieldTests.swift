import HTTPTypes
import PiuPiuAsync
import PiuPiuHTTPTypes
import Testing

/// Header fields on their way from one type to the other.
@Suite struct FieldTests {
    private func request(_ fields: [(String, String)]) throws -> HTTPRequest {
        var request = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/")
        for (text, value) in fields { request.headerFields.append(HTTPField(name: try name(text), value: value)) }
        return request
    }

    // MARK: Requests

    @Test func listsAreCombinedInTheirOrder() throws {
        let fields = try request([
            ("Accept", "a"), ("x-List", "1"), ("accept", "b;q=0.5"), ("X-LIST", ""), ("x-list", "3"),
        ])
        let sent = try URLRequest(fields).allHTTPHeaderFields
        #expect(sent == ["Accept": "a, b;q=0.5", "x-List": "1, , 3"])
    }

    @Test func cookiesAreCombinedWithSemicolons() throws {
        var request = try request([])
        request.headerFields[.cookie] = "a=1; b=2; c=3"
        #expect(request.headerFields[values: .cookie].count == 3)
        #expect(try URLRequest(request).allHTTPHeaderFields == ["Cookie": "a=1; b=2; c=3"])
    }

    @Test(arguments: [
        "Content-Type", "authorization", "Proxy-Authorization", "Content-Length", "Set-Cookie", "User-Agent", "Range",
        "If-Modified-Since", "Referer", "Origin", "Date", "ETag", "Idempotency-Key",
    ])
    func aFieldThatIsNoListMayOccurOnce(text: String) async throws {
        #expect(try URLRequest(try request([(text, "secret-1")])).allHTTPHeaderFields == [text: "secret-1"])
        let twice = try request([(text, "secret-1"), (text.uppercased(), "secret-1")])
        let error = try await refusal { try URLRequest(twice) }
        #expect(error.code == .invalidRequest)
        #expect(error.reason.lowercased().contains(text.lowercased()))
        #expect(!error.debugDescription.contains("secret"))
    }

    @Test func namesKeepTheirSpelling() throws {
        let names = ["x-lower", "X-UPPER", "x-MiXed", "etag", "CONTENT-TYPE"]
        let sent = try URLRequest(try request(names.map { ($0, "1") })).allHTTPHeaderFields
        #expect(sent.map { Set($0.keys) } == Set(names))
    }

    @Test func valuesThatAreNotUTF8CannotBeSent() async throws {
        var request = try request([])
        request.headerFields.append(HTTPField(name: try name("X-Name"), value: [0x41, 0xE9] as [UInt8]))
        let error = try await refusal { try URLRequest(request) }
        #expect(error.code == .invalidRequest)
        request.headerFields = [try name("X-Name"): "Ren\u{e9}"]
        #expect(try URLRequest(request).allHTTPHeaderFields == ["X-Name": "Ren\u{e9}"])
    }

    // MARK: Secrets

    @Test func fieldsThatAreNotIndexedAreSecrets() throws {
        var fields = HTTPFields()
        for (text, strategy) in [
            ("X-Never", .disallow), ("x-avoided", .avoid), ("X-Plain", .automatic), ("X-Often", .prefer),
            ("X-NEVER", .disallow),
        ] as [(String, HTTPField.DynamicTableIndexingStrategy)] {
            var field = HTTPField(name: try name(text), value: "1")
            field.indexingStrategy = strategy
            fields.append(field)
        }
        let options = RequestOptions(sensitiveHeaders: ["X-Mine"]).hiding(fields)
        #expect(options.sensitiveHeaders.map { $0.lowercased() } == ["x-mine", "x-never", "x-avoided"])
        #expect(RequestOptions().hiding([.accept: "a"]) == RequestOptions())
    }

    // MARK: Both ways

    @Test func repeatedFieldsStayApartBothWays() throws {
        let fields: HTTPHeaderFields = [
            "Set-Cookie": "a=1, 2", "X-A": "", "set-cookie": "b=2", "Vary": "Accept", "Set-Cookie": "a=1, 2",
        ]
        let converted = try HTTPFields(fields)
        #expect(converted[values: .setCookie] == ["a=1, 2", "b=2", "a=1, 2"])
        #expect(converted.map(\.name.rawName) == ["Set-Cookie", "X-A", "set-cookie", "Vary", "Set-Cookie"])
        #expect(HTTPHeaderFields(converted) == fields)
        #expect(HTTPHeaderFields(converted).map(\.name) == fields.map(\.name))
    }

    @Test func valuesThatAreNotUTF8AreReadAsLatin1() throws {
        let fields = HTTPFields([HTTPField(name: try name("X-Name"), value: [0x52, 0xE9] as [UInt8])])
        #expect(HTTPHeaderFields(fields)["X-Name"] == "R\u{e9}")
    }

    @Test(arguments: ["", " ", "a b", ":path", "a:b", "\u{e9}", "a\r\nb", "a\u{0}"])
    func aNameThatIsNoTokenIsAnError(text: String) async throws {
        var fields = HTTPHeaderFields()
        fields.append(name: text, value: "1")
        #expect(try await refusal { try HTTPFields(fields) }.code == .malformedHead)
    }

    @Test func anyValueIsTaken() throws {
        let values = ["", " ", " a ", "a\tb", "a\r\nX-B: c", "\u{0}", "\u{7f}", "\u{1}a", "\u{e9}\u{1F600}"]
        var fields = HTTPHeaderFields()
        for value in values { fields.append(name: "X-A", value: value) }
        let converted = try HTTPFields(fields)
        #expect(converted.count == values.count)
        for field in converted {
            let bytes = field.withUnsafeBytesOfValue { Array($0) }
            #expect(!bytes.contains(0) && !bytes.contains(0x0A) && !bytes.contains(0x0D))
        }
        #expect(converted.last?.value == "\u{e9}\u{1F600}")
    }

    @Test func moreFieldsThanFitAreAnError() async throws {
        var fields = HTTPHeaderFields()
        for index in 0..<65_534 { fields.append(name: "X-A", value: "\(index)") }
        #expect(try HTTPFields(fields).count == 65_534)
        fields.append(name: "X-A", value: "one more")
        #expect(try await refusal { try HTTPFields(fields) }.code == .headTooLarge)
    }

    // MARK: Responses

    @Test(arguments: [0, 1, 99, 100, 200, 299, 599, 600, 999])
    func anyStatusOfThreeDigitsIsTaken(code: Int) throws {
        let url = try #require(URL(string: "https://example.com/"))
        let response = try HTTPResponse(ResponseHead(url: url, statusCode: .other(code)))
        #expect(response.status.code == code)
        #expect(response.status.kind == (100...599 ~= code ? response.status.kind : .invalid))
        #expect(response.status.reasonPhrase == "")
    }

    @Test(arguments: [-1, 1000, .max, .min])
    func otherStatusesAreAnError(code: Int) async throws {
        let url = try #require(URL(string: "https://example.com/"))
        let head = ResponseHead(url: url, statusCode: .other(code))
        #expect(try await refusal { try HTTPResponse(head) }.code == .malformedHead)
    }
}
