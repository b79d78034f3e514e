import PiuPiuAsync
import PiuPiuFutures
import PiuPiuTesting
import TestSupport
import Testing

/// Where the callbacks of a chain run.
@Suite(.timeLimit(.generous)) struct CallbackThreadTests {
    private let events = FutureEvents()

    /// A main-actor class, such as a view controller.
    @MainActor private final class Screen {
        var page = 1
        var places: [String] = []

        func note(_ place: String) {
            places.append(DispatchQueue.isMain ? place : "\(place) elsewhere")
        }

        /// A chain whose closures use the screen.
        nonisolated func chain(_ dispatcher: MockURLRequestDispatcher) async -> ResponseFuture<Int> {
            await MainActor.run {
                dispatcher
                    .dataFuture { [weak self] in
                        self?.note("request")
                        return URLRequest(url: .example, method: .get)
                    }
                    .thenResult(Int.self) { _ in
                        self.note("result")
                        return self.page
                    }
                    .replace(Int.self) { page in
                        self.note("replace")
                        return ResponseFuture<Int> { future in
                            self.note("action")
                            future.succeed(with: page)
                        }
                    }
            }
        }
    }

    private actor Account {
        var balance = 1

        func future() -> ResponseFuture<Int> {
            ResponseFuture<Int> { future in
                self.assertIsolated()
                self.balance += 1
                future.succeed(with: self.balance)
            }
            .thenResult(Int.self) { result in
                self.assertIsolated()
                self.balance += 1
                return try result.get() + self.balance
            }
        }
    }

    private static func mock(_ note: @escaping @Sendable (String) -> Void = { _ in }) -> MockURLRequestDispatcher {
        MockURLRequestDispatcher { request in
            note("mock")
            return try Response.makeMockResponse(with: request, statusCode: .ok)
        }
    }

    /// A chain with callbacks of all kinds that belong to no actor.
    private static func chain(_ events: FutureEvents) -> ResponseFuture<Int> {
        let note = events.place
        let dispatcher = mock(note)
        let root = ResponseFuture<Int> { future in
            note("action")
            future.succeed(with: 1)
        }
        let request = dispatcher.dataFuture {
            note("request")
            return URLRequest(url: .example, method: .get)
        }
        return
            root
            .parallelJoin(Response<Data?>.self) { request }
            .thenResult(Int.self) { result in
                note("result")
                return try result.get().0
            }
            .seriesJoin(Int.self) { value in
                note("series")
                return ResponseFuture<Int> { future in
                    note("inner action")
                    withExtendedLifetime(dispatcher) {}
                    future.succeed(with: value)
                }
            }
            .then { $0.0 + $0.1 }
    }

    @Test func aChainFromTheMainThreadRunsItsCallbacksThere() async throws {
        let atOnce = await MainActor.run {
            let chain = Self.chain(events)
            events.record(chain).send()
            return events.places
        }
        #expect(atOnce == ["action on main", "request on main"])
        await events.completions()
        #expect(
            events.places == [
                "action on main", "request on main", "mock on main", "result on main", "series on main",
                "inner action on main",
            ]
        )
        #expect(events.all.filter { !$0.hasPrefix("updated") } == ["success 2", "completion"])
    }

    @Test func aChainFromElsewhereEndsWhileTheMainThreadIsBlocked() async throws {
        let main = BlockedMainThread()
        await main.block()
        #expect(try await Self.chain(events).fetchResult() == 2)
        main.unblock()
        #expect(
            events.places.sorted() == [
                "action elsewhere", "inner action elsewhere", "mock elsewhere", "request elsewhere", "result elsewhere",
                "series elsewhere",
            ]
        )
    }

    @Test func callbacksOfAnActorRunOnItWhereverTheChainIsSent() async throws {
        let dispatcher = Self.mock()
        let screen = await MainActor.run { Screen() }
        #expect(try await screen.chain(dispatcher).fetchResult() == 1)
        #expect(await screen.places == ["request", "result", "replace", "action"])
        let chain = await screen.chain(dispatcher)
        let atOnce = await MainActor.run {
            screen.places = []
            chain.send()
            return screen.places
        }
        #expect(atOnce == ["request"])
        #expect(try await chain.fetchResult() == 1)
        #expect(await screen.places == ["request", "result", "replace", "action"])

        let account = Account()
        #expect(try await account.future().fetchResult() == 5)
        let task = await MainActor.run { Task { try await account.future().fetchResult() } }
        #expect(try await task.value == 9)
    }

    @Test func thenAndMapRunInTheBackgroundOfAChainFromTheMainThread() async throws {
        await MainActor.run {
            let chain = ResponseFuture(result: 1)
                .then { value -> Int in
                    events.place("then")
                    return value
                }
                .map(Int.self) { value in
                    events.place("map")
                    return value
                }
            events.record(chain).send()
        }
        await events.completions()
        #expect(events.places == ["then elsewhere", "map elsewhere"])
    }

    @Test func theProviderAndTheRequestOfASerializerAreAskedOnTheMainActor() async throws {
        final class Provider: ServerProvider {
            let events: FutureEvents
            init(_ events: FutureEvents) { self.events = events }
            var baseURL: URL? {
                events.place("provider")
                return .example
            }
        }
        struct Noted: PiuPiuFutures.Request {
            let events: FutureEvents
            func urlRequest(withBaseURL baseURL: URL) throws -> URLRequest {
                events.place("request")
                return URLRequest(url: baseURL, method: .get)
            }
        }
        let provider = Provider(events)
        let serializer = RequestSerializer(dispatcher: Self.mock(events.place), serverProvider: provider)
        let future = serializer.dataFuture {
            events.place("closure")
            return Noted(events: events)
        }
        let atOnce = await MainActor.run {
            future.send()
            return events.places
        }
        #expect(atOnce == ["closure on main"])
        _ = try await future.fetchResult()
        #expect(events.places == ["closure on main", "provider on main", "request on main", "mock on main"])
        _ = try await serializer.dataFuture(from: Noted(events: events)).fetchResult()
        #expect(events.places.suffix(3) == ["provider elsewhere", "request elsewhere", "mock elsewhere"])
    }

    // MARK: Ends

    @Test(arguments: [0, 1, 2])
    func aCallbackThatWaitsForTheMainActorIsNotCalledAfterACancellation(kind: Int) async throws {
        let main = BlockedMainThread()
        // Belongs to the main actor, and is started elsewhere.
        let future = await MainActor.run {
            switch kind {
            case 0:
                ResponseFuture<Int> { future in
                    MainActor.assertIsolated()
                    events.place("action")
                    future.succeed(with: 1)
                }
            case 1: ResponseFuture(result: 1).thenResult(Int.self) { _ in self.note(events) }
            default: ResponseFuture(result: 1).replace(Int.self) { _ in ResponseFuture(result: self.note(events)) }
            }
        }
        await main.block()
        _ = events.record(future)
        future.send()
        for _ in 0..<10 { await Task.yield() }
        future.cancel()
        main.unblock()
        await events.completions()
        await MainActor.drain()
        #expect(events.all == ["cancellation", "completion"])
        #expect(events.places.isEmpty)
    }

    @MainActor private func note(_ events: FutureEvents) -> Int {
        events.place("callback")
        return 1
    }

    @Test func anActionOfTheMainActorIsLetGoOfAfterItsCall() async throws {
        let lives = Lives()
        let called = Tally()
        do {
            let token = lives.token()
            let future = await MainActor.run {
                ResponseFuture<Int> { _ in
                    MainActor.assertIsolated()
                    _ = token
                    called.add()
                }
            }
            _ = FutureEvents().record(future, token: lives.token())
            future.send()
        }
        await called.reach(1)
        await lives.end()
    }

    @Test func anErrorOfAnActionOfTheMainActorEndsItsFuture() async throws {
        let future = await MainActor.run {
            ResponseFuture<Int> { _ in
                MainActor.assertIsolated()
                throw Failure(number: 3)
            }
        }
        #expect(await FutureEvents.all(of: future) == ["error 3", "completion"])
    }

    @Test func cancellingInsideSendStopsWhatHasNotBegun() async throws {
        await MainActor.run {
            let first = ResponseFuture<Int> { future in
                events.place("first")
                future.cancel()
            }
            let second = ResponseFuture<Int> { future in
                events.place("second")
                future.succeed(with: 1)
            }
            events.record(first.parallelJoin(Int.self) { second }).send()
        }
        await events.completions()
        #expect(events.all == ["cancellation", "completion"])
        #expect(events.places == ["first on main"])
    }

    @Test func anErrorInsideSendCancelsTheOtherSide() async throws {
        let work = HangingWork()
        await MainActor.run {
            let first = ResponseFuture<Int> { _ in throw Failure(number: 4) }
            events.record(first.parallelJoin(Int.self) { work.future() }).send()
        }
        await events.completions()
        #expect(events.all == ["error 4", "completion"])
    }

    @Test func aRequestThatIsNotMadeEndsItsFuture() async throws {
        for error in [nil, Failure(number: 5)] {
            let events = FutureEvents()
            let dispatcher = Self.mock()
            await MainActor.run {
                let future = dispatcher.dataFuture {
                    if let error { throw error }
                    return nil
                }
                events.record(future.thenResult(Int.self) { try $0.map { _ in 1 }.get() }).send()
            }
            await events.completions()
            #expect(events.all == [error == nil ? "cancellation" : "error 5", "completion"])
        }
    }

    @Test func aDeepTreeOfJoinsBeginsInOrder() async throws {
        let order = Locked<[Int]>([])
        let count = 3000
        await MainActor.run {
            var future = ResponseFuture(result: 0)
            for number in 0..<count {
                let right = ResponseFuture<Int> { future in
                    order.withLock { $0.append(number) }
                    future.succeed(with: 1)
                }
                future = future.parallelJoin(Int.self) { right }.then { $0.0 + $0.1 }
            }
            events.record(future).send()
            #expect(order.withLock { $0 } == Array(0..<count))
        }
        await events.completions()
        #expect(events.all == ["success \(count)", "completion"])
    }

    // MARK: Lifetime

    @Test func aFutureIsAliveInItsHandlers() async throws {
        for outcome in 0..<3 {
            let seen = Locked<[Bool]>([])
            let ended = Tally()
            let probe = Probe()
            do {
                let future = ResponseFuture<Int> { future in
                    switch outcome {
                    case 0: future.succeed(with: 1)
                    case 1: throw Failure()
                    default: future.cancel()
                    }
                }
                probe.future = future
                future
                    .success { _ in seen.withLock { $0.append(probe.future != nil) } }
                    .error { _ in seen.withLock { $0.append(probe.future != nil) } }
                    .cancellation { seen.withLock { $0.append(probe.future != nil) } }
                    .completion {
                        seen.withLock { $0.append(probe.future != nil) }
                        ended.add()
                    }
                    .send()
            }
            await ended.reach(1)
            await MainActor.drain()
            #expect(seen.withLock { $0 } == [true, true])
            #expect(probe.future == nil)
        }
    }

    /// A future that is held weakly.
    private final class Probe: Sendable {
        private struct Box { weak var future: ResponseFuture<Int>? }
        private let box = Locked(Box())
        var future: ResponseFuture<Int>? {
            get { box.withLock { $0.future } }
            set { box.withLock { $0.future = newValue } }
        }
    }
}

extension URL {
    fileprivate static var example: URL { URL(string: "http://example.com/x") ?? URL(filePath: "/") }
}

/// Keeps the main thread busy.
private final class BlockedMainThread: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Returns when the main thread is blocked.
    func block() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async {
                continuation.resume()
                self.semaphore.wait()
            }
        }
    }

    func unblock() {
        semaphore.signal()
    }
}
