import PiuPiuFutures
import TestSupport
import Testing

/// Futures that are released before they ran: in release builds, each of these ended the process once.
///
/// `FutureWalk` does the same with every operator, as a program that is optimised as those of users are.
@Suite(.timeLimit(.generous)) struct UnsentFutureTests {
    private static func chain() -> ResponseFuture<Int> {
        ResponseFuture<Int>(result: 1).then { $0 }
    }

    @Test func aChainIsDroppedUnsent() {
        _ = ResponseFuture<Int>(result: 1).then { $0 }
        _ = Self.chain().then { $0 }.then { "\($0)" }
    }

    @Test func aChainIsCancelledBeforeItIsSent() async throws {
        let lives = Lives()
        do {
            let token = lives.token()
            let future = Self.chain().then { value in
                _ = token
                return value
            }
            future.cancel()
            #expect(future.status == .cancelled)
            future.send()
            await #expect(throws: CancellationError.self) { try await future.fetchResult() }
        }
        await lives.end()
    }

    @Test func aJoinIsSentAndCancelledAtOnce() async throws {
        let lives = Lives()
        for _ in 0..<100 {
            let token = lives.token()
            let future = Self.chain().parallelJoin(Int.self) {
                Self.chain().then { value in
                    _ = token
                    return value
                }
            }
            future.send()
            future.cancel()
            #expect(future.status == .cancelled || future.status == .success)
        }
        await lives.end()
    }
}
