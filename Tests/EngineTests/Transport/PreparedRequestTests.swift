import PiuPiuAsync
import PiuPiuEngine
import SuiteSupport
import TestSupport
import Testing

struct PreparedRequestTests {
    private static func request(
        _ method: String = "GET",
        _ url: String = "http://example.com/",
        headers: [String: String] = [:],
        body: String? = nil
    ) -> URLRequest {
        var request = URLRequest(url: Fixture.url(url))
        request.httpMethod = method
        request.allHTTPHeaderFields = headers
        request.httpBody = body.map { Data($0.utf8) }
        return request
    }

    private static func prepare(_ request: URLRequest, userAgent: String? = nil) throws -> PreparedRequest {
        try PreparedRequest(TransportRequest(request), userAgent: userAgent)
    }

    private static func lines(_ prepared: PreparedRequest) -> [String] {
        prepared.fields.text
    }

    private static func code(_ request: URLRequest) -> TransportError.Code? {
        do {
            _ = try prepare(request)
            return nil
        } catch {
            return (error as? TransportError)?.code
        }
    }

    @Test func aFieldIsSpelledAsTheOptionsSay() throws {
        var options = RequestOptions()
        options.fieldSpellings = ["SOAPAction", "eTag", "X y", "SOAPACTION"]
        let request = Self.request(headers: ["soapaction": "a", "ETag": "b", "x-other": "c"])
        let prepared = try PreparedRequest(TransportRequest(request, options: options), userAgent: nil)
        let names = Self.lines(prepared).map { $0.prefix { $0 != ":" } }
        #expect(names.contains("SOAPAction") && names.contains("eTag"))
        #expect(names.count { $0.lowercased() == "soapaction" } == 1)
    }

    /// `withContent` with its bytes, or the name of another kind.
    private static func kind(_ prepared: PreparedRequest) -> String {
        switch prepared.kind {
        case .withoutContent: "withoutContent"
        case .head: "head"
        case .withStream: "withStream"
        case .withContent(let data): "withContent \(String(decoding: data, as: UTF8.self))"
        }
    }

    @Test(arguments: [
        ("GET", nil, "withoutContent"), ("GET", "", "withoutContent"), ("HEAD", nil, "head"),
        ("TRACE", nil, "withoutContent"), ("OPTIONS", nil, "withoutContent"), ("OPTIONS", "x", "withContent x"),
        ("DELETE", nil, "withoutContent"), ("DELETE", "", "withoutContent"), ("DELETE", "x", "withContent x"),
        ("POST", nil, "withContent "), ("POST", "", "withContent "), ("POST", "x", "withContent x"),
        ("PUT", nil, "withContent "), ("PATCH", nil, "withContent "), ("PROPFIND", nil, "withoutContent"),
        ("PROPFIND", "x", "withContent x"), ("get", nil, "withoutContent"), ("head", nil, "head"),
    ])
    func framingFollowsFromMethodAndBody(_ row: (String, String?, String)) throws {
        #expect(Self.kind(try Self.prepare(Self.request(row.0, body: row.1))) == row.2)
    }

    @Test(arguments: ["GET", "HEAD", "TRACE", "get", "head"])
    func methodsWithoutBodyRefuseOne(_ method: String) {
        #expect(Self.code(Self.request(method, body: "x")) == .invalidRequest)
    }

    @Test(arguments: [
        "CONNECT", "connect", "", " ", "GE T", "GET ", "GET\r\nX: y", "GET\n", "GET\u{0}", "GET\u{7F}", "GÉT", "GET:",
        "G/T", "GET / HTTP/1.1\r\nHost: evil\r\n\r\nGET",
    ])
    func methodsThatMayNotBeSentAreRefused(_ method: String) {
        #expect(Self.code(Self.request(method)) == .invalidRequest)
    }

    @Test func aRequestWithoutMethodIsGet() throws {
        var request = URLRequest(url: Fixture.url)
        request.httpMethod = nil
        #expect(try Self.prepare(request).method == "GET")
    }

    @Test(arguments: ["PURGE", "patch", "M-SEARCH", "x!#$%&'*+-.^_`|~"])
    func otherMethodsAreSentAsWritten(_ method: String) throws {
        #expect(try Self.prepare(Self.request(method)).method == method)
    }

    @Test func aBodyStreamIsRefused() {
        var request = Self.request("POST")
        request.httpBodyStream = InputStream(data: Data("x".utf8))
        #expect(Self.code(request) == .invalidRequest)
    }

    @Test(arguments: [
        ("ftp://example.com/", TransportError.Code.unsupportedScheme), ("file:///etc/passwd", .unsupportedScheme),
        ("javascript:alert(1)", .unsupportedScheme), ("//example.com/", .unsupportedScheme), ("http:///x", .invalidURL),
        ("http://", .invalidURL), ("http://a%2Fb/", .invalidURL), ("http://a:0/", .invalidURL),
    ])
    func urlsThatMayNotBeSentAreRefused(_ row: (String, TransportError.Code)) {
        #expect(Self.code(Self.request("GET", row.0)) == row.1)
    }

    @Test func aRequestWithoutURLIsRefused() {
        var request = Self.request()
        request.url = nil
        #expect(Self.code(request) == .invalidURL)
    }

    @Test func aContentLengthMustAgreeWithTheBody() throws {
        #expect(
            try Self.lines(Self.prepare(Self.request("PUT", headers: ["Content-Length": "3"], body: "abc")))
                .allSatisfy { !$0.hasPrefix("Content-Length") }
        )
        #expect(Self.code(Self.request("PUT", headers: ["Content-Length": "4"], body: "abc")) == .invalidRequest)
        #expect(Self.code(Self.request("GET", headers: ["Content-Length": "0"])) == nil)
        #expect(Self.code(Self.request("GET", headers: ["Content-Length": "1"])) == .invalidRequest)
        #expect(
            Self.code(Self.request("POST", headers: ["Transfer-Encoding": "chunked"], body: "x")) == .invalidRequest
        )
    }

    @Test func twoHostsAreRefused() {
        #expect(Self.code(Self.request(headers: ["Host": "a", "host": "b"])) == .invalidRequest)
    }

    @Test(arguments: [
        ("http://user:pass@a/", "Basic dXNlcjpwYXNz"), ("http://user@a/", "Basic dXNlcjo="),
        ("http://:pass@a/", "Basic OnBhc3M="), ("http://a:c:d@a/", "Basic YTpjOmQ="),
        ("http://%C3%BC:%40%2F@a/", "Basic w7w6QC8="), ("http://us%0d%0aX:y@a/", "Basic dXMNClg6eQ=="),
    ])
    func userInformationBecomesBasicCredentials(_ pair: (String, String)) throws {
        let prepared = try Self.prepare(Self.request("GET", pair.0))
        #expect(Self.lines(prepared) == ["Authorization: " + pair.1])
        #expect(prepared.target.url == "http://a/")
    }

    @Test func aUserNameWithAColonIsRefused() {
        #expect(Self.code(Self.request("GET", "http://a%3Ab:c@a/")) == .invalidRequest)
        #expect(Self.code(Self.request("GET", "http://a%3A%CC%81b:c@a/")) == .invalidRequest)
    }

    @Test(arguments: ["x\r\nEvil: 1", "x\u{0}y", "x\n"])
    func aUserAgentOfTheConfigurationIsCheckedToo(_ userAgent: String) {
        #expect(throws: TransportError.self) {
            try Self.prepare(Self.request("GET", "http://a/"), userAgent: userAgent)
        }
    }

    @Test func anEmptyUserInformationIsNone() throws {
        #expect(try Self.lines(Self.prepare(Self.request("GET", "http://@a/"))) == [])
    }

    @Test(arguments: ["Authorization", "authorization", "AUTHORIZATION"])
    func anExplicitAuthorizationWins(_ name: String) throws {
        let request = Self.request("GET", "http://user:pass@a/", headers: [name: "Bearer x"])
        #expect(try Self.lines(Self.prepare(request)) == ["\(name): Bearer x"])
    }

    @Test func theUserAgentIsAddedWhereThereIsNone() throws {
        #expect(try Self.lines(Self.prepare(Self.request(), userAgent: "PiuPiu/2")) == ["User-Agent: PiuPiu/2"])
        #expect(try Self.lines(Self.prepare(Self.request(), userAgent: nil)) == [])
        let own = Self.request(headers: ["user-agent": "me"])
        #expect(try Self.lines(Self.prepare(own, userAgent: "PiuPiu/2")) == ["user-agent: me"])
    }

    @Test func noContentTypeIsInvented() throws {
        #expect(try Self.lines(Self.prepare(Self.request("POST", body: "x"))) == [])
        #expect(try Self.lines(Self.prepare(Self.request("POST"))) == [])
        #expect(try Self.lines(Self.prepare(Self.request("DELETE"))) == [])
        let own = Self.request("POST", headers: ["content-type": "text/plain"], body: "x")
        #expect(try Self.lines(Self.prepare(own)) == ["content-type: text/plain"])
        let empty = Self.request("POST", headers: ["Content-Type": ""], body: "x")
        #expect(try Self.lines(Self.prepare(empty)) == ["Content-Type:"])
        let expecting = Self.request("POST", headers: ["Expect": "100-continue"], body: "x")
        #expect(try Self.lines(Self.prepare(expecting)) == ["Expect: 100-continue"])
    }

    @Test func anAcceptEncodingOfTheCallersSwitchesDecodingOff() throws {
        #expect(try Self.prepare(Self.request()).decodesContent)
        #expect(try !Self.prepare(Self.request(headers: ["accept-encoding": "gzip"])).decodesContent)
        #expect(try Self.prepare(Self.request(headers: ["Connection": "close"])).closesConnection)
        #expect(try !Self.prepare(Self.request(headers: ["Connection": "keep-alive"])).closesConnection)
    }

    @Test(arguments: [
        ("GET", true), ("HEAD", true), ("OPTIONS", true), ("TRACE", true), ("PUT", true), ("DELETE", true),
        ("POST", false), ("PATCH", false), ("PROPFIND", false), ("Trace", false),
    ])
    func idempotentMethodsMayBeSentAgain(_ pair: (String, Bool)) throws {
        #expect(try Self.prepare(Self.request(pair.0)).isIdempotent == pair.1)
        let keyed = Self.request(pair.0, headers: ["idempotency-key": "1"])
        #expect(try Self.prepare(keyed).isIdempotent)
    }

    @Test func optionsAndDeadlineAreTakenOver() throws {
        let deadline = ContinuousClock.now
        let options = RequestOptions(maximumBufferedBody: 7, maximumHead: 8)
        let request = TransportRequest(Self.request(), options: options, deadline: deadline)
        let prepared = try PreparedRequest(request, userAgent: nil)
        #expect(prepared.options == options)
        #expect(prepared.deadline == deadline)
    }

    private static let secret = "hunter2"

    @Test(arguments: [
        request(headers: ["Authorization": "Bearer hunter2\r\n"]), request(headers: ["Cookie": "a=hunter2\u{0}"]),
        request(headers: ["X-Api-Key": "hunter2\n"]), request(headers: ["Auth orization": "hunter2"]),
        request(headers: ["Transfer-Encoding": "hunter2", "Authorization": "hunter2"]),
        request(headers: ["Content-Length": "hunter2"]), request("GET", "http://user:hunter2@exa%2Fmple.com/"),
        request("GET", "http://user:hunter2@example.com:0/"), request("GET", "ftp://user:hunter2@example.com/"),
        request("GET", "http://example.com:0/?token=hunter2#hunter2"), request(body: "hunter2"),
        request("BAD METHOD", "http://user:hunter2@example.com/", headers: ["Cookie": "hunter2"], body: "hunter2"),
    ])
    func errorsHoldNoSecret(_ request: URLRequest) throws {
        let options = RequestOptions(sensitiveHeaders: ["X-Api-Key"])
        let error = try #require(throws: TransportError.self) {
            try PreparedRequest(TransportRequest(request, options: options), userAgent: nil)
        }
        #expect(!Fixture.allTexts(of: error).contains(Self.secret))
        #expect(!error.localizedDescription.contains(Self.secret))
        #expect(!error.reason.contains(Self.secret))
        #expect(!Fixture.allTexts(of: error as any Error).contains(Self.secret))
        // What can be a secret is not even in the request that the error holds.
        let shown = error.request?.allHTTPHeaderFields ?? [:]
        for name in ["Authorization", "Cookie", "X-Api-Key"] {
            #expect(shown[name]?.contains(Self.secret) != true)
        }
        #expect(error.request?.httpBody == nil)
        #expect(error.request?.url?.user == nil && error.request?.url?.password == nil)
    }

    @Test(arguments: [5, 6, 7] as [UInt64])
    func randomFieldsNeverBreakOutOfTheirLine(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<3_000 {
            func text() -> String {
                let bytes = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                    UInt8.random(in: 0...0xFF, using: &random)
                }
                return String(decoding: bytes, as: UTF8.self)
            }
            let (method, name, value) = (text(), text(), text())
            var request = Self.request("GET", headers: [name: value])
            if Bool.random(using: &random) { request.httpMethod = method }
            guard let prepared = try? Self.prepare(request) else { continue }
            #expect(prepared.method.utf8.allSatisfy { $0.isTokenCharacter })
            let lines = prepared.fields.lines
            #expect(lines.filter { $0 == 0x0A }.count <= 1)
            #expect(lines.dropLast(2).allSatisfy { $0.isFieldCharacter })
            #expect(lines.isEmpty || lines.suffix(2) == [0x0D, 0x0A])
        }
    }
}
