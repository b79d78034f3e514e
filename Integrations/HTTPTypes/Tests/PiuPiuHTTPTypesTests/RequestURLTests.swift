import HTTPTypes
import PiuPiuAsync
import PiuPiuHTTPTypes
import Testing

/// Which scheme, authority and path make a URL.
@Suite struct RequestURLTests {
    private func request(
        _ authority: String? = "example.com",
        _ path: String? = "/",
        scheme: String? = "https",
        method: HTTPRequest.Method = .get
    ) -> HTTPRequest {
        HTTPRequest(method: method, scheme: scheme, authority: authority, path: path)
    }

    @Test(arguments: [
        ("/", "/"), ("", "/"), ("?a=1", "/?a=1"), ("/a/b?c=d&e", "/a/b?c=d&e"), ("//evil/x", "//evil/x"),
        ("///", "///"), ("/@evil/", "/@evil/"), ("/a:80", "/a:80"), ("/http://evil/", "/http://evil/"),
        ("/a%20b%2F%00", "/a%20b%2F%00"), ("/?", "/?"), ("/a;b,c!$&'()*+=~._-", "/a;b,c!$&'()*+=~._-"),
        ("/?a[]=1", "/?a%5B%5D=1"), ("/{a}|b^`\"<>", "/%7Ba%7D%7Cb%5E%60%22%3C%3E"), ("/%7Ba}%41", "/%7Ba%7D%41"),
        ("/a/../b/./c", "/a/../b/./c"), ("/*", "/*"),
    ])
    func pathsStayBehindTheAuthority(path: String, sent: String) throws {
        let url = try #require(try URLRequest(request("example.com:81", path)).url)
        #expect(url.absoluteString == "https://example.com:81" + sent)
        #expect(url.host() == "example.com")
        #expect(url.port == 81)
    }

    @Test(arguments: [
        "*", "a", "@evil/", ".evil/", ":80/", "\\evil", "/a\\b", "/a b", "/\u{e9}", "/\u{202e}", "/#a", "/?#",
        "/%",
        "/%zz", "/%4", "/a\u{1}b", "/a\tb", "/\u{7f}/",
    ])
    func pathsThatMakeNoURLAreRefused(path: String) async throws {
        let error = try await refusal { try URLRequest(request("example.com", path)) }
        #expect(error.code == .invalidURL)
        #expect(!error.description.contains("evil"))
    }

    @Test func aPathThatIsMissingIsRefused() async throws {
        #expect(try await refusal { try URLRequest(request("example.com", nil)) }.code == .invalidURL)
    }

    @Test(arguments: [
        "example.com", "EXAMPLE.com", "example.com:8080", "example.com:", "127.0.0.1:1", "[::1]", "[::1]:8080",
        "[fe80::1%25eth0]", "a_b.example", "xn--bcher-kva.example", "localhost.",
    ])
    func authoritiesStayAsTheyAre(authority: String) throws {
        let url = try #require(try URLRequest(request(authority, "/x")).url)
        #expect(url.absoluteString == "https://\(authority)/x")
    }

    @Test(arguments: [
        "", " ", "a b", "user@example.com", "user:secret@example.com", "@", "a@b@c", "[::1]@evil", "example.com/evil",
        "example.com?x", "example.com#x", "example.com\\evil", "example.com\u{ff0f}evil", "b\u{fc}cher.example",
        "example\u{1}.com", "ex%61mple.com", "a,b", "a;b", "a*", "a'b", "a]", ":", ":80", "example.com:port", "[]",
        "[]:80", "[::1", "::1", "[::1]x",
    ])
    func authoritiesThatAreNoneAreRefused(authority: String) async throws {
        let error = try await refusal { try URLRequest(request(authority, "/x")) }
        #expect(error.code == .invalidURL)
        #expect(!"\(error) \(error.debugDescription)".contains("secret"))
        if authority.hasPrefix("user") { #expect(error.reason.contains("user information")) }
    }

    @Test func anAuthorityThatIsNotUTF8IsRefused() async throws {
        var request = request()
        var field = try #require(request.pseudoHeaderFields.authority)
        field = HTTPField(name: field.name, value: [0x61, 0xE9] as [UInt8])
        request.pseudoHeaderFields.authority = field
        #expect(try await refusal { try URLRequest(request) }.code == .invalidURL)
    }

    @Test func hostMayRepeatTheAuthorityOrStandInForIt() async throws {
        var both = request("example.com:81")
        both.headerFields.append(HTTPField(name: try name("host"), value: "Example.com:81"))
        let sent = try URLRequest(both)
        #expect(sent.url?.absoluteString == "https://example.com:81/")
        #expect(sent.value(forHTTPHeaderField: "Host") == nil)

        var alone = request(nil)
        alone.headerFields.append(HTTPField(name: try name("Host"), value: "example.com"))
        #expect(try URLRequest(alone).url?.absoluteString == "https://example.com/")

        var other = request()
        other.headerFields.append(HTTPField(name: try name("Host"), value: "evil.example"))
        #expect(try await refusal { try URLRequest(other) }.code == .invalidRequest)

        alone.headerFields.append(HTTPField(name: try name("host"), value: "example.com"))
        #expect(try await refusal { try URLRequest(alone) }.code == .invalidRequest)
        #expect(try await refusal { try URLRequest(request(nil)) }.code == .invalidURL)
    }

    @Test(arguments: ["http", "https", "HTTP"])
    func webSchemesStay(scheme: String) throws {
        #expect(try URLRequest(request(scheme: scheme)).url?.absoluteString == "\(scheme)://example.com/")
    }

    @Test(arguments: ["ftp", "file", "ws", "wss", "", "https:", "http://evil", "h\u{200b}ttp"])
    func otherSchemesAreRefused(scheme: String) async throws {
        #expect(try await refusal { try URLRequest(request(scheme: scheme)) }.code == .unsupportedScheme)
    }

    @Test func aSchemeThatIsMissingIsRefused() async throws {
        #expect(try await refusal { try URLRequest(request(scheme: nil)) }.code == .invalidURL)
    }

    @Test func asteriskFormIsNotSupported() async throws {
        let options = request("example.com", "*", method: .options)
        #expect(try await refusal { try URLRequest(options) }.code == .unsupported)
    }

    @Test func tunnelsAreRefused() async throws {
        let connect = request("example.com:443", nil, scheme: nil, method: .connect)
        #expect(try await refusal { try URLRequest(connect) }.code == .invalidRequest)
        var extended = request(method: .connect)
        extended.extendedConnectProtocol = "websocket"
        #expect(try await refusal { try URLRequest(extended) }.code == .unsupported)
        extended.method = .get
        #expect(try await refusal { try URLRequest(extended) }.code == .unsupported)
    }

    @Test func methodsStayAsTheyAre() throws {
        for method in ["GET", "PATCH", "PROPFIND", "patch", "M-SEARCH", "!#$%&'*+-.^_`|~9z"] {
            let request = request(method: try #require(HTTPRequest.Method(method)))
            #expect(try URLRequest(request).httpMethod == method)
        }
    }

    @Test(arguments: ["get", "Post", "delete"])
    func methodsThatFoundationWouldChangeAreRefused(method: String) async throws {
        let request = request(method: try #require(HTTPRequest.Method(method)))
        #expect(try await refusal { try URLRequest(request) }.code == .invalidRequest)
    }

    @Test func whateverThePartsAreTheHostIsTheAuthoritys() throws {
        var random = SeededRandom(seed: 20_261_123)
        let pieces =
            Array("ab.:/?#@[]%\\ \t\u{e9}\u{ff0f}*2F;=&~-_{|}\u{0}\"").map(String.init) + ["%2F", "//", "::1", "evil"]
        func text() -> String {
            (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        }
        var made = 0
        for _ in 0..<20_000 {
            let authority = Bool.random(using: &random) ? "host.example:82" : text()
            let path = Bool.random(using: &random) ? "/" + text() : text()
            // swift-http-types trims and replaces what no field may have.
            let request = request(authority, path)
            guard let taken = request.authority, let url = try? URLRequest(request).url else { continue }
            made += 1
            let shown = "\(authority.debugDescription) \(path.debugDescription)"
            #expect(url.absoluteString.hasPrefix("https://\(taken)/"), "\(shown)")
            #expect(url.host()?.isEmpty == false, "\(shown)")
            #expect(url.user() == nil && url.password() == nil && url.fragment() == nil, "\(shown)")
            if authority == "host.example:82" { #expect(url.host() == "host.example" && url.port == 82, "\(shown)") }
        }
        #expect(made > 1000)
    }
}
