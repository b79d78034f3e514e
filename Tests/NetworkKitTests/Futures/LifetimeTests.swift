import NetworkKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LifetimeTests {
    private let journal = Journal()

    @MainActor
    @Test func anUnsentFutureIsReleasedWithItsCallbacks() async {
        weak var future: ResponseFuture<Int>?
        weak var promise: Promise<Int, Int>?
        weak var token: Token?
        do {
            let owner = Token()
            token = owner
            future = ResponseFuture<Int> { _ in journal("action", owner) }.record(journal, token: owner).then { $0 }
            promise = Promise<Int, Int> { _ in journal("action", owner) }.record(journal, token: owner).then { $0 }
        }
        await MainActor.drain()
        #expect(future == nil)
        #expect(promise == nil)
        #expect(token == nil)
        #expect(journal.entries.isEmpty)
    }

    @MainActor
    @Test(arguments: ["success", "failure", "error", "cancel"])
    func callbacksAreReleasedAfterTheEnd(_ end: String) async {
        weak var token: Token?
        let promise: Promise<Int, Int>
        do {
            let owner = Token()
            token = owner
            promise = Promise<Int, Int> { promise in
                switch end {
                case "success": promise.succeed(with: 1)
                case "failure": promise.fail(with: 1)
                case "error": promise.catch(Failure())
                default: promise.cancel()
                }
            }.then { $0 }.record(journal, token: owner)
        }
        #expect(token != nil)
        promise.send()
        await journal.wait()
        await MainActor.drain()
        // The promise is still there, and does not keep what its callbacks kept.
        #expect(token == nil)
        #expect(promise.status != .started)
    }

    @MainActor
    @Test func aSentFutureLivesUntilItHasEnded() async {
        let dispatcher = HangingDispatcher()
        weak var future: ResponseFuture<Response<Data?>>?
        weak var promise: ResponsePromise<Data?, Data?>?
        do {
            let network = dispatcher.network
            future = network.future(from: { BasicRequest(method: .get, path: "/") }).record(journal).send()
            promise = network.make(BasicRequest(method: .get, path: "/")).record(journal).send()
        }
        await dispatcher.gate.arrival(of: 2)
        #expect(future != nil)
        #expect(promise?.status == .started)
        dispatcher.gate.open()
        await journal.wait(for: "completion", 2)
        await MainActor.drain()
        #expect(future == nil)
        #expect(promise == nil)
    }

    @MainActor
    @Test func anActionGetsThePromiseItself() async {
        let promise = Promise<Int, Int> { inner in
            journal(ObjectIdentifier(inner))
            inner.succeed(with: 1)
        }
        promise.completion { journal("completion") }.send()
        #expect(await journal.wait() == ["\(ObjectIdentifier(promise))", "completion"])

        let other = Journal()
        let future = ResponseFuture<Int> { inner in
            other(ObjectIdentifier(inner))
            inner.succeed(with: 1)
        }
        future.completion { other("completion") }.send()
        #expect(await other.wait() == ["\(ObjectIdentifier(future))", "completion"])
    }

    @MainActor
    @Test func aPromiseThatIsFulfilledLivesUntilItHasEnded() async {
        let dispatcher = HangingDispatcher()
        weak var promise: ResponsePromise<Data?, Data?>?
        do {
            let network = dispatcher.network
            promise = ResponsePromise<Data?, Data?> { promise in
                network.make(BasicRequest(method: .get, path: "/")).fulfill(promise)
            }.record(journal).send()
        }
        await dispatcher.gate.arrival()
        #expect(promise != nil)
        dispatcher.gate.open()
        await journal.wait()
        await MainActor.drain()
        #expect(promise == nil)
    }

    @MainActor
    @Test func anActionThatForgetsItsPromiseReleasesIt() async {
        weak var promise: Promise<Int, Int>?
        weak var token: Token?
        do {
            let owner = Token()
            token = owner
            promise = Promise<Int, Int> { _ in }.record(Journal(), token: owner).send()
        }
        await MainActor.drain()
        #expect(promise == nil)
        #expect(token == nil)
    }

    @MainActor
    @Test func workGoesOnWhileTheMainThreadIsBlocked() throws {
        let mock = MockDispatcher(baseUrl: ViewController().baseURL, mockStatusCode: .notFound)
        try mock.setMockData(Post.hello)
        let promise = mock.make(BasicRequest(method: .get, path: "/posts/1"))
            .then { _ in "success" }
            .thenFailure { try $0.decode(Post.self).title }
            .future { $0 }
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            _ = try await promise.fetchResult()
            done.signal()
        }
        #expect(done.wait(timeout: .now() + 120) == .success)
        #expect(promise.status == .success)
    }
}
