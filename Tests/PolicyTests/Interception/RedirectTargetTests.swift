import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

/// Tests where a redirect leads, and where it may not lead.
struct RedirectTargetTests {
    private static let source = "http://a.example/b/c?d=e"

    /// Follows one redirect.
    ///
    /// - Returns: The URL of the request after it, or the code of the error.
    private static func follow(
        _ location: String,
        from source: String = source,
        policy: RedirectPolicy = RedirectPolicy()
    ) async -> String {
        let key = String(source.prefix { $0 != "#" })
        let web = RedirectFixture([key: .init(statusCode: 302, location: location)], policy: policy)
        do {
            _ = try await web.send(URLRequest(url: Fixture.url(source)))
            return web.sent.last?.url?.absoluteString ?? "(none)"
        } catch {
            return (error as? TransportError).map { "\($0.code)" } ?? "\(error)"
        }
    }

    @Test(arguments: [
        ("sib", "http://a.example/b/sib"), ("./sib", "http://a.example/b/sib"), ("../up", "http://a.example/up"),
        ("../../../up", "http://a.example/up"), ("/abs", "http://a.example/abs"), ("/", "http://a.example/"),
        ("?q", "http://a.example/b/c?q"), ("?", "http://a.example/b/c?"),
        ("//h.example/x", "http://h.example/x"), ("//h.example", "http://h.example"),
        ("http://h.example/x?y#z", "http://h.example/x?y#z"), ("https://h.example", "https://h.example"),
        ("HTTPS://h.example/x", "HTTPS://h.example/x"), ("/x//y/./z", "http://a.example/x//y/z"),
        ("/a:b", "http://a.example/a:b"), ("http://h.example:8080", "http://h.example:8080"),
        (":a", "http://a.example/b/:a"), ("1:b", "http://a.example/b/1:b"), ("x_y:z", "http://a.example/b/x_y:z"),
        ("http://h.example/x/../next/./y", "http://h.example/next/y"), ("//h.example/a/b/../..", "http://h.example/"),
        ("http://h.example/../..", "http://h.example/"), ("/a/b/../c/.?x=../y", "http://a.example/a/c/?x=../y"),
        ("http://h.example?a/../b", "http://h.example?a/../b"), ("..", "http://a.example/"),
        (".", "http://a.example/b/"),
        ("/...", "http://a.example/..."), ("/a/%2e%2E/b", "http://a.example/a/%2e%2E/b"),
    ])
    func locationsAreResolvedAgainstTheRequest(_ pair: (String, String)) async {
        #expect(await Self.follow(pair.0) == pair.1)
    }

    @Test(arguments: [
        ("/x", "http://a.example/x#own"), ("/x#new", "http://a.example/x#new"), ("/x#", "http://a.example/x#"),
        ("//b.example/x", "http://b.example/x#own"), ("?q#new", "http://a.example/b?q#new"),
    ])
    func theFragmentIsInherited(_ pair: (String, String)) async {
        #expect(await Self.follow(pair.0, from: "http://a.example/b#own") == pair.1)
    }

    @Test(arguments: [
        ("/%0d%0aX-Injected:%20y", "http://a.example/%0d%0aX-Injected:%20y"), ("/%00", "http://a.example/%00"),
        ("/%2F..%2f", "http://a.example/%2F..%2f"), ("/schön", "http://a.example/sch%C3%B6n"),
        ("/?ü=ß#é", "http://a.example/?%C3%BC=%C3%9F#%C3%A9"), ("/a b", "http://a.example/a%20b"),
        ("/😀", "http://a.example/%F0%9F%98%80"), ("http://münchen.example/", "http://xn--mnchen-3ya.example/"),
        ("/\r\nX: y", "http://a.example/%0D%0AX:%20y"), ("/<\">", "http://a.example/%3C%22%3E"),
        ("/\\evil.example", "http://a.example/%5Cevil.example"), ("/a\tb", "http://a.example/a%09b"),
        ("/e/%2F?t=A_%26_B&p=r|c", "http://a.example/e/%2F?t=A_%26_B&p=r%7Cc"),
        ("/e?x=%26a&y=a b", "http://a.example/e?x=%26a&y=a%20b"),
        ("/a%2Fb%7c?x=%2B+%20&y=%5B1%5D&z=%zz", "http://a.example/a%2Fb%7c?x=%2B+%20&y=%5B1%5D&z=%25zz"),
        ("/%41%zz%4?%#%f", "http://a.example/%41%25zz%254?%25#%25f"),
        ("/?a[]=%5B#%23#|", "http://a.example/?a%5B%5D=%5B#%23%23%7C"),
        ("//h.example/[%5B]?{%7B}", "http://h.example/%5B%5B%5D?%7B%7B%7D"),
        ("http://h.example/%E9|", "http://h.example/%E9%7C"), ("%2F/../é%C3", "http://a.example/b/%C3%A9%C3"),
        ("http://[::1]/%5B|", "http://[::1]/%5B%7C"), ("http://[::1]:80/x", "http://[::1]:80/x"),
        ("\\\\evil.example", "http://a.example/b/%5C%5Cevil.example"),
    ])
    func nothingIsDecodedAndWhatMayNotBeSentIsEncoded(_ pair: (String, String)) async {
        #expect(await Self.follow(pair.0) == pair.1)
    }

    /// Of a head as it arrives, whatever its encoding: escaping the text would make other bytes of it.
    @Test(
        arguments: [
            ([0x2F, 0x63, 0x61, 0x66, 0xE9], "/caf%E9"), ([0x2F, 0xC3, 0xA9, 0x25, 0x43, 0x33], "/%C3%A9%C3"),
            ([0x2F, 0x3F, 0xFC, 0x3D, 0x25, 0x46, 0x43, 0x7C], "/?%FC=%FC%7C"),
            ([0x2F, 0x80, 0xFF, 0x23, 0xA0], "/%80%FF#%A0"),
        ] as [([UInt8], String)]
    )
    func bytesAreEscapedAsTheyAre(_ row: ([UInt8], String)) async throws {
        let transport = ScriptedTransport { request in
            guard request.urlRequest.url?.path() == "/start" else { return .scripted(200, for: request) }
            let head = Array("HTTP/1.1 302 Found\r\nLocation: ".utf8) + row.0 + Array("\r\n\r\n".utf8)
            return TransportResponse(
                record: ResponseRecord(.raw(RawHead(bytes: head)), to: request.urlRequest),
                body: Data()
            )
        }
        let request = TransportRequest(URLRequest(url: Fixture.url("http://a.example/start")))
        let response = try await InterceptorChain([RedirectPolicy()], transport: transport)(request)
        #expect(response.urlRequest.url?.absoluteString == "http://a.example" + row.1)
    }

    @Test func anEmptyLocationIsNoRedirect() async throws {
        let web = RedirectFixture(["http://a.example/": .init(statusCode: 302, location: "")])
        let response = try await web.send(URLRequest(url: Fixture.url("http://a.example/")))
        #expect(response.head.statusCode.rawValue == 302)
        #expect(web.sent.count == 1)
    }

    @Test(arguments: [
        "http://", "http:", "http:x", "http:/x", "//", "///x", "http://[", "http://[]/", "http://:80/",
        "http://h:0/",
        "http://h:65536/", "http://h:x/", "http://h%2Fx/", "http://h%00/", "//h%40x/", "http://h\\x/", "http://h x/",
        "http://h|/", "http://é\u{FF0F}evil.example/", "http://é\u{FF20}evil.example/", "http://[::1/",
        "http://[::1]x/",
    ])
    func whatIsNoURLIsRefused(_ location: String) async {
        #expect(await Self.follow(location) == "invalidRedirect")
    }

    @Test(arguments: [
        "file:///etc/passwd", "javascript:alert(1)", "ftp://h.example/", "data:text/plain,x", "mailto:a@b",
        "ws://h.example/",
        "unix:/run/socket", "gopher://h.example/", "about:blank", "http+unix://%2Frun%2Fsocket/",
    ])
    func otherSchemesAreRefused(_ location: String) async {
        #expect(await Self.follow(location) == "unsafeRedirect")
    }

    @Test func fromSecureToInsecureOnlyWhereAllowed() async {
        let (source, target) = ("https://a.example/1", "http://a.example/2")
        #expect(await Self.follow(target, from: source) == "unsafeRedirect")
        #expect(await Self.follow("http://b.example:443/", from: source) == "unsafeRedirect")
        #expect(await Self.follow(target, from: source, policy: RedirectPolicy(allowsDowngrade: true)) == target)
        let file = await Self.follow("file:///x", from: source, policy: RedirectPolicy(allowsDowngrade: true))
        #expect(file == "unsafeRedirect")
        #expect(await Self.follow("https://b.example/", from: "http://a.example/1") == "https://b.example/")
    }

    @Test func aRefusedRedirectIsNotSent() async {
        let web = RedirectFixture(["https://a.example/": .init(statusCode: 302, location: "http://a.example/")])
        await #expect(throws: TransportError.self) {
            try await web.send(URLRequest(url: Fixture.url("https://a.example/")))
        }
        #expect(web.sent.count == 1)
    }

    // On Linux, changing a request that has no URL ends the process.
    @Test func aRequestWithoutURLIsNotChanged() async throws {
        let transport = ScriptedTransport { request in
            guard request.urlRequest.url == nil else { return .scripted(200, for: request) }
            return .scripted(302, for: request, headers: ["Location": "http://a.example/"])
        }
        var request = URLRequest(url: Fixture.url)
        request.url = nil
        let response = try await InterceptorChain([RedirectPolicy()], transport: transport)(TransportRequest(request))
        #expect(response.urlRequest.url?.absoluteString == "http://a.example/")
    }

    // MARK: Ends

    @Test(arguments: ["/1", "1", "#x", "http://a.example/1", "/1#other"])
    func aRedirectToItselfIsFollowedUpToTheLimit(_ location: String) async {
        #expect(await Self.follow(location, from: "http://a.example/1") == "tooManyRedirects")
        let strict = RedirectPolicy(allowsCycles: false)
        #expect(await Self.follow(location, from: "http://a.example/1", policy: strict) == "redirectLoop")
    }

    @Test func aRedirectToItselfMayEnd() async throws {
        let count = Locked(0)
        let transport = ScriptedTransport { request in
            let visits = count.withLock { count in
                count += 1
                return count
            }
            return visits < 3
                ? .scripted(302, for: request, headers: ["Location": "/state"]) : .scripted(200, for: request)
        }
        let chain = InterceptorChain([RedirectPolicy()], transport: transport)
        let response = try await chain(TransportRequest(URLRequest(url: Fixture.url("http://a.example/state"))))
        #expect(response.head.statusCode == .ok)
        #expect(response.history.count == 2)
    }

    @Test func aCircleIsALoopWhereItIsForbidden() async throws {
        let web = RedirectFixture(
            chain: ["http://a.example/", "http://b.example/", "http://a.example/"],
            policy: RedirectPolicy(allowsCycles: false)
        )
        let error = try await #require(throws: TransportError.self) {
            try await web.send(URLRequest(url: Fixture.url("http://a.example/")))
        }
        #expect(error.code == .redirectLoop)
        #expect(error.reason.contains("http://a.example") && error.reason.contains("allowsCycles"))
        #expect(error.response?.url.absoluteString == "http://b.example/")
        #expect(web.sent.count == 2)
    }

    @Test func theSameURLWithAnotherMethodIsNoLoop() async throws {
        let count = Locked(0)
        let transport = ScriptedTransport { request in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            return isFirst
                ? .scripted(303, for: request, headers: ["Location": "/form"]) : .scripted(200, for: request)
        }
        let chain = InterceptorChain([RedirectPolicy()], transport: transport)
        let request = TransportRequest(RedirectFixture.request("POST", "http://a.example/form", body: "body"))
        let response = try await chain(request)
        #expect(response.head.statusCode == .ok)
        #expect(transport.requests.map(\.urlRequest.httpMethod) == ["POST", "GET"])
    }

    @Test func cyclesAreFollowedUpToTheLimit() async throws {
        let web = RedirectFixture(
            chain: ["http://a.example/", "http://a.example/"],
            policy: RedirectPolicy(limit: 7)
        )
        let error = try await #require(throws: TransportError.self) {
            try await web.send(URLRequest(url: Fixture.url("http://a.example/")))
        }
        #expect(error.code == .tooManyRedirects)
        #expect(web.sent.count == 8)
    }

    @Test func twentyRedirectsAreFollowedAndTheNextIsNot() async throws {
        let urls = (0...21).map { "http://a.example/\($0)" }
        let allowed = RedirectFixture(chain: Array(urls.dropLast()))
        let response = try await allowed.send(URLRequest(url: Fixture.url(urls[0])))
        #expect(response.history.count == 20)
        #expect(response.head.statusCode == .ok)
        let refused = RedirectFixture(chain: urls)
        let error = try await #require(throws: TransportError.self) {
            try await refused.send(URLRequest(url: Fixture.url(urls[0])))
        }
        #expect(error.code == .tooManyRedirects)
        #expect(error.response?.url.absoluteString == "http://a.example/20")
        #expect(refused.sent.count == 21)
    }

    @Test(arguments: [(0, 1), (1, 2), (2, 3), (-1, 1), (Int.min, 1)])
    func theLimitIsTheNumberOfRedirects(_ pair: (Int, Int)) async {
        let web = RedirectFixture(
            chain: (0..<9).map { "http://a.example/\($0)" },
            policy: RedirectPolicy(limit: pair.0)
        )
        await #expect(throws: TransportError.self) {
            try await web.send(URLRequest(url: Fixture.url("http://a.example/0")))
        }
        #expect(web.sent.count == pair.1)
    }

    @Test func aLimitDoesNotHinderWhatIsNoRedirect() async throws {
        let web = RedirectFixture([:], policy: RedirectPolicy(limit: 0))
        #expect(try await web.send(URLRequest(url: Fixture.url("http://a.example/"))).head.statusCode == .ok)
    }

    @Test(arguments: [41, 42, 43] as [UInt64])
    func randomLocationsNeverTrapAndNeverLeakSecrets(_ seed: UInt64) async {
        var random = SeededRandom(seed: seed)
        let pieces = [
            "http", "https", ":", "/", "//", "\\", "@", "#", "?", "%", "%2F", "%0d%0a", "[", "]", "::1", "a.example",
            "b.c",
            "80", "0", ".", "..", " ", "\r\n", "\t", "é", "😀", "&", "javascript", "file", "user:hunter2",
        ]
        for _ in 0..<rounds(1_000) {
            let location = (0..<Int.random(in: 0...7, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
            let web = RedirectFixture(["https://a.example/1": .init(statusCode: 307, location: location)])
            _ = try? await web.send(RedirectFixture.request("GET", "https://a.example/1"))
            guard web.sent.count == 2, let last = web.sent.last, let url = last.url else { continue }
            guard let target = try? RequestTarget(url) else {
                Issue.record("\(location.debugDescription) led to \(url)")
                continue
            }
            #expect(target.isSecure, "\(location.debugDescription)")
            #expect(target.userInformation == nil, "\(location.debugDescription)")
            let staysHome = target.origin == "https://a.example:443"
            #expect(
                (last.value(forHTTPHeaderField: "Authorization") != nil) == staysHome,
                "\(location.debugDescription)"
            )
        }
    }
}
