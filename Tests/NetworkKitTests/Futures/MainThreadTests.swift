import NetworkKit
import TestSupport
import Testing

/// A user's class for Swift 5, whose closures touch variables of the main thread without further ado.
private class TokenController: ServerProvider {
    let journal = Journal()
    var base = URL(fileURLWithPath: "/")
    var reads = 0
    var count = 0

    var baseURL: URL {
        touch("provider")
        return base
    }

    /// Counts, and notes where.
    func touch(_ place: String) {
        count += 1
        journal(place)
    }

    /// The closure of every kind and at every depth.
    func send(_ dispatcher: MockDispatcher) {
        let network = NetworkDispatcher(serverProvider: self, dispatcher: HangingDispatcher())
        network.future(from: BasicRequest(method: .get, path: "/")).send().cancel()
        dispatcher.make(from: {
            self.touch("request closure")
            return BasicRequest(method: .get, path: "/")
        }).then({ response -> StatusCode in
            self.touch("then")
            return response.statusCode
        }).thenFailure({ response -> ResponseError in
            self.touch("thenFailure")
            return response.error
        }).future({ error -> StatusCode in
            self.touch("future")
            throw error
        }).then({ _ -> Int in
            self.touch("then")
            return 1
        }).replace({ _ -> ResponseFuture<Int> in
            self.touch("replace")
            return ResponseFuture<Int> { future in
                self.touch("action")
                future.succeed(with: 1)
            }.then({ value -> Int in
                self.touch("inner then")
                return value
            })
        }).join({ _ -> ResponseFuture<Int> in
            self.touch("join")
            return ResponseFuture<Int> { $0.succeed(with: 1) }
        }).response({ _ in
            self.touch("response")
        }).error({ _ in
            self.touch("error")
        }).completion({
            self.touch("completion")
        }).send()
    }
}

/// Closures of a chain that is sent from the main thread run there, so that a plain class needs no lock.
@Suite(.timeLimit(.minutes(5)))
struct MainThreadTests {
    @MainActor
    @Test func everyClosureRunsOnTheMainThread() async {
        for _ in 0..<rounds(200) {
            let controller = TokenController()
            let dispatcher = MockDispatcher(baseUrl: ViewController().baseURL, mockStatusCode: .ok)
            controller.send(dispatcher)
            await controller.journal.wait()
            #expect(controller.journal.offMain.isEmpty)
            #expect(controller.journal.entries.count == controller.count)
        }
    }

    @MainActor
    @Test func callbacksAndContinuationsRunOnTheMainThread() async {
        let handlers: Set = ["request closure", "replace", "join", "response", "error", "completion"]
        for status in [StatusCode.ok, .notFound] {
            let controller = TokenController()
            controller.send(MockDispatcher(baseUrl: ViewController().baseURL, mockStatusCode: status))
            await controller.journal.wait()
            #expect(handlers.isDisjoint(with: controller.journal.offMain))
            #expect(controller.journal.entries.contains(status == .ok ? "response" : "error"))
        }
    }
}
