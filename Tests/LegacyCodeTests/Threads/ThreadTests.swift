import Foundation
import PiuPiuFutures
import PiuPiuTesting
import TestSupport
import Testing

/// Code of PiuPiu 1 in plain classes, which relies on the main thread; compiled in the Swift 5 language mode.
///
/// Under the thread sanitizer, a closure on another thread is a race too.
@Suite(.timeLimit(.minutes(10))) struct ThreadTests {
    /// Begins work on the main thread, and returns when it has called the function that it is given.
    private func onMain(_ body: @escaping (@escaping () -> Void) -> Void) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async { body { continuation.resume() } }
        }
    }

    @Test func aTokenIsRefreshedOnceHoweverManyRequestsNeedIt() async {
        // As often under the thread sanitizer, which is what finds the races.
        for _ in 0..<200 {
            let client = TokenClient()
            let count = 20
            for round in 1...2 {
                await onMain { done in
                    client.validTokens = []
                    for _ in 0..<count {
                        client.account()
                            .success { client.tokens.append($0) }
                            .error { client.tokens.append("\($0)") }
                            .completion {
                                client.ended += 1
                                if client.ended == count * round { done() }
                            }
                            .send()
                    }
                }
                await onMain { done in
                    #expect(client.refreshCount == round)
                    #expect(client.tokens.suffix(count) == Array(repeating: "token \(round)", count: count)[...])
                    #expect(client.waiting.isEmpty)
                    done()
                }
            }
        }
    }

    @Test(arguments: Root.allCases, Place.allCases)
    func everyClosureOfAChainFromTheMainThreadRunsThere(root: Root, place: Place) async {
        let state = MainThreadState()
        for outer in Place.allCases {
            await onMain { done in
                state.sent = []
                let future = outer.around({ place.around({ root.future(state) }, state) }, state)
                state.send(
                    future.success { #expect($0 == 1) }.error { Issue.record("\($0)") }.completion { done() }
                )
                let isAtOnce = outer.isAtOnce && place.isAtOnce && root != .result
                #expect(state.sent.contains(root.rawValue) == isAtOnce, "\(root) in \(place) in \(outer)")
            }
        }
        await onMain { done in
            #expect(state.misplaced.isEmpty)
            #expect(state.notes.contains(root.rawValue))
            done()
        }
    }
}
