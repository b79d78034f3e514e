import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

/// How the beginning of a body becomes a value of a line.
struct LogBodyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let type: String?
        let bytes: Data
        let shown: String
        var encoding: String?
        var size: Int?
        var isComplete = true

        init(_ type: String?, _ text: String, _ shown: String) {
            self.init(type, bytes: Data(text.utf8), shown)
        }

        init(_ type: String?, bytes: Data, _ shown: String) {
            (self.type, self.bytes, self.shown) = (type, bytes, shown)
        }

        var testDescription: String { "\(type ?? "-") \(shown)" }

        func cut(size: Int? = nil, encoding: String? = nil, isComplete: Bool = true) -> Row {
            var row = self
            (row.size, row.encoding, row.isComplete) = (size, encoding, isComplete)
            return row
        }
    }

    private static let texts: [Row] = [
        Row("text/plain", "ok", "ok"), Row("text/plain; charset=utf-8", "two words", #""two words""#),
        Row("TEXT/HTML;charset=\"UTF-8\"", "<p>", "<p>"),
        Row("application/json", "{\"a\": 1}\n", #""{\"a\": 1}\u{a}""#),
        Row("application/problem+json", "[1]", "[1]"), Row("application/x-ndjson", "1\n2", #"1\u{a}2"#),
        Row("application/xml", "<a/>", "<a/>"), Row("image/svg+xml", "<svg/>", "<svg/>"),
        Row("application/x-www-form-urlencoded", "a=1&b=2", #""a=1&b=2""#), Row("text/plain", "", #""""#),
        Row("text/plain", "\u{1B}[31m\r\nevent=exchange", #""\u{1b}[31m\u{d}\u{a}event=exchange""#),
        Row("text/plain", "日本…", #"日本\u{2026}"#), Row("text/plain; charset=us-ascii", "a", "a"),
        Row("text/plain; charset=iso-8859-1", bytes: Data([0x63, 0x61, 0x66, 0xE9]), "café"),
        Row("text/plain", "ok", "ok").cut(encoding: "identity"),
    ]

    private static let others: [Row] = [
        Row("image/png", "abc", #""<3 bytes of image/png>""#), Row(nil, "abc", #""<3 bytes>""#),
        Row("no type\r\nat all", "abc", #""<3 bytes>""#),
        Row("multipart/form-data; boundary=b", "--b", #""<3 bytes of multipart/form-data>""#),
        Row("application/octet-stream", "abc", #""<3 bytes of application/octet-stream>""#),
        Row("text/plain; charset=shift_jis", "abc", #""<3 bytes of text/plain>""#),
        Row("text/plain; charset=utf-16le", bytes: Data([0x61, 0, 0x62, 0]), #""<4 bytes of text/plain>""#),
        Row("application/json", bytes: Data([0x31, 0, 0x32, 0]), #""<4 bytes of application/json>""#),
        Row("application/json", bytes: Data([0x22, 0xFF, 0x22]), #""<3 bytes of application/json>""#),
        Row("application/json", "abc", #""<3 bytes of application/json, encoded>""#).cut(encoding: "br"),
    ]

    private static let cuts: [Row] = [
        Row("text/plain", "abc", "abc…").cut(size: 4), Row("text/plain", "abc", "abc…").cut(isComplete: false),
        Row("text/plain", "a b", #""a b…""#).cut(size: 4), Row("text/plain", "", "…").cut(isComplete: false),
        Row("text/plain", bytes: Data("aé".utf8.dropLast()), "a…").cut(size: 9),
        Row("text/plain", bytes: Data("a🦆".utf8.dropLast()), "a…").cut(isComplete: false),
        Row("text/plain", bytes: Data("aé".utf8.dropLast()), #""<2 bytes of text/plain>""#),
        Row("image/png", "abc", #""<9 bytes of image/png>…""#).cut(size: 9),
    ]

    private static let secrets: [Row] = [
        Row("application/json", #"{"password":"x","n":1}"#, #""{\"password\":\"<redacted>\",\"n\":1}""#),
        Row("application/json", #"{"a":[{"Access-Token":12}]}"#, #""{\"a\":[{\"Access-Token\":\"<redacted>\"}]}""#),
        Row("application/json", #"{"refresh_token":{"v":[1]}}"#, #""{\"refresh_token\":\"<redacted>\"}""#),
        Row("application/json", #"{"authorization":"Bearer x"}"#, #""{\"authorization\":\"<redacted>\"}""#),
        Row("application/json", #"{"pass\u0077ord":"x"}"#, #""{\"pass\\u0077ord\":\"<redacted>\"}""#),
        Row(
            "application/json",
            #"{"headers":{"Set-Cookie":"a"}}"#,
            #""{\"headers\":{\"Set-Cookie\":\"<redacted>\"}}""#
        ),
        Row("application/x-www-form-urlencoded", "client%5Fsecret=x&a=1", #""client%5Fsecret=%3Credacted%3E&a=1""#),
        Row("application/x-www-form-urlencoded", "code=x&b=2", #""code=%3Credacted%3E&b=2""#),
        Row("text/html", "<a href='/?token=x&b=2'>", #""<a href='/?token=%3Credacted%3E&b=2'>""#),
        Row("application/json", #"{"password":"se"#, #""{\"password\":\"<redacted>…""#).cut(size: 99),
        Row("application/x-www-form-urlencoded", "a=1&password=se", #""a=1&password=%3Credacted%3E…""#).cut(size: 99),
    ]

    private func line(_ row: Row, _ bodies: LoggingObserver.Bodies = .upTo(1000)) -> String {
        let body = ObservedBody(
            beginning: row.bytes,
            size: row.size,
            isComplete: row.isComplete,
            contentType: row.type,
            contentEncoding: row.encoding
        )
        var line = LogLine("call")
        line.add("request_body", bodies.shown(body, hiding: SecretFinder([[UInt8]]())))
        return line.text
    }

    @Test(arguments: [texts, others, cuts, secrets].joined())
    func aBodyIsShownInOneValue(_ row: Row) {
        #expect(line(row) == "event=call request_body=\(row.shown)")
    }

    @Test func nothingIsShownUnlessAskedFor() {
        for bodies in [LoggingObserver.Bodies.none, .upTo(0), .upTo(-1), .upTo(.min)] {
            #expect(line(Row("text/plain", "ok", ""), bodies) == "event=call")
            #expect(LoggingObserver(bodies: bodies).bodyLimit == 0)
        }
        #expect(LoggingObserver().bodyLimit == 0)
        #expect(LoggingObserver(bodies: .upTo(7)).bodyLimit == 7)
    }

    @Test func noMoreIsShownThanAskedFor() {
        #expect(line(Row("text/plain", "abcdef", ""), .upTo(3)) == "event=call request_body=abc…")
        #expect(line(Row("text/plain", "abcdef", ""), .upTo(6)) == "event=call request_body=abcdef")
    }

    @Test func theNamesOfSecretsCanBeChosen() {
        let row = Row("application/json", #"{"IBAN":"x","token":1}"#, "")
        #expect(line(row, .upTo(99, hiding: ["iban"])).hasSuffix(#"{\"IBAN\":\"<redacted>\",\"token\":1}""#))
        #expect(line(row, .upTo(99, hiding: [])).hasSuffix(#"{\"IBAN\":\"x\",\"token\":1}""#))
        let both = LoggingObserver.Bodies.usualSecrets + ["iban"]
        #expect(line(row, .upTo(99, hiding: both)).hasSuffix(#"{\"IBAN\":\"<redacted>\",\"token\":\"<redacted>\"}""#))
    }

    private static let secret = "hunter2hunter2"

    private static let bodiesWithSecrets = [
        ("application/json", #"{"user":"é","password":"\#(secret)","n":1}"#),
        ("application/json", #"{"token" : ["\#(secret)", {"a":"\#(secret)"}], "n":1}"#),
        ("application/json", #"{"pass\u0077ord":"x\"\#(secret)"}"#),
        ("application/x-ndjson", "{\"api_key\":\"\(secret)\"}\n{\"api_key\":\"\(secret)\"}"),
        ("application/x-www-form-urlencoded", "user=%C3%A9&pass%77ord=\(secret)&client_secret=\(secret)"),
        ("text/plain", "see https://example.com/?access_token=\(secret)#id_token=\(secret)"),
        ("text/html; charset=iso-8859-1", "<a href=\"/?token=\(secret)\">"),
        ("application/json; charset=utf-16le", #"{"password":"\#(secret)"}"#),
    ]

    @Test(arguments: bodiesWithSecrets)
    func aSecretDoesNotShowWhereverTheBodyIsCutOff(_ type: String, _ text: String) {
        let whole = Data(text.utf8)
        #expect(text.contains(Self.secret))
        for count in 0...whole.count {
            for isComplete in [false, true] {
                let body = ObservedBody(
                    beginning: whole.prefix(count),
                    size: whole.count,
                    isComplete: isComplete,
                    contentType: type
                )
                var line = LogLine("call")
                line.add(
                    "response_body",
                    LoggingObserver.Bodies.upTo(1000).shown(body, hiding: SecretFinder([[UInt8]]()))
                )
                // Not even the beginning of it.
                #expect(!line.text.contains("hunt"), "\(count): \(line.text)")
                #expect(!line.text.contains("nter2"), "\(count): \(line.text)")
            }
        }
    }

    /// What the request sent is a secret under any name, and anywhere in a text.
    @Test(arguments: [
        ("Authorization", "Bearer \(secret)"), ("Cookie", "a=1; id=\(secret)"), ("X-Api-Key", secret),
        ("X-Mine", secret),
    ])
    func aRepeatedSecretDoesNotShowWhereverTheBodyIsCutOff(_ name: String, _ value: String) async throws {
        let text = "you sent \(Self.secret) (\(value)), and \(Self.secret)"
        for count in 0...text.utf8.count {
            let lines = LogLines()
            var configuration = URLRequestDispatcher.Configuration()
            configuration.observers = [lines.observer(bodies: .upTo(count))]
            configuration.sensitiveHeaders = ["X-Mine"]
            let transport = ScriptedTransport {
                .scripted(200, for: $0, headers: ["Content-Type": "text/plain"], body: text)
            }
            let dispatcher = URLRequestDispatcher(configuration: configuration, transport: transport)
            var request = URLRequest(url: Fixture.url("https://example.com/"))
            request.setValue(value, forHTTPHeaderField: name)
            let sent = request
            _ = try await dispatcher.data(for: sent)
            let line = try #require(lines.texts.last)
            #expect(line.contains("response_body") == (count > 0))
            #expect(!line.contains("hunter") && !line.contains("nter2"), "\(count): \(line)")
            if count == text.utf8.count { #expect(line.contains("you sent <redacted>")) }
        }
    }
}
