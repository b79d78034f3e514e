import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// The samples of `SessionsAndCookies.md`, against a site with a login.
@Suite(.enabled(if: Surroundings.reachLoopbackDirectly, "a proxy stands in between"), .timeLimit(.generous))
struct CookieSamplesTests {
    enum Caller {
        @TaskLocal static var jar: CookieJar?
    }

    struct CookiesOfCaller: Interceptor {
        var interceptsEachHop: Bool { true }

        func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
            guard let jar = Caller.jar else { return try await next(request) }
            return try await jar.intercept(request, next: next)
        }
    }

    private let server: LoopbackServer
    private let site: URL
    private let password = "s3cr3t"

    init() throws {
        server = try LoopbackServer()
        site = server.url("/")
        server.route("POST", "/login") { request in
            let isAda = String(decoding: request.body, as: UTF8.self) == "user=ada&password=s3cr3t"
            let headers: HeaderList = ["Set-Cookie": "session=17; Path=/; HttpOnly", "Location": "/account"]
            return isAda ? [.response(status: 303, headers: headers)] : [.response(status: 403)]
        }
        server.route("GET", "/account") { request in
            guard request.header("Cookie") == "session=17" else { return [.response(status: 401)] }
            return [.response(body: "Ada")]
        }
    }

    @Test func aLogin() async throws {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.cookies = CookieJar()
        let dispatcher = URLRequestDispatcher(configuration: configuration)

        var login = URLRequest(url: site.appending(path: "login"), method: .post)
        login.setFormBody(["user": "ada", "password": password])
        _ = try await dispatcher.data(for: login).validated()
        let page = try await dispatcher.data(from: site.appending(path: "account")).validated()

        #expect(try page.decodeString() == "Ada")
        #expect(configuration.cookies?.count == 1)
        #expect(!"\(configuration)".contains("17"))
    }

    @Test func keepingAndWiping() throws {
        let jar = CookieJar()
        jar.set("a=1", from: site)
        jar.set("b=2; Max-Age=60", from: Fixture.url("https://example.com/"))
        let folder = try DownloadFolder()
        let file = folder["cookies.txt"]

        for cookie in jar.cookies(for: site) {
            print(cookie.name, cookie.domain, cookie.path, cookie.expires ?? "with the session", cookie.isSecure)
        }

        let data = try JSONEncoder().encode(jar.snapshot)
        let restored = CookieJar(try JSONDecoder().decode(CookieJar.Snapshot.self, from: data))

        try jar.snapshot.write(netscapeFile: file)
        let imported = CookieJar(try CookieJar.Snapshot(netscapeFile: file))

        #expect(restored.snapshot == jar.snapshot)
        #expect(imported.snapshot.cookies.map(\.value) == ["1", "2"])

        jar.removeAll { $0.domain == "example.com" }
        jar.removeSessionCookies()
        jar.removeAll()

        #expect(jar.count == 0)
    }

    @Test func aJarOfTheCaller() async throws {
        let dispatcher = URLRequestDispatcher(interceptors: [CookiesOfCaller()])
        let jar = CookieJar()
        jar.set("session=17", from: site)
        let url = server.url("/account")
        #expect(try await dispatcher.data(from: url).statusCode == .unauthorized)
        let response = try await Caller.$jar.withValue(jar) { try await dispatcher.data(from: url) }
        #expect(try response.decodeString() == "Ada")
    }
}
