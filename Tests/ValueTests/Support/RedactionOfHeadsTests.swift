import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

/// What a server sends back in the head of a response is not shown, and costs no time.
@Suite(.timeLimit(.generous)) struct RedactionOfHeadsTests {
    private func raw(_ lines: String) -> ResponseHead {
        let bytes = Array("HTTP/1.1 500 Error\r\n".utf8) + Array(lines.utf8)
        return ResponseHead(record: ResponseRecord(.raw(RawHead(bytes: bytes)), to: Fixture.request, statusCode: 500))
    }

    private static func request(_ cookies: Int) -> URLRequest {
        var request = URLRequest(url: Fixture.url, method: .get)
        let pairs = (0..<cookies).map { "c\($0)=value-of-cookie-\($0)-\(String($0 * 7919, radix: 36))" }
        request.setValue(pairs.joined(separator: "; "), forHTTPHeaderField: "Cookie")
        return request
    }

    // MARK: Time

    /// The shortest time of several, because other tests run beside this one.
    private func time(_ work: () -> Void) -> Duration {
        (0..<5).map { _ in ContinuousClock().measure(work) }.min() ?? .zero
    }

    @Test func aHeadTakesNoLongerForManySecretsThanForOne() {
        let lines = (0..<2400).map { "X-Field-\($0): \(String(repeating: "abcdefgh ", count: 10))\r\n" }.joined()
        let fields = HTTPHeaderFields((0..<2400).map { HTTPHeaderField(name: "X-\($0)", value: "a value like \($0)") })
        for head in [raw(lines), Fixture.head(.internalServerError, headers: fields)] {
            let one = time { _ = Redaction.standard.head(head, answering: Self.request(1)) }
            let many = time { _ = Redaction.standard.head(head, answering: Self.request(300)) }
            // A pass for each would take three hundred times as long.
            #expect(many < one * 20 + .milliseconds(20), "\(one) \(many)")
        }
    }

    @Test func aServerThatRepeatsCookiesGetsNoTime() {
        var request = URLRequest(url: Fixture.url, method: .get)
        let cookies = (0..<200).map { "c\($0)=" + String(repeating: "a", count: 1000 + $0) + "b" }
        request.setValue(cookies.joined(separator: "; "), forHTTPHeaderField: "Cookie")
        func shown(_ size: Int) -> Duration {
            let head = raw("X-Echo: \(String(repeating: "a", count: size))\r\n")
            return time { _ = Redaction.standard.head(head, answering: request) }
        }
        let (short, long) = (shown(16 * 1024), shown(256 * 1024))
        #expect(long < short * 40 + .milliseconds(20), "\(short) \(long)")
    }

    // MARK: Echoes

    @Test(arguments: [
        "X-Echo: hunter-two\r\n", "X-Echo:hunter-two \r\n", "X-Echo: a\r\n hunter-two\r\n",
        "X-Echo: a hunter-two\rb\r\n",
        "X-Echo: a\u{0}hunter-two\r\n", "X-hunter-two: a\r\n", "Set-Cookie: a\r\n\thunter-two\r\n",
        "X-Echo: user@example.com hunter-two\r\n", "Location: /hunter-two?a@b\r\n", "hunter-two\r\nA: b\r\n",
        "X-Echo: opensesame\r\n", "X-Echo: QWxhZGRpbjpvcGVuc2VzYW1l\r\n", "X-Echo: Aladdin:opensesame\r\n",
    ])
    func anEchoIsHidden(line: String) throws {
        var request = URLRequest(url: Fixture.url, method: .get)
        request.setValue("id=hunter-two", forHTTPHeaderField: "Cookie")
        request.setValue("Basic QWxhZGRpbjpvcGVuc2VzYW1l", forHTTPHeaderField: "Authorization")
        let original = raw(line + "X-Last: kept\r\n")
        let response = try #require(TransportError(.connectionLost, request: request, response: original).response)
        let texts = response.headers.map { "\($0.name): \($0.value)" } + [response.urlResponse.debugDescription]
        for secret in ["hunter-two", "opensesame", "QWxhZGRpbjpvcGVuc2VzYW1l"] {
            #expect(!texts.contains { $0.contains(secret) }, "\(texts)")
        }
        #expect(response.headers["X-Last"] == "kept")
        #expect(response.statusCode == .internalServerError)
        #expect(response.httpVersion == "HTTP/1.1")
    }

    @Test func aSecretThatCannotBeASCIIIsHiddenInEitherCharset() throws {
        var request = URLRequest(url: Fixture.url, method: .get)
        request.setValue("Bearer grüße-an-alle", forHTTPHeaderField: "Authorization")
        let latin = try #require("X-Echo: grüße-an-alle\r\n".data(using: .isoLatin1))
        for line in [Array(latin), Array("X-Echo: grüße-an-alle\r\n".utf8)] {
            let bytes = Array("HTTP/1.1 500 Error\r\n".utf8) + line
            let record = ResponseRecord(.raw(RawHead(bytes: bytes)), to: request, statusCode: 500)
            let shown = Redaction.standard.head(ResponseHead(record: record))
            #expect(shown.headers["X-Echo"] == "<redacted>")
        }
    }

    /// The request is known from the response, for errors that are not told of it.
    @Test func errorsOfTransfersShowNoEcho() throws {
        var request = URLRequest(url: Fixture.url, method: .get)
        request.setValue("Bearer hunter-two", forHTTPHeaderField: "Authorization")
        let bytes = Array("HTTP/1.1 403 Forbidden\r\nX-Echo: hunter-two\r\n".utf8)
        let heads = [
            ResponseHead(record: ResponseRecord(.raw(RawHead(bytes: bytes)), to: request, statusCode: 403)),
            Response(
                data: nil as Data?,
                urlRequest: request,
                head: Fixture.head(.forbidden, headers: ["X-Echo": "hunter-two"])
            ).head,
        ]
        for head in heads.compactMap({ $0 }) {
            let error = TransferError(.unacceptableStatus, response: head)
            #expect(error.response?.headers["X-Echo"] == "<redacted>")
        }
    }

    @Test func interimResponsesAreCleanedToo() throws {
        var request = URLRequest(url: Fixture.url, method: .get)
        request.setValue("Bearer hunter-two", forHTTPHeaderField: "Authorization")
        let interim = InformationalResponse(
            StatusCode(rawValue: 103),
            headers: ["X-Echo": "hunter-two", "Set-Cookie": "a=hunter-three"]
        )
        let head = ResponseHead(url: Fixture.url, statusCode: .ok, informational: [interim])
        let shown = Redaction.standard.head(head, answering: request)
        #expect(shown.informational.map { Array($0.headers).map(\.value) } == [["<redacted>", "<redacted>"]])
    }

    // MARK: Descriptions

    @Test(arguments: [
        ("Location", "https://a.example/b?token=hunter2#c", "https://a.example/b"),
        ("location", "/b?it's hunter2", "/b"), ("Location", "?token=hunter2", ""),
        ("Location", "/cb#access_token=hunter2", "/cb"),
        ("Content-Location", "//a.example?hunter2", "//a.example"), ("Referer", "http://h/a?b=hunter2", "http://h/a"),
        ("SourceMap", "/map.js?sig=hunter2", "/map.js"), ("X-SourceMap", "/map.js?sig=hunter2", "/map.js"),
        ("Link", "</a?page=2&token=hunter2>; rel=\"next\", <b?c>; rel=prev", "</a>; rel=\"next\", <b>; rel=prev"),
        ("Link", "<https://h/a b?it's \"hunter2\">; rel=x", "<https://h/a b>; rel=x"),
        ("Link", "</a#token=hunter2>; rel=x", "</a>; rel=x"), ("Link", "</a?unended hunter2", "</a"),
        ("Refresh", "5; url=/a?token=hunter2", "5; url=/a"), ("Refresh", "0;URL='/a?b=it hunter2'", "0;URL='/a"),
        (
            "Content-Security-Policy", "report-uri https://h/r?key=hunter2; default-src 'self'",
            "report-uri https://h/r default-src 'self'"
        ),
        ("X-Next", "https://h/?token=hunter2", "https://h/"), ("X-Next", "/a?token=hunter2", "/a"),
        ("Report-To", #"{"url":"https://h/r?key=hunter2","n":1}"#, #"{"url":"https://h/r","n":1}"#),
        ("Deprecation", "?1", "?1"), ("Sec-CH-UA-Mobile", "?0", "?0"), ("X-List", "a;b=?1, ?0;c", "a;b=?1, ?0;c"),
        ("X-Number", "#1", "#1"), ("Server", "nginx", "nginx"), ("Location", "https://user:hunter2@h/a", "https://h/a"),
    ])
    func aDescriptionHasNoQuery(name: String, value: String, shown: String) throws {
        let fields = HTTPHeaderFields([HTTPHeaderField(name: name, value: value)])
        #expect("\(fields)" == "\(name): \(shown)")
        #expect("\(fields[0])" == "\(name): \(shown)")
        #expect("\(Fixture.head(.found, headers: fields))" == "HTTP/1.1 302\n\(name): \(shown)")
        var request = URLRequest(url: Fixture.url, method: .get)
        request.setValue(value, forHTTPHeaderField: name)
        #expect(!"\(TransportRequest(request))".contains("hunter2"))
        #expect(try !request.curlCommand().contains("hunter2"))
        // The value itself is the caller's to use.
        #expect(fields[name] == value)
    }

    @Test func aDescriptionDrivesNoTerminal() {
        let value = "a\u{1B}[2Jb\u{202E}c\u{7}\\d\u{9B}e"
        let fields = HTTPHeaderFields([
            HTTPHeaderField(name: "X-\u{1B}[2J", value: "a"), HTTPHeaderField(name: "X", value: value),
        ])
        let head = Fixture.head(.ok, headers: fields)
        let request = TransportRequest(URLRequest("GET", Fixture.url, headers: ["X": value]))
        for text in ["\(head)", "\(fields)", "\(fields[1])", String(reflecting: head), "\(request)"] {
            #expect(
                !text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}" || $0 == "\u{9B}" }
            )
        }
        #expect("\(fields[1])" == #"X: a\u{1b}[2Jb\u{202e}c\u{7}\\d\u{9b}e"#)
        let type: HTTPHeaderFields = ["Content-Type": "a/\u{1B}[2J"]
        let error = UnacceptableResponseError(.contentType, response: Fixture.head(.ok, headers: type))
        #expect(!"\(error)".contains("\u{1B}"))
    }

    @Test func aProxyThatRepeatsItsPasswordIsNotQuoted() throws {
        let proxy = try ProxyServer("http://somebody:hunter-two@proxy.example:3128")
        let failure = ProxyFailure(proxy, statusCode: .forbidden, headers: ["X-Echo": "no hunter-two", "Via": "proxy"])
        #expect(failure.headers["X-Echo"] == "no <redacted>")
        #expect(failure.headers["Via"] == "proxy")
    }
}
