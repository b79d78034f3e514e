import PiuPiuAsync
import PiuPiuFutures
import PiuPiuTesting
import TestSupport
import Testing

/// Large and unusual chains that begin on the main thread.
@Suite(.timeLimit(.generous)) struct MainThreadChainTests {
    private let lives = Lives()
    private let events = FutureEvents()

    @Test func theTimeOfCallbacksGrowsWithTheirNumber() async throws {
        let clock = ContinuousClock()
        func time(_ length: Int) async throws -> Duration {
            let lives = Lives()
            let start = clock.now
            do {
                let token = lives.token()
                let chain = (0..<length).reduce(ResponseFuture<Int> { $0.succeed(with: token.zero) }) { future, _ in
                    future.thenResult(Int.self) { try $0.get() + 1 + token.zero }
                }
                #expect(try await Task { @MainActor in try await chain.fetchResult() }.value == length)
            }
            await lives.end()
            return clock.now - start
        }
        try await expectLinearGrowth(tries: 20, of: time)
    }

    @Test func manyChildrenBeginInOrder() async throws {
        let order = Locked<[Int]>([])
        await MainActor.run {
            let children = (0..<10_000).map { number in
                let token = lives.token()
                return ResponseFuture<Int> { future in
                    order.withLock { $0.append(number) }
                    future.succeed(with: number + token.zero)
                }
            }
            let all = ResponseFuture<[Int]>(childFutures: children).then { $0.reduce(0, +) }
            events.record(all).send()
        }
        await events.completions()
        #expect(order.withLock { $0 } == Array(0..<10_000))
        #expect(events.all == ["success 49995000", "completion"])
        await lives.end()
    }

    @Test func workGoesBackToTheBackgroundAfterEachCallback() async throws {
        await MainActor.run {
            let chain = ResponseFuture<Int> { $0.succeed(with: 1) }
                .thenResult(Int.self) { try $0.get() }
                .then { value -> Int in
                    events.place("then")
                    return value
                }
                .replace(Int.self) { value in
                    ResponseFuture<Int> { $0.succeed(with: value) }
                        .thenResult(Int.self) { try $0.get() }
                        .map(Int.self) { value in
                            events.place("map")
                            return value
                        }
                }
                .then { value -> Int in
                    events.place("last")
                    return value
                }
            events.record(chain).send()
        }
        await events.completions()
        #expect(events.places == ["then elsewhere", "map elsewhere", "last elsewhere"])
    }

    @Test func aChainSentDuringARequestOfTheMainThreadDoesNotWaitForIt() async throws {
        let main = DispatchSemaphore(value: 0)
        let inner = MockURLRequestDispatcher { request in
            try Response.makeMockResponse(with: request, statusCode: .ok)
        }
        struct Adapter: URLRequestAdapter {
            let inner: MockURLRequestDispatcher
            let main: DispatchSemaphore
            let isFree: Locked<Bool>
            func adapt(urlRequest: URLRequest) async throws -> URLRequest {
                await withCheckedContinuation { continuation in
                    DispatchQueue.main.async {
                        continuation.resume()
                        // A limit, so that a fault fails this test alone.
                        let isInTime = main.wait(timeout: .now() + 120) == .success
                        isFree.withLock { $0 = isInTime }
                    }
                }
                let url = urlRequest.url ?? URL(filePath: "/")
                _ = try await inner.dataFuture(from: URLRequest(url: url, method: .get)).fetchResult()
                main.signal()
                return urlRequest
            }
        }
        let isFree = Locked(false)
        let adapter = Adapter(inner: inner, main: main, isFree: isFree)
        let outer = MockURLRequestDispatcher(requestAdapters: [adapter]) { request in
            try Response.makeMockResponse(with: request, statusCode: .ok)
        }
        await MainActor.run {
            let url = URL(string: "http://example.com") ?? URL(filePath: "/")
            let future = outer.dataFuture { URLRequest(url: url, method: .get) }
            events.record(future.then { _ in 1 }).send()
        }
        await events.completions()
        #expect(events.all.suffix(2) == ["success 1", "completion"])
        #expect(isFree.withLock { $0 })
    }

    @Test func fulfillingInACycleFromTheMainThreadCanBeCancelled() async throws {
        do {
            let second = Locked<ResponseFuture<Int>?>(nil)
            let token = lives.token()
            let first = ResponseFuture<Int> { future in
                _ = token
                second.withLock { $0 }?.fulfill(future)
            }
            second.withLock { [first] in
                $0 = ResponseFuture<Int> { future in first.fulfill(future) }
            }
            _ = events.record(first, "first ", token: lives.token())
            await MainActor.run { first.send() }
            first.cancel()
            await events.completions()
            #expect(second.withLock { $0?.status } == .cancelled)
            second.withLock { $0 = nil }
        }
        #expect(events.all == ["first cancellation", "first completion"])
        await lives.end()
    }

    @Test func aClosureMayDropSendAndEndItsOwnChain() async throws {
        await MainActor.run {
            let held = Locked<ResponseFuture<Int>?>(nil)
            let token = lives.token()
            let root = ResponseFuture<Int> { future in
                held.withLock { $0 }?.send()
                future.send()
                let dropped = held.withLock { held in
                    defer { held = nil }
                    return held
                }
                dropped?.succeed(with: 5)
                future.succeed(with: token.zero)
            }
            let chain = events.record(
                root.parallelJoin(Int.self) { ResponseFuture<Int> { $0.succeed(with: 2) } }.then { $0.1 },
                token: lives.token()
            )
            held.withLock { $0 = chain }
            chain.send()
        }
        await events.completions()
        #expect(events.all == ["success 5", "completion"])
        await lives.end()
    }

    @Test func fetchingOnTheMainActorBeginsAtOnceAndGivesItUp() async throws {
        let places = FutureEvents()
        let value = try await Task { @MainActor in
            try await ResponseFuture<Int> { future in
                places.place("action")
                DispatchQueue.main.async { future.succeed(with: 1) }
            }
            .thenResult(Int.self) { result in
                places.place("result")
                return try result.get()
            }
            .parallelJoin(Int.self) { ResponseFuture<Int> { () async in 2 } }
            .fetchResult()
        }
        .value
        #expect(value == (1, 2))
        #expect(places.places == ["action on main", "result on main"])
    }
}
