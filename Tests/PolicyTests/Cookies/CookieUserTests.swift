import Foundation
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

/// Two users with a jar each, over one transport.
@Suite(.timeLimit(.generous)) struct CookieUserTests {
    /// Whose call it is, as a server that calls another one for its users knows.
    private enum Caller {
        @TaskLocal static var jar: CookieJar?
    }

    private struct CookiesOfCaller: Interceptor {
        var interceptsEachHop: Bool { true }

        func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
            guard let jar = Caller.jar else { return try await next(request) }
            return try await jar.intercept(request, next: next)
        }
    }

    /// Gives whoever has no session one of their own, tells it, and redirects at random.
    private static func site() -> ScriptedTransport {
        let sessions = Locked(0)
        return ScriptedTransport { request in
            // A moment in which others can join the exchange.
            await Task.yield()
            let cookie = request.urlRequest.value(forHTTPHeaderField: "Cookie")
            let session =
                cookie
                ?? sessions.withLock { count in
                    count += 1
                    return "session=\(count)"
                }
            var fields: HTTPHeaderFields = ["Set-Cookie": "\(session); Path=/"]
            let path = request.urlRequest.url?.path ?? ""
            guard let digit = path.last, digit > "0", digit <= "3", let hops = digit.wholeNumberValue else {
                return .scripted(200, for: request, headers: fields, body: session)
            }
            let host = path.contains("other") ? "b.example" : "a.example"
            let next = path.contains("other") ? "/here\(hops - 1)" : "/other\(hops - 1)"
            fields["Location"] = "https://\(host)\(next)"
            return .scripted(302, for: request, headers: fields, body: session)
        }
    }

    /// Makes the requests of two users at once, and returns the sessions that each saw.
    private func sessions(_ dispatchers: [URLRequestDispatcher], _ jars: [CookieJar], _ url: URL) async throws -> [Set<
        String
    >] {
        try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for user in [0, 1, 0, 1] {
                group.addTask {
                    try await Caller.$jar.withValue(jars[user]) {
                        (user, try await dispatchers[user].data(from: url).decodeString())
                    }
                }
            }
            var seen: [Set<String>] = [[], []]
            for try await (user, session) in group { seen[user].insert(session) }
            return seen
        }
    }

    @Test(arguments: [true, false])
    func noUserGetsACookieOfAnother(_ isShared: Bool) async throws {
        var random = SeededRandom(seed: isShared ? 1 : 2)
        // A dispatcher that is released closes its transport, so that none is.
        var kept: [URLRequestDispatcher] = []
        let site = Self.site()
        let coalescing = Coalescing()
        // One dispatcher for both, whose interceptor knows the user, or a dispatcher for each over one site.
        let dispatcher = URLRequestDispatcher(interceptors: [coalescing, CookiesOfCaller()], transport: site)
        var jars: [CookieJar] = []
        var dispatchers: [URLRequestDispatcher] = []
        for round in 0..<rounds(3000) {
            if round.isMultiple(of: 20) {
                jars = [CookieJar(), CookieJar()]
                dispatchers =
                    isShared
                    ? [dispatcher, dispatcher]
                    : jars.map { jar in
                        var configuration = URLRequestDispatcher.Configuration()
                        configuration.cookies = jar
                        return URLRequestDispatcher(
                            configuration: configuration,
                            interceptors: [coalescing],
                            transport: site
                        )
                    }
                kept += dispatchers
            }
            let host = random.element(of: ["a.example", "b.example"])
            let path = random.element(of: ["/here", "/other"])
            let url = Fixture.url("https://\(host)\(path)\(random.below(4))")
            let seen = try await sessions(dispatchers, jars, url)
            let stored = jars.map { Set($0.snapshot.cookies.map(\.value)) }
            guard seen[0].isDisjoint(with: seen[1]), stored[0].isDisjoint(with: stored[1]) else {
                Issue.record("round \(round): a user has a cookie of the other one")
                return
            }
        }
        #expect(coalescing.waiterCount == 0)
        withExtendedLifetime(kept) {}
    }

    // Their requests are equal, and what answers one of them would set its cookie for the other.
    @Test func usersWithoutCookiesShareNoExchange() async throws {
        let (transport, gate) = (ScriptedTransport { .scripted(200, for: $0) }, Coalescing())
        let request = TransportRequest(Fixture.request, options: RequestOptions())
        let sent = Locked<[CoalescingKey?]>([])
        let reader = Intercepting(eachHop: true) { request, next in
            sent.withLock { $0.append(CoalescingKey(request, ignoring: [], chain: nil)) }
            return try await next(request)
        }
        let jars = [CookieJar(), CookieJar()]
        for jar in jars + jars { _ = try await InterceptorChain([jar, reader, gate], transport: transport)(request) }
        let keys = sent.withLock { $0 }
        #expect(keys[0] == keys[2] && keys[1] == keys[3] && keys[0] != keys[1])
        #expect(keys[0] != nil && keys[0] != CoalescingKey(request, ignoring: [], chain: nil))
    }
}
