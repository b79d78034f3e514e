import Foundation
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

extension ResponseCacheTests {
    /// A cached response of one user is never served to another.
    @Test func noUserGetsTheResponseOfAnother() async throws {
        var random = SeededRandom(seed: 5)
        let folder = try DownloadFolder()
        for (location, count) in [
            (ResponseCache.Location.memory(limit: 200_000), rounds(10_000)),
            (.folder(folder["cache"], limit: 2_000_000), rounds(2_000)),
        ] {
            let cache = makeCache(location)
            let transport = ModelTransport { [self] request in
                // Whatever tells users apart is in the body; the fields of the response ask for as much caching as they can.
                let fields = (request.urlRequest.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
                    .map { "\($0.key)=\($0.value)" }
                let user = request.urlRequest.url?.user() ?? ""
                return reply(
                    request,
                    "\(user) \(fields)",
                    ["Cache-Control": "public, immutable, max-age=60, s-maxage=60, stale-while-revalidate=60"]
                )
            }
            let chain = InterceptorChain([cache], transport: transport)
            var hits = 0
            for _ in 0..<count {
                time.advance(Double(random.below(3)))
                let user = random.picks(20) ? "user\(random.below(3))@" : ""
                var request = URLRequest(url: Fixture.url("https://\(user)example.com/\(random.below(5))"))
                if random.picks(5) { request.httpMethod = "POST" }
                for name in ["Authorization", "Cookie", "X-Api-Key", "X-Secret"] where random.picks(30) {
                    request.setValue("\(random.below(3))", forHTTPHeaderField: name)
                }
                var sent = TransportRequest(request)
                sent.options.sensitiveHeaders = ["x-secret"]
                let fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
                    .map { "\($0.key)=\($0.value)" }
                let answer = try await chain(sent)
                if answer.head.cacheStatus?.outcome == .hit { hits += 1 }
                let expected = "\(request.url?.user() ?? "") \(fields)"
                #expect(answer.body.map { String(decoding: $0, as: UTF8.self) } == expected)
            }
            await cache.settle()
            #expect(hits > count / 20)
        }
    }

    /// The second confirmation finds the names of the fields in the place of the response that it is about.
    @Test func aConfirmationUpdatesOnlyWhatItIsAbout() async throws {
        let gates = ["a": Gate(), "b": Gate()]
        let transport = ScriptedTransport { [self] request in
            var headers: HTTPHeaderFields = ["Cache-Control": "max-age=60", "ETag": "\"1\""]
            guard request.urlRequest.value(forHTTPHeaderField: "If-None-Match") != nil else {
                return reply(request, "body", headers)
            }
            try await gates[request.urlRequest.value(forHTTPHeaderField: "X-Turn") ?? ""]?.wait()
            headers["Vary"] = "Accept-Language"
            return reply(request, "", headers, status: .notModified)
        }
        let chain = InterceptorChain([makeCache()], transport: transport)
        func get(_ turn: String) async throws -> String {
            var request = URLRequest(url: Fixture.url)
            request.setValue("en", forHTTPHeaderField: "Accept-Language")
            request.setValue(turn, forHTTPHeaderField: "X-Turn")
            return String(decoding: try await chain(TransportRequest(request)).body ?? Data(), as: UTF8.self)
        }
        #expect(try await get("") == "body")
        time.advance(61)
        let calls = ["a", "b"].map { turn in Task { try await get(turn) } }
        for (call, turn) in zip(calls, ["a", "b"]) {
            for gate in gates.values { await gate.arrival() }
            gates[turn]?.open()
            #expect(try await call.value == "body")
        }
        let count = transport.requests.count
        #expect(try await get("") == "body")
        #expect(transport.requests.count == count)
    }

    /// As in browsers, if the program says so.
    @Test(arguments: [(false, nil), (true, nil), (true, "Cookie"), (true, "Accept, cookie")] as [(Bool, String?)])
    func aCookieIsAPartOfTheKeyUnlessItIsIgnored(isIgnored: Bool, vary: String?) async throws {
        let transport = ScriptedTransport { [self] request in
            var headers: HTTPHeaderFields = ["Cache-Control": "max-age=60"]
            headers["Vary"] = vary
            return reply(request, "body", headers)
        }
        let time = time
        let cache = ResponseCache(.memory(limit: 100_000), ignoresCookies: isIgnored, date: { time.date })
        let chain = InterceptorChain([cache], transport: transport)
        func outcome(_ fields: [String: String]) async throws -> CacheStatus.Outcome? {
            var request = Fixture.request
            for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
            return try await chain(TransportRequest(request)).head.cacheStatus?.outcome
        }
        #expect(try await outcome(["Cookie": "a=1"]) == .miss)
        #expect(try await outcome(["Cookie": "a=1"]) == .hit)
        let shared: CacheStatus.Outcome = isIgnored && vary == nil ? .hit : .miss
        #expect(try await outcome(["cookie": "a=2"]) == shared)
        #expect(try await outcome([:]) == shared)
        #expect(try await outcome(["Cookie": "a=1", "Authorization": "b"]) == .miss)
        #expect(transport.requests.first?.urlRequest.value(forHTTPHeaderField: "Cookie") == "a=1")
    }

    @Test func whatTellsUsersApartRunsBeforeTheCache() async throws {
        let transport = ScriptedTransport { [self] request in
            reply(request, request.urlRequest.value(forHTTPHeaderField: "Authorization") ?? "nobody")
        }
        let user = Locked("a")
        let token = Intercepting(eachHop: true) { request, next in
            var request = request
            request.urlRequest.setValue(user.withLock { $0 }, forHTTPHeaderField: "Authorization")
            return try await next(request)
        }
        let dispatcher = URLRequestDispatcher(interceptors: [makeCache(), token], transport: transport)
        for name in ["a", "b", "a", "b"] {
            user.withLock { $0 = name }
            #expect(try await dispatcher.data(for: Fixture.request).decodeString() == name)
        }
        #expect(transport.requests.count == 2)
    }

    @Test func aCredentialThatIsAddedBehindTheCacheKeepsTheResponseOut() async throws {
        let storage = MemoryStorage(limit: 1_000_000)
        let token = Intercepting(distinguishesCallers: false, eachHop: true) { request, next in
            var request = request
            request.urlRequest.setValue("secret", forHTTPHeaderField: "Authorization")
            return try await next(request)
        }
        let transport = ScriptedTransport { [self] in reply($0, "mine") }
        let dispatcher = URLRequestDispatcher(
            interceptors: [makeCache(.storage(storage)), token],
            transport: transport
        )
        let response = try await dispatcher.data(for: Fixture.request)
        #expect(response.head?.cacheStatus?.detail == "credentials")
        #expect(storage.count == 0)
    }

    @Test func theCertificateOfTheClientIsAPartOfTheKey() throws {
        let request = TransportRequest(Fixture.request)
        let target = try RequestTarget(Fixture.url)
        let identities: [TLSIdentity?] = [
            nil, .pem(certificates: Data("a".utf8)), .pem(certificates: Data("b".utf8)),
            .pem(certificates: URL(filePath: "/a")), .pkcs12(URL(filePath: "/b"), passphrase: "secret"),
        ]
        let keys = identities.map { CacheKey(request, target, identity: $0) }
        #expect(Set(keys).count == keys.count)
        #expect(Set(keys.map { $0.digest(salt: Data([1])) }).count == keys.count)
        #expect(keys[0].digest(salt: Data([1])) != keys[0].digest(salt: Data([2])))
    }

    /// RFC 9110 §7.1: the target of a request is what its `Host` says.
    @Test func theHostAndWhoAsksArePartsOfTheKey() async throws {
        let cache = makeCache()
        let transport = ScriptedTransport { [self] request in
            let fields = (request.urlRequest.allHTTPHeaderFields ?? [:]).values.sorted()
            return reply(request, fields.joined(separator: " "))
        }
        let dispatcher = URLRequestDispatcher(interceptors: [cache], transport: transport)
        // The name and the value of a field, and whether the answer is one that is stored.
        for (name, value, isHit) in [
            ("Host", "a.test", false), ("Host", "b.test", false), ("Host", "example.com", false),
            ("Host", "A.Test", true),
            ("Host", "b.test", true), ("Host", "EXAMPLE.com:443", true), ("Host", "example.com:80", false),
            ("Private-Token", "a", false), ("Private-Token", "b", false), ("private-token", "a", true),
            ("X-Session", "a", false), ("X-Session", "b", false), ("Authentication", "a", false),
            ("Authentication", "b", false), ("X-User", "a", false), ("X-User", "b", false), ("X-User", "a", true),
            ("X-Forwarded-User", "a", false), ("X-Forwarded-User", "b", false), ("X-Plain", "a", true),
        ] {
            var request = Fixture.request
            request.setValue(value, forHTTPHeaderField: name)
            let sent = request
            let response = try await dispatcher.data(for: sent)
            #expect((response.head?.cacheStatus?.outcome == .hit) == isHit, "\(name): \(value)")
            if !isHit { #expect(try response.decodeString() == value) }
        }
        // What is removed for a URL is removed for each host.
        await cache.remove(Fixture.url)
        var request = Fixture.request
        request.setValue("a.test", forHTTPHeaderField: "Host")
        let sent = request
        #expect(try await dispatcher.data(for: sent).head?.cacheStatus?.outcome != .hit)
    }

    @Test func theCertificateForAnOriginIsAPartOfTheKey() async throws {
        let cache = makeCache()
        let base = ScriptedTransport { [self] in reply($0, "anyone's") }
        for (origin, name, isHit) in [
            ("https://example.com", "a", false), ("https://EXAMPLE.com:443", "b", false),
            ("https://example.com", "a", true), ("https://example.com:444", "b", false),
            ("https://example.com", "b", true),
        ] {
            var configuration = TransportConfiguration()
            configuration.tlsByOrigin[Fixture.url(origin)] = TLSConfiguration()
            configuration.tlsByOrigin[Fixture.url(origin)]?.identity = .pem(certificates: Data(name.utf8))
            let transport = CertifiedTransport(base: base, configuration: configuration)
            let response = try await InterceptorChain([cache], transport: transport)(TransportRequest(Fixture.request))
            #expect((response.head.cacheStatus?.outcome == .hit) == isHit, "\(origin) \(name)")
        }
    }

    @Test func nothingSecretIsShown() async throws {
        let cache = makeCache()
        let transport = ScriptedTransport { [self] in reply($0, "s3cret") }
        let dispatcher = URLRequestDispatcher(interceptors: [cache], transport: transport)
        var request = URLRequest(url: Fixture.url("https://u:s3cret@example.com/?s3cret"))
        request.setValue("s3cret", forHTTPHeaderField: "Authorization")
        _ = try await dispatcher.data(for: request)
        let key = CacheKey(TransportRequest(request), try RequestTarget(try #require(request.url)), identity: nil)
        let stored = await cache.core.storage.response(for: key)
        #expect(stored != nil)
        for text in [Fixture.allTexts(of: cache), Fixture.allTexts(of: key), Fixture.allTexts(of: stored as Any)] {
            #expect(!text.contains("s3cret"))
        }
    }
}

/// A transport with a configuration, of which nothing is done.
private struct CertifiedTransport: ReconfigurableTransport {
    let base: ScriptedTransport
    let configuration: TransportConfiguration

    var configurationNumber: Int { 0 }

    func send(_ request: TransportRequest) async throws -> TransportResponse { try await base.send(request) }

    func shutdown() async {}

    func invalidateAndCancel() {}
}
