import PiuPiuAsync
import PiuPiuEngine
import SuiteSupport
import TestSupport
import Testing

struct RequestFieldsTests {
    /// The lines of one field; `nil` if the field is refused.
    private static func lines(_ name: String, _ value: String, contentLength: Int64 = 0) -> [String]? {
        var fields = RequestFields()
        guard (try? fields.append(name: name, value: value, contentLength: contentLength)) != nil else { return nil }
        return fields.list.text
    }

    @Test(arguments: [
        ("Accept", "text/html", "Accept: text/html"), ("x!#$%&'*+-.^_`|~9", "y", "x!#$%&'*+-.^_`|~9: y"),
        ("X", "a\tb", "X: a\tb"), ("X", "schön", "X: schön"), ("X", "a;b", "X: a;b"), ("X", "a:b", "X: a:b"),
        ("X", "", "X:"), ("X", " ", "X:"), ("X", "\t \t", "X:"), ("Host", "other.example", "Host: other.example"),
        ("Connection", "Close", "Connection: Close"),
    ])
    func aFieldIsWritten(_ row: (String, String, String)) {
        #expect(Self.lines(row.0, row.1) == [row.2])
    }

    @Test(arguments: [
        "", " ", "a b", " a", "a ", "a:", ":a", "a\r", "a\n", "a\r\nb", "a\u{0}", "a\u{7F}", "a\t", "é", "a\u{200B}",
        "a;", "a,", "a/b", "a@b", "(a)", "a=b", "[a]", "{a}", "\"a\"", "a\\b", "<a>", "a?",
    ])
    func namesThatAreNoTokensAreRefused(_ name: String) {
        #expect(Self.lines(name, "x") == nil)
    }

    @Test func everyControlCharacterInAValueIsRefused() {
        for byte in UInt8.min...0x7F {
            let value = "a" + String(UnicodeScalar(byte)) + "b"
            let isControl = byte < 0x20 && byte != 0x09 || byte == 0x7F
            #expect((Self.lines("X", value) == nil) == isControl, "\(byte)")
        }
    }

    @Test(arguments: [
        "a\rb", "a\nb", "a\r\nInjected: b", "a\r\n b", "a\r\n\tb", "\r", "\n", "\r\n", "a\r\n", "\r\na", "a\u{0}b",
        "\u{0}", "a\u{7F}", "\r\n\r\nGET / HTTP/1.1",
    ])
    func injectionIsRefused(_ value: String) {
        #expect(Self.lines("X-Field", value) == nil)
    }

    @Test func theReasonDoesNotHoldTheValue() {
        for (name, value) in [("X-Secret", "hunter2\r\n"), ("Content-Length", "hunter2"), ("Connection", "hunter2")] {
            var fields = RequestFields()
            do throws(RequestFields.Refusal) {
                try fields.append(name: name, value: value, contentLength: 3)
                Issue.record("\(name) was accepted")
            } catch {
                #expect(!Fixture.allTexts(of: error).contains("hunter2"))
                #expect(error.reason.contains(name))
            }
        }
    }

    @Test(arguments: [
        ("Content-Length", "5", true), ("content-length", "5", true), ("Content-Length", "4", false),
        ("Content-Length", "+5", false), ("Content-Length", "05", false), ("Content-Length", "5, 5", false),
        ("Content-Length", " 5", false), ("Content-Length", "", false), ("Content-Length", "0x5", false),
        ("Content-Length", "٥", false), ("Transfer-Encoding", "chunked", false),
        ("transfer-encoding", "identity", false), ("Transfer-Encoding", "", false), ("Connection", "keep-alive", true),
        ("Connection", "Keep-Alive", true), ("Connection", "upgrade", false),
        ("Connection", "close, X-Forwarded-For", false), ("Connection", "", false), ("TE", "trailers", false),
        ("Trailer", "Expires", false), ("Upgrade", "websocket", false), ("Keep-Alive", "timeout=5", false),
        ("HTTP2-Settings", "AAMAAABk", false), ("Proxy-Connection", "keep-alive", false),
    ])
    func framingBelongsToTheTransport(_ row: (String, String, Bool)) {
        // What agrees is left out, because the transport writes it.
        #expect(Self.lines(row.0, row.1, contentLength: 5) == (row.2 ? [] : nil))
    }

    @Test func aSecondHostIsRefused() throws {
        var fields = RequestFields()
        try fields.append(name: "Host", value: "a", contentLength: 0)
        #expect(throws: RequestFields.Refusal.self) { try fields.append(name: "host", value: "b", contentLength: 0) }
    }

    @Test func whatTheEngineHasToKnowIsNoticed() throws {
        var fields = RequestFields()
        #expect(!fields.hasAcceptEncoding && !fields.closesConnection && !fields.hasIdempotencyKey)
        try fields.append(name: "ACCEPT-ENCODING", value: "identity", contentLength: 0)
        try fields.append(name: "connection", value: "CLOSE", contentLength: 0)
        try fields.append(name: "idempotency-key", value: "1", contentLength: 0)
        #expect(fields.hasAcceptEncoding && fields.closesConnection && fields.hasIdempotencyKey)
    }

    @Test(arguments: ["Proxy-Authorization", "PROXY-AUTHORIZATION"])
    func whatIsForTheProxyOfATunnelIsKeptApart(_ name: String) throws {
        var secure = RequestFields(isSecure: true)
        try secure.append(name: name, value: "x", contentLength: 0)
        #expect(secure.list.isEmpty)
        #expect(secure.forProxy.text == ["\(name): x"])
        #expect(throws: RequestFields.Refusal.self) {
            try secure.append(name: name, value: "x\r\nY: z", contentLength: 0)
        }
        var plain = RequestFields()
        try plain.append(name: name, value: "x", contentLength: 0)
        #expect(plain.forProxy.isEmpty)
        #expect(Self.lines(name, "x") == ["\(name): x"])
    }
}
