import Foundation
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

/// The jar as an interceptor.
@Suite(.timeLimit(.generous)) struct CookieJarTests {
    /// Answers `/set?…` with the query as a cookie, `/to?…` with a redirect to the query and a cookie, and everything with the
    /// `Cookie` field as its body.
    private static func transport(_ headers: HTTPHeaderFields = [:]) -> ScriptedTransport {
        ScriptedTransport { request in
            let url = request.urlRequest.url
            let cookie = request.urlRequest.value(forHTTPHeaderField: "Cookie") ?? "none"
            let query = url?.query(percentEncoded: false) ?? ""
            var fields = headers
            if url?.path == "/set" { fields.append(name: "Set-Cookie", value: query) }
            guard url?.path == "/to" else { return .scripted(200, for: request, headers: fields, body: cookie) }
            fields["Location"] = query
            fields.append(name: "Set-Cookie", value: "hop=\(url?.host() ?? "")")
            return .scripted(302, for: request, headers: fields, body: cookie)
        }
    }

    private static func dispatcher(
        _ jar: CookieJar?,
        _ interceptors: [any Interceptor] = [],
        _ transport: ScriptedTransport = transport()
    ) -> URLRequestDispatcher {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.cookies = jar
        return URLRequestDispatcher(configuration: configuration, interceptors: interceptors, transport: transport)
    }

    private func body(_ dispatcher: URLRequestDispatcher, _ url: String, cookie: String? = nil) async throws -> String {
        var request = URLRequest(url: Fixture.url(url), method: .get)
        if let cookie { request.setValue(cookie, forHTTPHeaderField: "Cookie") }
        return try await dispatcher.data(for: request).decodeString()
    }

    @Test func withoutAJarNoCookieIsKept() async throws {
        let dispatcher = Self.dispatcher(nil)
        _ = try await body(dispatcher, "https://a.example/set?a=1")
        #expect(try await body(dispatcher, "https://a.example/") == "none")
        #expect(URLRequestDispatcher.Configuration().cookies == nil)
    }

    @Test func aCookieComesBack() async throws {
        let jar = CookieJar()
        let dispatcher = Self.dispatcher(jar)
        #expect(try await body(dispatcher, "https://a.example/set?a=1;Path=/;Secure") == "none")
        #expect(try await body(dispatcher, "https://a.example/") == "a=1")
        #expect(try await body(dispatcher, "http://a.example/") == "none")
        #expect(try await body(dispatcher, "https://b.example/") == "none")
        #expect(jar.count == 1)
        // The same jar in another dispatcher.
        #expect(try await body(Self.dispatcher(jar), "https://a.example/") == "a=1")
    }

    @Test func eachHopHasItsOwnCookies() async throws {
        let jar = CookieJar()
        jar.set("b=2", from: Fixture.url("https://b.example/"))
        let transport = Self.transport()
        let dispatcher = Self.dispatcher(jar, [], transport)
        let url = "https://a.example/to?https://b.example/to?https://a.example/"
        #expect(try await body(dispatcher, url, cookie: "mine=0") == "hop=a.example")
        let sent = transport.requests.map { $0.urlRequest.value(forHTTPHeaderField: "Cookie") }
        // The caller's own goes to no other host, and does not come back.
        #expect(sent == ["mine=0", "b=2", "hop=a.example"])
        #expect(Set(jar.snapshot.cookies.map(\.domain)) == ["a.example", "b.example"])
        #expect(jar.cookies(for: Fixture.url("https://b.example/")).map(\.value) == ["2", "b.example"])
    }

    @Test func theResponseHasTheRequestThatWasSent() async throws {
        let jar = CookieJar()
        jar.set("a=1", from: Fixture.url("https://a.example/"))
        let response = try await Self.dispatcher(jar).data(for: URLRequest(url: Fixture.url("https://a.example/")))
        #expect(response.urlRequest.value(forHTTPHeaderField: "Cookie") == "a=1")
        // Sent again as it is, it has no cookie twice.
        _ = jar.set("b=2", from: Fixture.url("https://a.example/"))
        let again = try await Self.dispatcher(jar).data(for: response.urlRequest)
        #expect(try again.decodeString() == "a=1; b=2")
    }

    @Test func severalFieldsOfAResponseAreStored() async throws {
        let jar = CookieJar()
        let fields: HTTPHeaderFields = ["Set-Cookie": "a=1, x", "set-cookie": "b=2", "Set-Cookie2": "c=3"]
        _ = try await body(Self.dispatcher(jar, [], Self.transport(fields)), "https://a.example/")
        #expect(jar.cookies(for: Fixture.url("https://a.example/")).map(\.value) == ["1, x", "2"])
    }

    @Test func aRetryHasTheCookieOfTheFirstAttempt() async throws {
        let jar = CookieJar()
        let count = Locked(0)
        let transport = ScriptedTransport { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            let cookie = request.urlRequest.value(forHTTPHeaderField: "Cookie") ?? "none"
            return .scripted(
                number == 1 ? 503 : 200,
                for: request,
                headers: ["Set-Cookie": "n=\(number)"],
                body: cookie
            )
        }
        let retry = RetryPolicy(retries: 1, backoff: Backoff(base: .zero))
        #expect(try await body(Self.dispatcher(jar, [retry], transport), "https://a.example/") == "n=1")
        #expect(jar.snapshot.cookies.map(\.value) == ["2"])
    }

    @Test func aJarIsWipedInParts() {
        let now = Locked(Date(timeIntervalSince1970: 1_800_000_000))
        let jar = CookieJar(now: { now.withLock { $0 } })
        let url = Fixture.url("https://a.example/")
        for field in ["a=1", "b=2; Max-Age=60", "c=3; Max-Age=5", "d=4"] { #expect(jar.set(field, from: url)) }
        #expect(!jar.set("e=5; Domain=b.example", from: url))
        #expect(!jar.set("e=5", from: URL(fileURLWithPath: "/x")))
        now.withLock { $0 += 10 }
        #expect(jar.snapshot.cookies.map(\.name) == ["a", "b", "d"])
        #expect(jar.count == 3)
        jar.removeAll { $0.name == "a" }
        #expect(jar.snapshot.cookies.map(\.name) == ["b", "d"])
        jar.removeSessionCookies()
        #expect(jar.cookies(for: url).map(\.name) == ["b"])
        jar.removeAll()
        #expect(jar.snapshot == CookieJar.Snapshot())
        #expect(jar.cookies(for: URL(fileURLWithPath: "/x")).isEmpty)
    }

    @Test func theAttributesAreShown() throws {
        let jar = CookieJar(now: { Date(timeIntervalSince1970: 1_800_000_000) })
        let url = Fixture.url("https://b.a.example/x/y")
        jar.set("a=1; Domain=.A.example; Path=/x; Max-Age=60; Secure; HttpOnly; SameSite=Lax", from: url)
        let cookie = try #require(jar.snapshot.cookies.first)
        let expected = CookieJar.Cookie(
            name: "a",
            value: "1",
            domain: "a.example",
            isHostOnly: false,
            path: "/x",
            expires: Date(timeIntervalSince1970: 1_800_000_060),
            isSecure: true,
            isHTTPOnly: true,
            sameSite: .lax,
            created: Date(timeIntervalSince1970: 1_800_000_000),
            lastUsed: Date(timeIntervalSince1970: 1_800_000_000)
        )
        #expect(cookie == expected)
    }

    @Test func aSnapshotIsReadAsItWasWritten() throws {
        let jar = CookieJar()
        let url = Fixture.url("https://b.a.example/x/y")
        for field in ["a=1; Domain=a.example; SameSite=None; Secure", "b=2; Max-Age=1000", "x", "c=\t; HttpOnly"] {
            jar.set(field, from: url)
        }
        _ = jar.cookies(for: url)
        let data = try JSONEncoder().encode(jar.snapshot)
        let snapshot = try JSONDecoder().decode(CookieJar.Snapshot.self, from: data)
        #expect(snapshot == jar.snapshot)
        #expect(CookieJar(snapshot).snapshot == snapshot)
    }
}
