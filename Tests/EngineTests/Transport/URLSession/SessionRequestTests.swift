import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuURLSession

struct SessionRequestTests {
    private func make(_ urlRequest: URLRequest, userAgent: String? = "Agent/1") throws -> URLRequest {
        let request = TransportRequest(urlRequest)
        let prepared = try PreparedRequest(request, userAgent: userAgent)
        return try #require(SessionRequest.make(request, prepared, body: urlRequest.httpBody))
    }

    @Test func whatWasValidatedIsSentAndNothingElse() throws {
        let url = try #require(URL(string: "http://user:word@example.org:8080/a?b=c#d"))
        let headers = ["X-A": "1", "X-Empty": "", "Content-Length": "4", "Connection": "keep-alive"]
        let made = try make(URLRequest("POST", url, body: "body", headers: headers))
        #expect(made.url?.absoluteString == "http://example.org:8080/a?b=c")
        #expect(made.httpMethod == "POST")
        #expect(made.httpBody == Data("body".utf8))
        for (name, value) in [
            ("X-A", "1"), ("X-Empty", ""), ("Content-Length", nil), ("Connection", nil), ("User-Agent", "Agent/1"),
            ("Authorization", "Basic dXNlcjp3b3Jk"), ("Expect", nil),
        ] {
            #expect(made.value(forHTTPHeaderField: name) == value, "\(name)")
        }
        #expect(!made.httpShouldHandleCookies)
        #expect(made.timeoutInterval > 1_000_000)
    }

    @Test func whatURLSessionCannotDoIsRefused() throws {
        let http = try RequestTarget(Fixture.url)
        let https = try RequestTarget(try #require(URL(string: "https://example.org/")))
        #expect(http.isSecure == (Fixture.url.scheme == "https"))
        var configuration = TransportConfiguration()
        #expect(SessionRequest.refusal(configuration, https) == nil)
        configuration.http2 = .never
        #expect(SessionRequest.refusal(configuration, https)?.code == .unsupported)
        configuration.http2 = .always
        configuration.certificateAuthorityFile = URL(filePath: "/authority.pem")
        #expect(SessionRequest.refusal(configuration, https)?.code == .unsupported)
        let plain = try RequestTarget(try #require(URL(string: "http://127.0.0.1/")))
        #expect(SessionRequest.refusal(configuration, plain) == nil)
    }

    @Test(arguments: [("https://a.org", TransportError.Code.unsupported), ("http://a.org", nil)])
    func whatIsForTheProxyOfATunnelIsRefused(_ row: (String, TransportError.Code?)) throws {
        var request = URLRequest(url: Fixture.url(row.0), method: .get)
        request.setValue("Basic x", forHTTPHeaderField: "Proxy-Authorization")
        let prepared = try PreparedRequest(TransportRequest(request), userAgent: nil)
        #expect(SessionRequest.refusal(TransportConfiguration(), prepared)?.code == row.1)
    }

    @Test("Trailers and expectations are refused, because URLSession would ignore them")
    func ignored() throws {
        var request = TransportRequest(URLRequest("POST", Fixture.url("http://a.org/")))
        request.body = RequestBody.data(Data("abc".utf8)).withTrailers(["X-A"]) { [:] }
        let trailing = try PreparedRequest(request, userAgent: nil)
        #expect(SessionRequest.refusal(TransportConfiguration(), trailing)?.code == .unsupported)
        request.body = .data(Data("abc".utf8))
        for (rule, isRefused) in [(ExpectContinue.never, false), (.above(3), false), (.above(2), true)] {
            request.options.expectContinue = rule
            let prepared = try PreparedRequest(request, userAgent: nil)
            let code = SessionRequest.refusal(TransportConfiguration(), prepared)?.code
            #expect(code == (isRefused ? .unsupported : nil))
        }
    }

    @Test(arguments: [
        ([:], "http://a.org/", false), (["http_proxy": "http://p:1"], "http://a.org/", true),
        (["http_proxy": ""], "http://a.org/", false), (["HTTP_PROXY": "http://p:1"], "http://a.org/", false),
        (["http_proxy": "http://p:1"], "https://a.org/", false),
        (["https_proxy": "http://p:1"], "https://a.org/", true),
        (["HTTPS_PROXY": "http://p:1"], "https://a.org/", true), (["all_proxy": "http://p:1"], "http://a.org/", true),
        (["ALL_PROXY": "http://p:1"], "https://a.org/", true),
        (["all_proxy": "http://p:1", "no_proxy": "*"], "http://a.org/", false),
        (["all_proxy": "http://p:1", "no_proxy": "b.org, a.org"], "http://a.org:81/", false),
        (["all_proxy": "http://p:1", "NO_PROXY": ".org"], "http://A.org/", false),
        (["all_proxy": "http://p:1", "no_proxy": "org"], "http://aorg/", true),
        (["all_proxy": "http://p:1", "no_proxy": "127.0.0.1"], "http://127.0.0.1:9/", false),
    ])
    func proxiesOfTheEnvironmentAreSeen(_ variables: [String: String], _ url: String, _ expected: Bool) throws {
        let target = try RequestTarget(try #require(URL(string: url)))
        #expect(ProxyEnvironment(variables).hasProxy(for: target) == expected)
    }
}
