import Foundation
import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies
@testable import PiuPiuValues

@Suite(.timeLimit(.generous)) struct ResponseCacheTests {
    let time = TestTime()
    private let fresh: HTTPHeaderFields = ["Cache-Control": "max-age=60"]

    func makeCache(_ location: ResponseCache.Location = .memory(limit: 10_000_000)) -> ResponseCache {
        ResponseCache(location, date: { [time] in time.date })
    }

    func reply(
        _ request: TransportRequest,
        _ body: String,
        _ headers: HTTPHeaderFields? = nil,
        status: StatusCode = .ok
    ) -> TransportResponse {
        let head = ResponseHead(url: Fixture.url, statusCode: status, headers: headers ?? fresh)
        return TransportResponse(head: head, body: Data(body.utf8), urlRequest: request.urlRequest)
    }

    private func streamed(
        _ request: TransportRequest,
        _ pieces: [String],
        trailers: HTTPHeaderFields = [:],
        failure: (any Error)? = nil
    ) -> TransportResponse {
        let rest = Locked(pieces)
        let head = ResponseHead(url: Fixture.url, statusCode: .ok, headers: fresh)
        let stream = ResponseBody(trailers: { trailers }) {
            let piece = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if piece == nil, let failure { throw failure }
            return piece.map { Data($0.utf8) }
        }
        return TransportResponse(head: head, body: nil, stream: stream, urlRequest: request.urlRequest)
    }

    // MARK: What is visible

    @Test func theStatusOfEachResponseIsVisible() async throws {
        let recorder = StatusRecorder()
        let transport = ScriptedTransport { [self] request in
            let isSame = request.urlRequest.value(forHTTPHeaderField: "If-None-Match") != nil
            let headers: HTTPHeaderFields = ["Cache-Control": "max-age=60, stale-while-revalidate=60", "ETag": "\"1\""]
            return reply(request, isSame ? "" : "body", headers, status: isSame ? .notModified : .ok)
        }
        let cache = makeCache()
        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = [recorder, recorder.log]
        let dispatcher = URLRequestDispatcher(configuration: configuration, interceptors: [cache], transport: transport)
        let first = try await dispatcher.data(for: Fixture.request)
        #expect(first.head?.headers["Cache-Status"] == "PiuPiu; fwd=uri-miss; stored")
        #expect(first.head?.cacheStatus?.outcome == .miss)
        time.advance(8)
        let second = try await dispatcher.data(for: Fixture.request)
        #expect(second.head?.headers["Cache-Status"] == "PiuPiu; hit; ttl=52")
        #expect(second.head?.headers["Age"] == "8")
        #expect(second.data == first.data)
        time.advance(60)
        let third = try await dispatcher.data(for: Fixture.request)
        #expect(third.head?.headers["Cache-Status"] == "PiuPiu; hit; ttl=-8; detail=stale-while-revalidate")
        #expect(third.head?.cacheStatus?.outcome == .stale)
        await cache.settle()
        time.advance(200)
        let fourth = try await dispatcher.data(for: Fixture.request)
        #expect(
            fourth.head?.headers["Cache-Status"] == "PiuPiu; fwd=stale; fwd-status=304; ttl=60; stored"
        )
        #expect(fourth.head?.cacheStatus?.outcome == .revalidated)
        #expect(fourth.head?.statusCode == .ok)
        #expect(fourth.data == first.data)
        let outcomes = recorder.statuses.withLock { $0.map(\.outcome) }
        #expect(outcomes.filter { $0 != .revalidated } == [.miss, .hit, .stale])
        let lines = recorder.lines.withLock { $0.filter { $0.contains("event=cache") } }
        #expect(lines.contains { $0.contains("url=https://example.com/posts/1 outcome=hit ttl=52") })
    }

    @Test func aServerCannotForgeTheStatus() async throws {
        let chain = InterceptorChain(
            [makeCache()],
            transport: ModelTransport { [self] in
                reply($0, "body", ["Cache-Status": "PiuPiu; hit", "Cache-Control": "no-store"])
            }
        )
        let response = try await chain(TransportRequest(Fixture.request))
        #expect(response.head.cacheStatus?.outcome == .miss)
        #expect(response.head.cacheStatus?.detail == "no-store")
    }

    @Test func everyStatusIsReadBack() {
        for outcome in CacheStatus.Outcome.allCases {
            for reason in CacheStatus.Reason.allCases.map(Optional.some) + [nil] {
                var status = CacheStatus(outcome, outcome == .hit || outcome == .stale ? nil : reason)
                status.timeToLive = outcome == .hit ? 5 : outcome == .stale ? -5 : nil
                if outcome == .revalidated { status.forwardedStatus = .notModified }
                status.isStored = reason == .stale
                status.detail = reason?.rawValue
                #expect(CacheStatus(fieldValue: status.fieldValue) == status)
            }
        }
        #expect(CacheStatus(fieldValue: "Other; hit") == nil)
    }

    // MARK: Bodies

    @Test func aStreamIsStoredWhenItIsReadToItsEnd() async throws {
        let transport = ScriptedTransport { [self] in streamed($0, ["one ", "two"]) }
        let dispatcher = URLRequestDispatcher(interceptors: [makeCache()], transport: transport)
        for count in [1, 1, 1] {
            let stream = try await dispatcher.stream(for: Fixture.request)
            #expect(try await stream.data.collect(upTo: 100) == Data("one two".utf8))
            #expect(transport.requests.count == count)
        }
        #expect(try await dispatcher.data(for: Fixture.request).decodeString() == "one two")
        #expect(transport.requests.count == 1)
    }

    @Test func aStreamThatIsNotReadToItsEndIsNotStored() async throws {
        let lost = TransportError(.truncatedBody)
        let transport = ScriptedTransport { [self] request in
            switch request.urlRequest.url?.lastPathComponent {
            case "fails": streamed(request, ["one ", "two"], failure: lost)
            case "trailers": streamed(request, ["one"], trailers: ["A": "b"])
            default: streamed(request, ["one ", "two"])
            }
        }
        let storage = MemoryStorage(limit: 1_000_000)
        let cache = makeCache(.storage(storage))
        let dispatcher = URLRequestDispatcher(interceptors: [cache], transport: transport)
        // Left in the midst.
        for try await _ in try await dispatcher.stream(for: Fixture.request).data { break }
        // Never read.
        _ = try await dispatcher.stream(for: Fixture.request)
        // Broken off.
        let broken = try await dispatcher.stream(for: URLRequest(url: Fixture.url("https://example.com/fails")))
        await #expect(throws: TransportError.self) { try await broken.data.collect(upTo: 100) }
        // With fields at the end, which would be missing later.
        let trailers = try await dispatcher.stream(for: URLRequest(url: Fixture.url("https://example.com/trailers")))
        _ = try await trailers.data.collect(upTo: 100)
        #expect(trailers.data.trailers == ["A": "b"])
        #expect(storage.count == 0)
        #expect(cache.core.fetches.withLock { $0.isEmpty })
    }

    @Test func aDownloadIsStored() async throws {
        let folder = try DownloadFolder()
        for location in [ResponseCache.Location.memory(limit: 10_000_000), .folder(folder["cache"], limit: 1 << 26)] {
            let piece = String(repeating: "abcdefgh", count: 10_000)
            let transport = ScriptedTransport { [self] in streamed($0, Array(repeating: piece, count: 14)) }
            let dispatcher = URLRequestDispatcher(interceptors: [makeCache(location)], transport: transport)
            for number in 0..<3 {
                _ = try await dispatcher.download(for: Fixture.request, to: folder["file \(number)"]).response()
                let saved = folder.data("file \(number)")
                #expect(saved == Data(String(repeating: piece, count: 14).utf8))
            }
            #expect(transport.requests.count == 1)
        }
    }

    @Test func whatIsTooLargeIsNotStored() async throws {
        let storage = MemoryStorage(limit: 8_000)
        let transport = ScriptedTransport { [self] in
            $0.delivery == .streamed
                ? streamed($0, Array(repeating: "0123456789", count: 101))
                : reply($0, String(repeating: "x", count: 1_001))
        }
        let dispatcher = URLRequestDispatcher(interceptors: [makeCache(.storage(storage))], transport: transport)
        let response = try await dispatcher.data(for: Fixture.request)
        #expect(response.head?.cacheStatus?.detail == "too-large")
        let stream = try await dispatcher.stream(for: Fixture.request)
        #expect(try await stream.data.collect(upTo: 2_000).count == 1_010)
        #expect(storage.count == 0)
    }

    @Test func theLimitOfTheCallAppliesToWhatIsStored() async throws {
        let chain = InterceptorChain([makeCache()], transport: ModelTransport { [self] in reply($0, "0123456789") })
        _ = try await chain(TransportRequest(Fixture.request))
        var small = TransportRequest(Fixture.request)
        small.options.maximumBufferedBody = 9
        let request = small
        await #expect(throws: TransportError.self) { _ = try await chain(request) }
    }

    @Test func aBodyThatIsDecodedIsAnotherThanOneThatIsNot() async throws {
        let chain = InterceptorChain(
            [makeCache()],
            transport: ModelTransport { [self] in reply($0, $0.decodesContent ? "decoded" : "encoded") }
        )
        var raw = Fixture.request
        raw.setValue("gzip", forHTTPHeaderField: "Accept-Encoding")
        for _ in 0..<2 {
            #expect(try await chain(TransportRequest(Fixture.request)).body == Data("decoded".utf8))
            #expect(try await chain(TransportRequest(raw)).body == Data("encoded".utf8))
        }
    }

    // MARK: Other policies

    @Test func equalRequestsForWhatIsMissingAreOneExchange() async throws {
        let gate = Gate()
        let transport = ScriptedTransport { [self] in
            try await gate.wait()
            return reply($0, "shared")
        }
        let coalescing = Coalescing()
        let dispatcher = URLRequestDispatcher(interceptors: [makeCache(), coalescing], transport: transport)
        let calls = (0..<100).map { _ in Task { try await dispatcher.data(for: Fixture.request).decodeString() } }
        await coalescing.waiters(100)
        gate.open()
        for call in calls { #expect(try await call.value == "shared") }
        _ = try await dispatcher.data(for: Fixture.request)
        #expect(transport.requests.count == 1)
    }

    @Test func eachHopOfARedirectIsAnEntry() async throws {
        let transport = ScriptedTransport { [self] request in
            guard request.urlRequest.url == Fixture.url else { return reply(request, "target") }
            let headers: HTTPHeaderFields = ["Cache-Control": "max-age=60", "Location": "/target"]
            return reply(request, "", headers, status: .movedPermanently)
        }
        let cache = makeCache()
        let dispatcher = URLRequestDispatcher(interceptors: [cache], transport: transport)
        for _ in 0..<2 {
            let response = try await dispatcher.data(for: Fixture.request)
            #expect(try response.decodeString() == "target")
            #expect(response.history.count == 1)
        }
        #expect(transport.requests.count == 2)
        // The body of the redirect was nobody's, so a dispatcher that does not follow it asks again.
        var configuration = URLRequestDispatcher.Configuration()
        configuration.redirects = nil
        let other = URLRequestDispatcher(configuration: configuration, interceptors: [cache], transport: transport)
        #expect(try await other.data(for: Fixture.request).statusCode == .movedPermanently)
        #expect(transport.requests.count == 3)
    }

    @Test func severalDispatchersShareACache() async throws {
        let cache = makeCache()
        let transports = (0..<2).map { number in ScriptedTransport { [self] in reply($0, "\(number)") } }
        for transport in transports {
            let dispatcher = URLRequestDispatcher(interceptors: [cache], transport: transport)
            #expect(try await dispatcher.data(for: Fixture.request).decodeString() == "0")
        }
    }

    // MARK: Changes in the meantime

    @Test func aWriteKeepsWhatIsOnItsWayFromBeingStored() async throws {
        let gate = Gate()
        let transport = ScriptedTransport { [self] request in
            if request.urlRequest.httpMethod == "GET" { try await gate.wait() }
            return reply(request, "old")
        }
        let storage = MemoryStorage(limit: 1_000_000)
        let cache = makeCache(.storage(storage))
        let dispatcher = URLRequestDispatcher(interceptors: [cache], transport: transport)
        let read = Task { try await dispatcher.data(for: Fixture.request) }
        while gate.arrivals == 0 { await Task.yield() }
        _ = try await dispatcher.data(for: URLRequest(url: Fixture.url, method: .post))
        gate.open()
        let status = try await read.value.head?.cacheStatus
        #expect(status?.isStored == false)
        #expect(storage.count == 0)
    }

    @Test func aCancelledRevalidationLeavesTheEntry() async throws {
        let gate = Gate()
        let transport = ScriptedTransport { [self] request in
            let isConditional = request.urlRequest.value(forHTTPHeaderField: "If-None-Match") != nil
            if isConditional, gate.arrivals == 0 { try await gate.wait() }
            let headers: HTTPHeaderFields = ["Cache-Control": "max-age=60, stale-if-error=600", "ETag": "\"1\""]
            return reply(request, isConditional ? "" : "body", headers, status: isConditional ? .notModified : .ok)
        }
        let dispatcher = URLRequestDispatcher(interceptors: [makeCache()], transport: transport)
        _ = try await dispatcher.data(for: Fixture.request)
        time.advance(100)
        let cancelled = Task { try await dispatcher.data(for: Fixture.request) }
        while gate.arrivals == 0 { await Task.yield() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { _ = try await cancelled.value }
        let response = try await dispatcher.data(for: Fixture.request)
        #expect(response.head?.cacheStatus?.outcome == .revalidated)
        #expect(try response.decodeString() == "body")
    }

    /// A 304 that names another version than the one that was asked about stands for nothing.
    @Test(arguments: [("If-None-Match", "ETag"), ("If-Modified-Since", "Last-Modified")])
    func aConfirmationOfSomethingElseIsNotBelieved(condition: String, validator: String) async throws {
        let transport = ScriptedTransport { [self] request in
            let isConditional = request.urlRequest.value(forHTTPHeaderField: condition) != nil
            let version = isConditional || time.date.timeIntervalSince1970 > 1_700_000_050 ? "2" : "1"
            let date = { HTTPDateText.of(self.time.date.addingTimeInterval($0)) }
            var headers: HTTPHeaderFields = ["Cache-Control": "max-age=60", "Date": date(0)]
            headers[validator] = validator == "ETag" ? "\"\(version)\"" : date(version == "2" ? -2 : -1000)
            return reply(request, isConditional ? "" : version, headers, status: isConditional ? .notModified : .ok)
        }
        let dispatcher = URLRequestDispatcher(interceptors: [makeCache()], transport: transport)
        #expect(try await dispatcher.data(for: Fixture.request).decodeString() == "1")
        time.advance(100)
        let response = try await dispatcher.data(for: Fixture.request)
        #expect(try response.decodeString() == "2")
        #expect(response.head?.cacheStatus?.detail == "other-validator")
        #expect(transport.requests.count == 3)
    }

    @Test func aRevalidationInTheBackgroundEndsWithTheCache() async throws {
        let gate = Gate()
        let ended = Gate()
        let transport = ScriptedTransport { [self] request in
            if request.urlRequest.value(forHTTPHeaderField: "If-None-Match") != nil {
                do { try await gate.wait() } catch {
                    ended.open()
                    throw error
                }
            }
            let headers: HTTPHeaderFields = ["Cache-Control": "max-age=1, stale-while-revalidate=600", "ETag": "\"1\""]
            return reply(request, "body", headers)
        }
        var cache: ResponseCache? = makeCache()
        do {
            let dispatcher = InterceptorChain([cache].compactMap { $0 }, transport: transport)
            _ = try await dispatcher(TransportRequest(Fixture.request))
            time.advance(2)
            for _ in 0..<3 {
                let response = try await dispatcher(TransportRequest(Fixture.request))
                #expect(response.head.cacheStatus?.outcome == .stale)
            }
            while gate.arrivals == 0 { await Task.yield() }
            // One revalidation at a time.
            #expect(gate.arrivals == 1)
        }
        // The chain that the revalidation holds has the cache, too, so the transport is what ends it here.
        cache = nil
        transport.invalidateAndCancel()
        try await ended.wait()
    }
}

/// Keeps the statuses and the log lines of calls.
private final class StatusRecorder: ExchangeObserver {
    let statuses = Locked<[CacheStatus]>([])
    let lines = Locked<[String]>([])

    var log: LoggingObserver {
        LoggingObserver(minimumLevel: .debug) { _, line in self.lines.withLock { $0.append(line) } }
    }

    func observe(_ event: ExchangeEvent) {
        if case .cached(let status) = event.kind { statuses.withLock { $0.append(status) } }
    }
}
