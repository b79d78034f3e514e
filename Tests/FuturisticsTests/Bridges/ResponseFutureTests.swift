import Futuristics
import PiuPiuFutures
import PiuPiuTesting
import TestSupport
import Testing

/// Both modules in one file, as while code moves from one to the other.
@Suite(.timeLimit(.generous)) struct ResponseFutureTests {
    @Test func aResponseFutureBecomesAFuture() async throws {
        let future = Future(ResponseFuture<Int> { $0.succeed(with: 3) })
        #expect(try await future.value == 3)
        await #expect(throws: Failure(number: 4)) {
            try await Future(ResponseFuture<Int> { $0.fail(with: Failure(number: 4)) }).value
        }
    }

    @Test func aResponseFutureIsSentOnTheCallersThread() async {
        let journal = Journal()
        let queue = NamedQueue.make("caller")
        queue.sync {
            _ = Future(
                ResponseFuture<Int> { future in
                    journal(NamedQueue.current ?? "none")
                    future.succeed(with: 1)
                }
            )
            journal("created")
        }
        #expect(journal.entries == ["caller", "created"])
    }

    @Test func aCancelledResponseFutureRejects() async {
        let response = ResponseFuture<Int> { _ in }
        let future = Future(response)
        response.cancel()
        await #expect(throws: CancellationError.self) { try await future.value }
    }

    @Test func aFutureBecomesAResponseFuture() async throws {
        let promise = Promise<Int>()
        let response = promise.future.responseFuture()
        #expect(response.status == .created)
        promise.fulfill(5)
        #expect(try await response.then { $0 + 1 }.fetchResult() == 6)
        await #expect(throws: Failure(number: 2)) {
            try await Promise<Int>().reject(Failure(number: 2)).responseFuture().fetchResult()
        }
    }

    @Test func cancellingAResponseFutureEndsOnlyItsWaiting() async throws {
        let promise = Promise<Int>()
        let response = promise.future.responseFuture()
        let journal = Journal()
        _ = response.cancellation { journal("cancellation") }.completion { journal("completion") }
        response.send()
        response.cancel()
        #expect(await journal.entries(2) == ["cancellation", "completion"])
        #expect(promise.isPending)
        promise.fulfill(1)
        #expect(try await promise.future.value == 1)
    }

    @Test func aRequestIsAStageOfAComposition() async throws {
        let server = try LoopbackServer()
        server.route("GET", "/post", .json(#"{"title":"Hello"}"#))
        server.route("GET", "/missing", .json("{}", status: 404))
        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.proxy = .none
        let dispatcher = URLRequestDispatcher(configuration: configuration)
        let get = { (path: String) -> Future<Response<Data?>> in
            Future(dispatcher.dataFuture(from: URLRequest(url: server.url(path))))
        }
        let title =
            get >>> { response -> String in
                if let error = response.httpError { throw error }
                return try response.decode([String: String].self)["title"] ?? ""
            }
        #expect(try await title("/post").value == "Hello")
        await #expect(throws: HTTPError.self) { try await title("/missing").value }
    }
}
