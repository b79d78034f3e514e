import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

/// Interceptors that see each request of a chain of redirects.
@Suite(.timeLimit(.generous)) struct HopInterceptorTests {
    /// Notes what passes, and sends the cookies that it was given.
    private final class Jar: Interceptor {
        let interceptsEachHop: Bool
        let seen = Locked<[String]>([])
        private let cookie = Locked<String?>(nil)

        init(interceptsEachHop: Bool) {
            self.interceptsEachHop = interceptsEachHop
        }

        func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
            var request = request
            if let cookie = cookie.withLock({ $0 }) {
                request.urlRequest.setValue(cookie, forHTTPHeaderField: "Cookie")
            }
            let response = try await next(request)
            seen.withLock { $0.append("\(request.urlRequest.url?.path ?? "") \(response.head.statusCode.rawValue)") }
            if let value = response.head.firstValue(of: "Set-Cookie") { cookie.withLock { $0 = value } }
            return response
        }
    }

    private static func transport() -> ScriptedTransport {
        ScriptedTransport { request in
            switch request.urlRequest.url?.path {
            case "/first":
                return .scripted(302, for: request, headers: ["Location": "/second", "Set-Cookie": "a=1"])
            default:
                let cookie = request.urlRequest.value(forHTTPHeaderField: "Cookie") ?? "none"
                return .scripted(200, for: request, body: cookie)
            }
        }
    }

    private static let request = URLRequest(url: Fixture.url("https://example.com/first"))

    @Test func anInterceptorOfHopsSeesEachRedirect() async throws {
        let jar = Jar(interceptsEachHop: true)
        let dispatcher = URLRequestDispatcher(interceptors: [jar], transport: Self.transport())
        let response = try await dispatcher.data(for: Self.request)
        #expect(jar.seen.withLock { $0 } == ["/first 302", "/second 200"])
        #expect(try response.decodeString() == "a=1")
        #expect(response.history.map(\.statusCode.rawValue) == [302])
    }

    @Test func anotherSeesTheCallOnce() async throws {
        let jar = Jar(interceptsEachHop: false)
        let dispatcher = URLRequestDispatcher(interceptors: [jar], transport: Self.transport())
        let response = try await dispatcher.data(for: Self.request)
        #expect(jar.seen.withLock { $0 } == ["/first 200"])
        #expect(try response.decodeString() == "none")
    }

    @Test func bothKindsKeepTheirOrder() async throws {
        struct Named: Interceptor {
            let name: String
            let interceptsEachHop: Bool
            let log: Locked<[String]>

            func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
                log.withLock { $0.append(name) }
                return try await next(request)
            }
        }
        let log = Locked<[String]>([])
        let interceptors = [("a", true), ("b", false), ("c", true), ("d", false)].map {
            Named(name: $0.0, interceptsEachHop: $0.1, log: log)
        }
        let dispatcher = URLRequestDispatcher(interceptors: interceptors, transport: Self.transport())
        _ = try await dispatcher.data(for: Self.request)
        #expect(log.withLock { $0 } == ["b", "d", "a", "c", "a", "c"])
    }

    @Test func withoutAPolicyARedirectPassesBothKinds() async throws {
        let jars = [Jar(interceptsEachHop: true), Jar(interceptsEachHop: false)]
        let dispatcher = URLRequestDispatcher(
            configuration: .init(redirects: nil),
            interceptors: jars,
            transport: Self.transport()
        )
        #expect(try await dispatcher.data(for: Self.request).statusCode == .found)
        for jar in jars { #expect(jar.seen.withLock { $0 } == ["/first 302"]) }
    }

    // A redirect is judged by what was sent, and not by what was to be sent.
    @Test func aHopThatWasMadeSecureMayNotLeadBack() async throws {
        struct Upgrade: Interceptor {
            var interceptsEachHop: Bool { true }

            func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
                var request = request
                request.urlRequest.url = Fixture.url("https://example.com/first")
                return try await next(request)
            }
        }
        let transport = ScriptedTransport {
            .scripted(302, for: $0, headers: ["Location": "http://example.com/second"])
        }
        let dispatcher = URLRequestDispatcher(interceptors: [Upgrade()], transport: transport)
        let request = URLRequest(url: Fixture.url("http://example.com/first"))
        let error = try await failure { try await dispatcher.data(for: request) }
        #expect(TransportError.Code.unsafeRedirect ~= error)
    }

    @Test func theHistoryHasTheTimesOfEachHop() async throws {
        let transport = ScriptedTransport { request in
            var response = TransportResponse.scripted(200, for: request)
            let isFirst = request.urlRequest.url?.path == "/first"
            response.head = ResponseHead(
                url: request.urlRequest.url ?? Fixture.url,
                statusCode: isFirst ? .found : .ok,
                headers: isFirst ? ["Location": "/second"] : [:],
                metrics: ExchangeMetrics(total: .seconds(isFirst ? 1 : 2))
            )
            return response
        }
        let response = try await URLRequestDispatcher(transport: transport).data(for: Self.request)
        #expect(response.history.map { $0.metrics?.total } == [.seconds(1)])
        #expect(response.metrics?.total == .seconds(2))
    }
}
