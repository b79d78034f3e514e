import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

struct URLRequestBodyTests {
    private struct Post: Codable, Equatable {
        var id = 1
        var date = Date(timeIntervalSince1970: 0)
    }

    private struct Unencodable: Encodable {
        func encode(to encoder: any Encoder) throws { throw CancellationError() }
    }

    private func body(_ change: (inout URLRequest) throws -> Void) rethrows -> (text: String?, contentType: String?) {
        var request = URLRequest(url: Fixture.url, method: .post)
        try change(&request)
        let text = request.httpBody.map { String(decoding: $0, as: UTF8.self) }
        return (text, request.value(forHTTPHeaderField: "Content-Type"))
    }

    @Test func everyJSONFormSetsBodyAndContentType() throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = .sortedKeys
        let object: [String: Any?] = ["a": nil, "b": 1]
        let post = Post()
        let bodies = [
            ("[1]", try body { try $0.setJSONBody([1]) }), ("[1]", try body { try $0.setJSONBody(encodable: [1]) }),
            ("{\"date\":0,\"id\":1}", try body { try $0.setJSONBody(post, encoder: encoder) }),
            ("{\"date\":0,\"id\":1}", try body { try $0.setJSONBody(encodable: post, encoder: encoder) }),
            ("[0]", try body { try $0.setJSONBody([post.date], dateEncodingStrategy: .secondsSince1970) }),
            (
                "[\"1970-01-01T00:00:00Z\"]",
                try body { try $0.setJSONBody(encodable: [post.date], dateEncodingStrategy: .rfc3339) }
            ),
            ("{}", body { $0.setJSONBody(string: "{}") }),
            ("{}", body { $0.setJSONBody(string: "{}", encoding: .ascii) }),
            ("{\"a\":null,\"b\":1}", try body { try $0.setJSONBody(jsonObject: object, options: .sortedKeys) }),
            ("[{\"a\":null,\"b\":1}]", try body { try $0.setJSONBody(jsonArray: [object], options: .sortedKeys) }),
        ]
        for (expected, body) in bodies {
            #expect(body.text == expected)
            #expect(body.contentType == "application/json")
        }
    }

    @Test func httpFormsLeaveTheContentTypeAlone() throws {
        let bodies = [
            ("a", body { $0.setHTTPBody(string: "a") }),
            ("a", body { $0.setHTTPBody(string: "a", encoding: .isoLatin1) }),
            ("{\"a\":null}", try body { try $0.setHTTPBody(jsonObject: ["a": nil]) }),
            ("[{\"a\":[1,2]}]", try body { try $0.setHTTPBody(jsonArray: [["a": [1, 2]]]) }),
        ]
        for (expected, body) in bodies {
            #expect(body.text == expected)
            #expect(body.contentType == nil)
        }
    }

    @Test(arguments: ["Content-Type", "content-type"])
    func aContentTypeThatIsThereStays(_ name: String) throws {
        let body = try body {
            $0.setValue("application/vnd.api+json", forHTTPHeaderField: name)
            try $0.setJSONBody([1])
            $0.ensureJSONContentType()
        }
        #expect(body.contentType == "application/vnd.api+json")
    }

    @Test func aFailureChangesNothing() {
        let changes: [(inout URLRequest) throws -> Void] = [
            { try $0.setJSONBody(Unencodable()) }, { try $0.setJSONBody(encodable: Double.nan) },
            { try $0.setJSONBody(jsonObject: ["a": Double.nan]) }, { try $0.setJSONBody(jsonArray: [["a": Date()]]) },
            { try $0.setHTTPBody(jsonObject: ["a": Double.infinity]) },
            { try $0.setHTTPBody(jsonArray: [["a": Date()]]) },
        ]
        for change in changes {
            var request = URLRequest(url: Fixture.url, method: .post)
            request.setHTTPBody(string: "before")
            let before = request
            #expect(throws: (any Error).self) { try change(&request) }
            #expect(request == before)
            #expect(request.httpBody == before.httpBody)
            #expect(request.value(forHTTPHeaderField: "Content-Type") == nil)
        }
    }

    @Test func aTextThatCannotBeEncodedLeavesNoBody() {
        let body = body {
            $0.setHTTPBody(string: "before")
            $0.setJSONBody(string: "\"é\"", encoding: .ascii)
        }
        #expect(body.text == nil)
        #expect(body.contentType == nil)
    }

    @Test(arguments: [
        String.Encoding.utf16, .utf32, .isoLatin1, .symbol, .shiftJIS, .nonLossyASCII, String.Encoding(rawValue: 0),
        String.Encoding(rawValue: 2_147_483_652), String.Encoding(rawValue: 999_999), String.Encoding(rawValue: .max),
    ])
    func noEncodingTraps(_ encoding: String.Encoding) {
        for text in ["", "a", "é", "😀", "\0", "\u{FFFF}"] {
            _ = body { $0.setHTTPBody(string: text, encoding: encoding) }
        }
    }
}
