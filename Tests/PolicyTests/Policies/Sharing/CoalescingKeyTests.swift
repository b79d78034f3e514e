import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

/// Which requests may share an exchange.
struct CoalescingKeyTests {
    typealias Change = @Sendable (inout TransportRequest) -> Void

    struct Row: CustomTestStringConvertible, Sendable {
        let rule: String
        let areEqual: Bool
        let first: Change
        let second: Change

        init(_ rule: String, equal areEqual: Bool, _ first: @escaping Change = { _ in }, _ second: @escaping Change) {
            (self.rule, self.areEqual, self.first, self.second) = (rule, areEqual, first, second)
        }

        var testDescription: String { rule }
    }

    private static func url(_ text: String) -> Change { { $0.urlRequest.url = Fixture.url(text) } }

    private static func field(_ name: String, _ value: String) -> Change {
        { $0.urlRequest.setValue(value, forHTTPHeaderField: name) }
    }

    static let rows = [
        Row("nothing differs", equal: true) { _ in },
        Row("the method is GET by default", equal: true) { $0.urlRequest.httpMethod = nil },
        Row("HEAD is not GET", equal: false) { $0.urlRequest.httpMethod = "HEAD" },
        Row("the fragment is not sent", equal: true, url("https://a.example/b"), url("https://a.example/b#c")),
        Row("the query matters", equal: false, url("https://a.example/b?c"), url("https://a.example/b?d")),
        Row("the path matters", equal: false, url("https://a.example/b"), url("https://a.example/c")),
        Row("the scheme matters", equal: false, url("https://a.example/b"), url("http://a.example/b")),
        Row("user information matters", equal: false, url("https://a:b@c.example/"), url("https://a:d@c.example/")),
        Row("options matter", equal: false) { $0.options.maximumHead += 1 },
        Row("deadlines are each call's own", equal: true) { $0.deadline = .now },
        Row("shared deadlines are each call's own", equal: true) { $0.options.deadline = .now },
        Row("total limits are each call's own", equal: true) { $0.options.timeouts.total = .seconds(5) },
        Row("attempts are each call's own", equal: true) { $0.beginAttempt(.hedge) },
        Row("Accept matters", equal: false, field("Accept", "a/b"), field("Accept", "a/c")),
        Row("a missing field matters", equal: false, field("Accept", "a/b")) { _ in },
        Row("the case of names doesn't matter", equal: true, field("X-Mine", "a"), field("x-mine", "a")),
        Row("the case of values matters", equal: false, field("X-Mine", "a"), field("X-Mine", "A")),
        Row("Range matters", equal: false, field("Range", "bytes=0-1"), field("Range", "bytes=2-3")),
        Row("ignored fields may differ", equal: true, field("traceparent", "a"), field("Traceparent", "b")),
        Row("an ignored field may be missing", equal: true, field("X-Request-ID", "a")) { _ in },
        Row("Authorization matters", equal: false, field("Authorization", "a"), field("Authorization", "b")),
        Row("Cookie matters", equal: false, field("Cookie", "a"), field("Cookie", "b")),
        Row("X-Api-Key matters", equal: false, field("X-Api-Key", "a"), field("X-Api-Key", "b")),
        Row(
            "a field that the options call a secret matters even if it is ignored",
            equal: false,
            {
                $0.options.sensitiveHeaders = ["x-request-id"]
                $0.urlRequest.setValue("a", forHTTPHeaderField: "X-Request-ID")
            },
            {
                $0.options.sensitiveHeaders = ["x-request-id"]
                $0.urlRequest.setValue("b", forHTTPHeaderField: "X-Request-ID")
            }
        ),
        Row("the cache policy matters", equal: false) { $0.urlRequest.cachePolicy = .reloadIgnoringLocalCacheData },
        Row("the network service type matters", equal: false) { $0.urlRequest.networkServiceType = .background },
        Row("cellular access matters", equal: false) { $0.urlRequest.allowsCellularAccess = false },
        Row("calls with and without progress differ", equal: false) { $0.reporter = TransferReporter { _ in } },
    ]

    private static let ignored = Set(Coalescing.identifyingHeaders.map { $0.lowercased() })

    private static func key(_ change: Change) -> CoalescingKey? {
        var request = TransportRequest(Fixture.request)
        change(&request)
        return CoalescingKey(request, ignoring: ignored, chain: nil)
    }

    @Test(arguments: rows) func rule(_ row: Row) throws {
        let first = try #require(Self.key(row.first))
        let second = try #require(Self.key(row.second))
        #expect((first == second) == row.areEqual)
        if row.areEqual { #expect(first.hashValue == second.hashValue) }
    }

    static let unshared: [(String, Change)] = [
        ("another method", { $0.urlRequest.httpMethod = "POST" }),
        ("a method in lower case", { $0.urlRequest.httpMethod = "propfind" }),
        ("OPTIONS", { $0.urlRequest.httpMethod = "OPTIONS" }),
        ("a body", { $0.urlRequest.httpBody = Data("a".utf8) }),
        ("an empty body", { $0.urlRequest.httpBody = Data() }),
        ("a body stream", { $0.urlRequest.httpBodyStream = InputStream(data: Data()) }),
        ("a body that is not in memory", { $0.body = .file(Fixture.url) }),
        ("a streamed response", { $0.delivery = .streamed }),
        ("no URL", { $0 = TransportRequest(URLRequest(url: Fixture.url("https:///"))) }),
        ("a file", { $0.urlRequest.url = URL(filePath: "/a") }),
    ]

    @Test(arguments: unshared.indices) func isNotShared(_ index: Int) {
        #expect(Self.key(Self.unshared[index].1) == nil, "\(Self.unshared[index].0)")
    }

    @Test func theChainMatters() {
        let request = TransportRequest(Fixture.request)
        let transport = ScriptedTransport { .scripted(200, for: $0) }
        let identities = (0..<2).map { _ in InterceptorChain([Coalescing()], transport: transport) }
        let keys = identities.map { CoalescingKey(request, ignoring: [], chain: $0.identity) }
        #expect(keys[0] != keys[1])
    }

    @Test func credentialsCannotBeIgnored() async throws {
        let policy = Coalescing(ignoringHeaders: ["authorization", "Cookie", "X-API-KEY", "not a token", "X-Mine"])
        #expect("\(policy)" == #"Coalescing(ignoredHeaders: ["x-mine"])"#)
    }

    @Test func aKeyShowsNoSecret() throws {
        let key = try #require(
            Self.key {
                $0.urlRequest.url = Fixture.url("https://a:S3CRET@b.example/S3CRET?S3CRET")
                $0.urlRequest.setValue("S3CRET", forHTTPHeaderField: "Authorization")
            }
        )
        #expect(!Fixture.allTexts(of: key).contains("S3CRET"))
    }
}
