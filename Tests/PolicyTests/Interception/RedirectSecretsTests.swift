import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

/// Tests which server receives which fields when a redirect leads elsewhere.
struct RedirectSecretsTests {
    private static let everything = (["accept", "x-trace"] + RedirectFixture.bound).sorted()
    private static let harmless = ["accept", "x-trace"]

    /// The fields that each URL of a chain gets to see.
    private static func fields(along chain: [String], policy: RedirectPolicy = RedirectPolicy()) async throws
        -> [[String]]
    {
        let web = RedirectFixture(chain: chain, policy: policy)
        _ = try await web.send(RedirectFixture.request("GET", chain[0]))
        #expect(web.sent.count == chain.count)
        return web.sent.map(RedirectFixture.names)
    }

    @Test(arguments: [
        ("http://a.example/1", "http://a.example/2"),
        ("http://a.example/1", "http://a.example:80/2"),
        ("http://a.example/1", "HTTP://A.EXAMPLE/2"),
        ("https://a.example:443/1", "https://a.example/2"),
        ("https://a.example:8443/1", "https://a.example:8443/2"),
        ("http://[::1]:8080/1", "http://[::1]:8080/2"),
    ])
    func secretsStayWithTheirOrigin(_ pair: (String, String)) async throws {
        #expect(try await Self.fields(along: [pair.0, pair.1]) == [Self.everything, Self.everything])
    }

    @Test(arguments: [
        ("http://a.example/1", "http://b.example/2"),
        ("http://a.example/1", "http://sub.a.example/2"),
        ("http://sub.a.example/1", "http://a.example/2"),
        ("http://a.example/1", "http://a.example.evil/2"),
        ("http://a.example/1", "http://a.example./2"),
        ("http://a.example/1", "http://a.example:8080/2"),
        ("http://a.example:8080/1", "http://a.example:8081/2"),
        ("http://a.example/1", "http://a.example:443/2"),
        ("http://a.example/1", "https://a.example/2"),
        ("http://a.example:8443/1", "https://a.example:8443/2"),
        ("http://a.example/1", "//b.example/2"),
        ("http://127.0.0.1/1", "http://localhost/2"),
    ])
    func secretsDoNotLeaveTheirOrigin(_ pair: (String, String)) async throws {
        #expect(try await Self.fields(along: [pair.0, pair.1]) == [Self.everything, Self.harmless])
    }

    @Test func secretsDoNotComeBack() async throws {
        let chains = [
            ["http://a.example/1", "http://b.example/2", "http://a.example/3"],
            ["http://a.example/1", "http://b.example/2", "http://b.example/3"],
            ["http://a.example/1", "http://b.example/2", "http://b.example/3", "http://a.example/4"],
            ["http://a.example/1", "https://a.example/2", "https://a.example/3"],
        ]
        for chain in chains {
            let expected = [Self.everything] + chain.dropFirst().map { _ in Self.harmless }
            #expect(try await Self.fields(along: chain) == expected)
        }
    }

    @Test func secretsGoAsFarAsTheirOriginGoes() async throws {
        let chain = ["http://a.example/1", "http://a.example/2", "http://b.example/3", "http://a.example/4"]
        #expect(
            try await Self.fields(along: chain) == [Self.everything, Self.everything, Self.harmless, Self.harmless]
        )
    }

    @Test func aDowngradeThatIsAllowedStillDropsSecrets() async throws {
        let fields = try await Self.fields(
            along: ["https://a.example/1", "http://a.example/2"],
            policy: RedirectPolicy(allowsDowngrade: true)
        )
        #expect(fields == [Self.everything, Self.harmless])
    }

    @Test func aNameInTwoCasesIsDroppedTwice() async throws {
        let web = RedirectFixture(chain: ["http://a.example/1", "http://b.example/2"])
        var request = URLRequest(url: Fixture.url("http://a.example/1"))
        request.allHTTPHeaderFields = [
            "Authorization": "hunter2", "authorization": "hunter2", "COOKIE": "hunter2", "cookie": "hunter2",
            "x-api-key": "hunter2",
            "X-API-KEY": "hunter2", "Host": "hunter2", "host": "hunter2",
        ]
        _ = try await web.send(request)
        #expect(web.sent.last?.allHTTPHeaderFields ?? [:] == [:])
    }

    @Test func withoutAMarkAFieldIsNoSecret() async throws {
        let web = RedirectFixture(chain: ["http://a.example/1", "http://b.example/2"])
        var request = RedirectFixture.request("GET", "http://a.example/1")
        request.setValue("1", forHTTPHeaderField: "X-Mine")
        _ = try await web.send(request, options: RequestOptions())
        // X-Api-Key needs no mark.
        #expect(RedirectFixture.names(web.sent.last) == ["accept", "x-mine", "x-trace"])
    }

    @Test func theBodyFollowsTo307Only() async throws {
        let web = RedirectFixture(chain: ["http://a.example/1", "http://b.example/2"])
        _ = try await web.send(RedirectFixture.request("POST", "http://a.example/1", body: "body"))
        #expect(web.sent.last?.httpBody == Data("body".utf8))
        #expect(RedirectFixture.names(web.sent.last) == (Self.harmless + RedirectFixture.ofBody).sorted())
    }

    // The row says where the redirect leads; user information of a `Location` is never used.
    @Test(arguments: [
        ("http://a.example/1", "http://evil:hunter2@a.example/2", "http://a.example/2"),
        ("http://a.example/1", "http://evil@b.example/2", "http://b.example/2"),
        ("http://a.example/1", "//evil:hunter2@b.example/2", "http://b.example/2"),
        ("http://user:pass@a.example/1", "/2", "http://user:pass@a.example/2"),
        ("http://user:pass@a.example/1", "http://a.example/2", "http://a.example/2"),
        ("http://user:pass@a.example/1", "//b.example/2", "http://b.example/2"),
        ("http://user:pass@a.example/1", "http://user:pass@b.example/2", "http://b.example/2"),
        ("http://user:pass@a.example/1", "http://user:other@a.example/2", "http://a.example/2"),
        ("http://user:pass@a.example/1", "http://user:pass@a.example:8080/2", "http://a.example:8080/2"),
        ("http://user:pass@a.example/1", "https://user:pass@a.example/2", "https://a.example/2"),
    ])
    func userInformationOfALocationIsNotUsed(_ row: (String, String, String)) async throws {
        let web = RedirectFixture([row.0: .init(statusCode: 302, location: row.1)])
        _ = try await web.send(URLRequest(url: Fixture.url(row.0)))
        #expect(web.sent.last?.url?.absoluteString == row.2)
    }

    @Test func userInformationDoesNotComeBack() async throws {
        let web = RedirectFixture([
            "http://user:pass@a.example/1": .init(statusCode: 302, location: "http://b.example/2"),
            "http://b.example/2": .init(statusCode: 302, location: "//user:pass@a.example/3"),
        ])
        _ = try await web.send(URLRequest(url: Fixture.url("http://user:pass@a.example/1")))
        #expect(web.sent.last?.url?.absoluteString == "http://a.example/3")
    }

    @Test(arguments: [
        ("http://user:hunter2@a.example/1", "http://b.example:0/", TransportError.Code.invalidRedirect),
        ("https://user:hunter2@a.example/1", "http://evil:hunter2@b.example/", .unsafeRedirect),
        ("https://user:hunter2@a.example/1", "file:///hunter2", .unsafeRedirect),
        ("http://user:hunter2@a.example/1", "http:x", .invalidRedirect),
        ("http://user:hunter2@a.example/1", "/1", .redirectLoop),
        ("http://user:hunter2@a.example/1", "/1#hunter2", .redirectLoop),
    ])
    func errorsCarryTheHeadAndNoSecret(_ row: (String, String, TransportError.Code)) async throws {
        let policy = RedirectPolicy(allowsCycles: false)
        let web = RedirectFixture([row.0: .init(statusCode: 302, location: row.1)], policy: policy)
        let request = RedirectFixture.request("GET", row.0)
        let error = try await #require(throws: TransportError.self) { try await web.send(request) }
        #expect(error.code == row.2)
        #expect(error.response?.statusCode.rawValue == 302)
        // The URL's password is a secret wherever the server repeats it.
        let shown = row.1.replacing("evil:hunter2@", with: "").replacing("hunter2", with: "<redacted>")
        #expect(error.response?.firstValue(of: "Location") == shown)
        #expect(!Fixture.allTexts(of: error).contains("hunter2"))
        #expect(!error.localizedDescription.contains("hunter2"))
        for (name, value) in error.request?.allHTTPHeaderFields ?? [:] where name != "WWW-Authenticate" {
            #expect(!value.contains("hunter2"), "\(name)")
        }
        #expect(error.request?.url?.password == nil)
    }
}
