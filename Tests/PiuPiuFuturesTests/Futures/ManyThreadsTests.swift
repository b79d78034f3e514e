import PiuPiuAsync
import PiuPiuFutures
import TestSupport
import Testing
@testable import PiuPiuTesting

/// One future that many threads use at the same time; what they may not do besides, the thread sanitizer tells.
@Suite(.timeLimit(.generous)) struct ManyThreadsTests {
    // K4, K7, rule 1
    @Test func aFutureMayBeUsedFromManyThreadsAtOnce() async {
        for round in 0..<rounds(100) {
            let runs = Tally()
            let events = FutureEvents()
            let future = events.record(
                ResponseFuture<Int> { future in
                    runs.add()
                    Task.detached { future.succeed(with: round) }
                }
            )
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask { future.send() }
                    group.addTask { _ = future.updated { _ in }.cancellation {} }
                    group.addTask {
                        let progress = TransferProgress(direction: .receiving)
                        for _ in 0..<5 { future.update(with: TransferTask(progress: progress)) }
                    }
                    group.addTask {
                        let value = try? await future.then { $0 }.fetchResult()
                        #expect(value == round)
                    }
                    group.addTask {
                        // It never goes back.
                        var order: [FutureStatus] = [.created, .started, .success]
                        for _ in 0..<rounds(100) {
                            let status = future.status
                            #expect(order.contains(status))
                            order.removeFirst(order.firstIndex(of: status) ?? 0)
                        }
                    }
                }
            }
            await events.completions()
            future.send()
            #expect(future.status == .success)
            #expect(runs.count == 1)
            #expect(events.all.filter { !$0.hasPrefix("updated") } == ["success \(round)", "completion"])
        }
    }

    private struct Value: Sendable {}

    // K20: these are errors of the compiler if a type is not safe to share.
    @Test func everythingMayCrossThreads() async throws {
        func check<T: Sendable>(_ type: T.Type) {}
        check(ResponseFuture<Value>.self)
        check(ResponseFuture<(Value, Result<Value, any Error>)>.self)
        check(FutureStatus.self)
        check(TransferTask.self)
        check(StatusCode.self)
        check(Response<Data?>.self)
        check(HTTPResponse<Data?>.self)
        check(BasicRequest.self)
        check(RequestSerializer.self)
        check((any Request).self)
        check((any ServerProvider).self)
        check(URLRequestDispatcher.self)
        check(MockURLRequestDispatcher.self)
        let future = ResponseFuture { () async in StatusCode.notFound.localizedDescription }
        let text = try await Task.detached { try await future.fetchResult() }.value
        #expect(text == HTTPURLResponse.localizedString(forStatusCode: 404))
    }
}
