import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuSockets
@testable import PiuPiuValues

/// What names a proxy, what does not, and that no error quotes it.
struct ProxyServerTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let expected: String
        let credentials: String?

        init(_ text: String, _ expected: String, _ credentials: String? = nil) {
            self.text = text
            self.expected = expected
            self.credentials = credentials
        }

        var testDescription: String { text }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let text: String
        let code: ProxyServerError.Code

        init(_ text: String, _ code: ProxyServerError.Code) {
            self.text = text
            self.code = code
        }

        var testDescription: String { String(text.prefix(40)) }
    }

    private static let accepted: [Row] = [
        Row("proxy.example", "http://proxy.example:1080"), Row("proxy.example:3128", "http://proxy.example:3128"),
        Row("http://proxy.example:3128/", "http://proxy.example:3128"),
        Row("HTTP://Proxy.Example:", "http://proxy.example:1080"),
        Row("https://proxy.example", "https://proxy.example:443"),
        Row("socks://proxy.example", "socks4://proxy.example:1080"),
        Row("socks4://ada@10.0.0.1:9", "socks4://10.0.0.1:9", "ada:"),
        Row("socks4a://proxy.example", "socks4a://proxy.example:1080"),
        Row("socks5://proxy.example", "socks5h://proxy.example:1080"),
        Row("socks5h://a:b@proxy.example:65535", "socks5h://proxy.example:65535", "a:b"),
        Row("http://[::1]:3128", "http://[::1]:3128"), Row("[FE80::1]", "http://[fe80::1]:1080"),
        Row("http://a%40b:c%3Ad%2F%25@proxy.example", "http://proxy.example:1080", "a@b:c:d/%"),
        Row("user@pl4ce:word@proxy.example:1", "http://proxy.example:1", "user@pl4ce:word"),
        Row("http://a:@proxy.example:1", "http://proxy.example:1", "a:"),
        Row("http://:b@proxy.example:1", "http://proxy.example:1", ":b"),
        Row("http://:@proxy.example:1", "http://proxy.example:1"),
    ]

    @Test(arguments: accepted)
    func textsAreReadAsCurlReadsThem(_ row: Row) throws {
        let proxy = try ProxyServer(row.text)
        let location = "\(proxy.kind)://\(proxy.location)"
        let credentials: String? = proxy.user.map { "\($0):\(proxy.password)" }
        #expect(location == row.expected)
        #expect(credentials == row.credentials)
    }

    @Test func aURLIsReadLikeItsText() throws {
        #expect(try ProxyServer(Fixture.url("http://[::1]:9/")).location == "[::1]:9")
    }

    @Test func localResolutionHasToBeAskedFor() throws {
        #expect(try ProxyServer("socks5://p").kind == .socks5h)
        #expect(try ProxyServer("socks5://p", resolvesNamesLocally: true).kind == .socks5)
        #expect(try ProxyServer("socks5h://p", resolvesNamesLocally: true).kind == .socks5h)
    }

    private static let invalidHosts: [String] = [
        "", "http://", "http://u:S@", "http://[::1", "http://[p]", "http://[fe80::1%25eth0]", "http://a\"b",
        "http://a%41",
    ]
    private static let invalidTexts: [String] = [
        "p p", "http://u:S\r\n@p", "http://u:S\0@p", "http://bücher", "http:/u:S@p", "http://u:a//S@p",
        "http://p/path", "http://p?S", "http://p#S",
    ]
    private static let unsupportedSchemes: [String] = [
        "ftp://u:S@p", "xyz://u:S@p", "://u:S@p",
    ]
    private static let invalidPorts: [String] = [
        "http://p:0", "http://u:S@p:65536", "http://u:S@p:99999", "http://p:123456", "http://p:1x", "http://p:-1",
        "http://p:1:2", "http://[::1]x",
    ]
    private static let invalidUsers: [String] = [
        "http://u%0D%0AX:S@p", "http://u%zz:S@p", "http://u%3Av:S@p", "socks5://:S@p", "socks4://u%00:@p",
    ]
    private static let invalidPasswords: [String] = [
        "http://u:S%00@p", "http://u:S%FF@p", "http://u:S%0A@p", "socks4://u:S@p",
    ]
    private static let long = String(repeating: "h", count: 256)

    private static let refused: [Refusal] = {
        let texts: [(ProxyServerError.Code, [String])] = [
            (.invalidHost, invalidHosts + ["http://" + long]), (.invalidText, invalidTexts),
            (.unsupportedScheme, unsupportedSchemes), (.invalidPort, invalidPorts),
            (.invalidUser, invalidUsers + ["socks5://" + long + ":S@p"]),
            (.invalidPassword, invalidPasswords + ["socks5://u:" + long + "@p"]),
        ]
        return texts.flatMap { code, texts in texts.map { Refusal($0, code) } }
    }()

    @Test(arguments: refused)
    func otherTextsAreRefusedWithoutBeingQuoted(_ row: Refusal) throws {
        let planted = row.text.replacing("S", with: SecretSearch.secret)
        var error: ProxyServerError?
        do throws(ProxyServerError) {
            _ = try ProxyServer(planted)
        } catch let caught {
            error = caught
        }
        #expect(error?.code == row.code, "\(String(describing: error))")
        expectNoSecret(in: try #require(error))
    }

    @Test func argumentsAreCheckedLikeTexts() throws {
        let authority = URL(filePath: "/ca")
        let long: HTTPHeaderFields = ["X": String(repeating: "x", count: 1 << 17)]
        var rows: [(ProxyServerError.Code, () throws -> ProxyServer)] = [
            (.invalidHost, { try ProxyServer(.http, host: "a b") }),
            (.invalidHost, { try ProxyServer(.http, host: "a@b") }),
            (.invalidHost, { try ProxyServer(.http, host: "::g") }),
            (.invalidPort, { try ProxyServer(.http, host: "p", port: 0) }),
            (.invalidPort, { try ProxyServer(.http, host: "p", port: 65536) }),
            (.invalidUser, { try ProxyServer(.http, host: "p", user: "a:b") }),
            (.invalidUser, { try ProxyServer(.http, host: "p", user: "a\n") }),
            (.invalidPassword, { try ProxyServer(.http, host: "p", user: "a", password: "\u{0}") }),
            (.invalidPassword, { try ProxyServer(.http, host: "p", password: "b") }),
            (.invalidAuthorityFile, { try ProxyServer(.http, host: "p", authorityFile: authority) }),
            (.invalidConnectHeaders, { try ProxyServer(.http, host: "p", connectHeaders: ["X": "a\r\nB: c"]) }),
            (.invalidConnectHeaders, { try ProxyServer(.socks5, host: "p", connectHeaders: ["X": "a"]) }),
            (.invalidConnectHeaders, { try ProxyServer(.http, host: "p", connectHeaders: long) }),
        ]
        for name in ["Host", "Proxy-Authorization", "Connection", "Content-Length", "TE", "a b", "Transfer-Encoding"] {
            let fields: HTTPHeaderFields = [HTTPHeaderName(stringLiteral: name): "x"]
            rows.append((.invalidConnectHeaders, { try ProxyServer(.http, host: "p", connectHeaders: fields) }))
        }
        for (number, (code, make)) in rows.enumerated() {
            let error = #expect(throws: ProxyServerError.self, "row \(number)") { try make() }
            #expect(error?.code == code, "row \(number)")
        }
        #expect(try ProxyServer(.http, host: "::1").location == "[::1]:1080")
    }

    @Test func nothingThatHoldsAProxyShowsItsSecrets() throws {
        let secret = SecretSearch.secret
        let proxy = try ProxyServer(.http, host: "p", user: secret, password: secret, connectHeaders: ["X": secret])
        let configuration = TransportConfiguration(proxy: .server(proxy, except: "localhost"))
        var values: [Any] = [proxy, configuration, configuration.proxy, proxy as ProxyServer? as Any]
        values.append(SocketPlanValues.values(proxy))
        values.append(TransportConfiguration.Proxy.choosing { _ in proxy })
        values.append(ProxySelection.server(proxy, except: ""))
        values.append(ProxySelection(.environment, variables: ["http_proxy": "http://u:\(secret)@p", "no_proxy": "x"]))
        values.append(ProxySelection(.environment, variables: ["http_proxy": "http://u:\(secret)@p:x"]))
        for value in values {
            for showing in SecretSearch.showings(of: value) where showing.tells {
                Issue.record("\(type(of: value)) by \(showing.way): \(showing.text)")
            }
        }
        #expect("\(proxy)".contains("p:1080"))
    }

    @Test func configurationsCanStillBeCompared() throws {
        let (ada, bob) = (try ProxyServer("http://ada:x@p"), try ProxyServer("http://bob:x@p"))
        #expect(ada != bob)
        #expect(TransportConfiguration(proxy: .server(ada)) != TransportConfiguration(proxy: .server(bob)))
        #expect(TransportConfiguration(proxy: .server(ada)) == TransportConfiguration(proxy: .server(ada)))
        let choice = TransportConfiguration.Proxy.choosing { _ in ada }
        let other = TransportConfiguration.Proxy.choosing { _ in ada }
        let none = TransportConfiguration.Proxy.none
        #expect(choice == choice)
        #expect(choice != other)
        #expect(choice != none)
        let all: Set<TransportConfiguration.Proxy> = [choice, other, none, .environment]
        #expect(all.count == 4)
    }
}

private enum SocketPlanValues {
    static func values(_ proxy: ProxyServer) -> [Any] {
        #if os(Linux)
        let key = SocketPlan.Key(proxy: proxy)
        let plan = try? SocketPlan(TransportConfiguration(proxy: .server(proxy)))
        return [key, plan as Any, (try? plan?.profile(for: key)) as Any]
        #else
        return []
        #endif
    }
}
