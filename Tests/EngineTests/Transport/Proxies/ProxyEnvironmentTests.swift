import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuSockets

/// Which variable names the proxy of a request.
struct ProxyEnvironmentTests {
    private static func choice(_ variables: [String: String], _ url: String) throws -> String? {
        let request = TransportRequest(URLRequest(url: Fixture.url(url)))
        let selection = ProxySelection(.environment, variables: variables)
        return try selection.proxy(for: try RequestTarget(Fixture.url(url)), request)?.location
    }

    private static let choices: [([String: String], String, String?)] = [
        (["http_proxy": "a:1", "all_proxy": "b:2"], "http://x/", "a:1"),
        (["https_proxy": "a:1", "HTTPS_PROXY": "b:2"], "https://x/", "a:1"),
        (["https_proxy": "", "HTTPS_PROXY": "b:2"], "https://x/", "b:2"),
        (["all_proxy": "a:1", "ALL_PROXY": "b:2"], "https://x/", "a:1"),
        (["all_proxy": "a:1", "ALL_PROXY": "b:2"], "http://x/", "a:1"), (["HTTP_PROXY": "a:1"], "http://x/", nil),
        (["http_proxy": "a:1"], "https://x/", nil),
        (["http_proxy": "a:1", "no_proxy": "", "NO_PROXY": "x"], "http://x/", nil),
        (["http_proxy": "a:1", "no_proxy": "y", "NO_PROXY": "x"], "http://x/", "a:1"),
        (["http_proxy": "a:1", "no_proxy": "10.0.0.0/8"], "http://10.2.3.4:81/", nil),
        (["http_proxy": "a:1", "no_proxy": "fe80::/10"], "http://[fe80::1]/", nil),
        (["http_proxy": "socks5://a"], "http://x/", "a:1080"),
    ]

    @Test(arguments: choices)
    func theFirstVariableCounts(_ variables: [String: String], _ url: String, _ expected: String?) throws {
        #expect(try Self.choice(variables, url) == expected)
    }

    @Test func aVariableWithoutAUsableProxyFailsTheRequestsThatNeedIt() throws {
        let variables = ["http_proxy": "http://u:\(SecretSearch.secret)@a:x", "https_proxy": "b:1", "no_proxy": "c"]
        let error = #expect(throws: TransportError.self) { try Self.choice(variables, "http://x/") }
        #expect(error?.code == .proxy && error?.reason.contains("http_proxy") == true)
        #expect(try SecretSearch.showings(of: #require(error)).allSatisfy { !$0.tells })
        #expect(try Self.choice(variables, "https://x/") == "b:1")
        #expect(try Self.choice(variables, "http://c/") == nil)
    }

    @Test func aSOCKSProxyIsNotToldAHostNameThatIsTooLong() throws {
        let host = Array(repeating: String(repeating: "a", count: 50), count: 6).joined(separator: ".")
        let error = #expect(throws: TransportError.self) {
            try Self.choice(["all_proxy": "socks5h://a"], "http://\(host)/")
        }
        #expect(error?.code == .proxy)
        #expect(try Self.choice(["all_proxy": "http://a"], "http://\(host)/") == "a:1080")
    }

    #if os(Linux)
    @Test func requestsWithoutAProxyNeedNoLookUp() throws {
        let proxy = try ProxyServer("http://p")
        #expect(try SocketPlan(TransportConfiguration(proxy: .none)).isUniform)
        #expect(try !SocketPlan(TransportConfiguration(proxy: .server(proxy))).isUniform)
        #expect(ProxySelection(.environment, variables: ["no_proxy": "*", "HTTP_PROXY": "a"]).isNone)
    }
    #endif
}
