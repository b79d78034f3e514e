import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// The samples of the cache.
@Suite(.timeLimit(.generous)) struct CachingSamplesTests {
    private let url = Fixture.url
    private let transport = MockTransport { _ in
        MockAnswer(.ok, headers: ["Cache-Control": "max-age=60"], body: Data("Hello".utf8))
    }

    @Test func memory() {
        let cache = ResponseCache(.memory(limit: 20_000_000))
        let dispatcher = URLRequestDispatcher(interceptors: [cache])

        withExtendedLifetime(dispatcher) {}
    }

    @Test func folder() {
        let folder = URL(filePath: "/var/cache/example/responses")
        let cache = ResponseCache(.folder(folder, limit: 200_000_000))

        withExtendedLifetime(cache) {}
    }

    @Test func cookies() {
        let cache = ResponseCache(.memory(limit: 20_000_000), ignoresCookies: true)

        withExtendedLifetime(cache) {}
    }

    @Test func age() async throws {
        let old = MockAnswer(.ok, headers: ["Cache-Control": "max-age=60", "Age": "60"], body: "1")
        let transport = MockTransport(answers: [old, MockAnswer(.ok, body: "2")])
        let cache = ResponseCache(.memory(limit: 1_000_000))
        let dispatcher = URLRequestDispatcher(interceptors: [cache], transport: transport)
        _ = try await dispatcher.data(from: url)
        let response = try await dispatcher.data(from: url)
        #expect(try response.decodeString() == "2")

        #expect(transport.requests.count == 2)
    }

    @Test func status() async throws {
        let cache = ResponseCache(.memory(limit: 20_000_000))
        let dispatcher = URLRequestDispatcher(interceptors: [cache], transport: transport)
        for _ in 0..<2 {
            let response = try await dispatcher.data(from: url)
            if response.head?.cacheStatus?.outcome == .hit { print("From the cache") }
        }
        #expect(transport.requests.count == 1)
    }

    @Test func policy() async throws {
        let cache = ResponseCache(.memory(limit: 20_000_000))
        let dispatcher = URLRequestDispatcher(interceptors: [cache], transport: transport)
        _ = try await dispatcher.data(from: url)

        var request = URLRequest(url: url)
        request.cachePolicy = .reloadIgnoringLocalCacheData
        let response = try await dispatcher.data(for: request)

        #expect(response.head?.cacheStatus?.outcome == .miss)
    }

    @Test func wiping() async throws {
        let cache = ResponseCache(.memory(limit: 20_000_000))
        let dispatcher = URLRequestDispatcher(interceptors: [cache], transport: transport)
        _ = try await dispatcher.data(from: url)

        await cache.removeAll()
        await cache.remove(url)

        #expect(try await dispatcher.data(from: url).head?.cacheStatus?.outcome == .miss)
    }
}
