import PiuPiuTesting
import Testing

@testable import PiuPiuClassic

@Suite(.timeLimit(.generous))
final class ProgressTests: PostsController {
    @Test func anActionReportsItsProgress() async {
        ResponseFuture<Int>(action: { future in
            Task {
                for part: Float in [0.25, 0.5, 0.1, .nan, 7] {
                    future.update(progress: part)
                    await MainThread.run {}
                }
                future.succeed(with: 7)
            }
        })
        .then({ $0 })
        .progress({ self.journal($0, MainThread.isCurrent) })
        .completion({ self.journal("completion") })
        .send()
        let entries = await journal.wait(for: "completion")
        // It never goes back, and never leaves the range.
        #expect(entries == ["0.25 true", "0.5 true", "1.0 true", "completion"])
    }

    @Test func thePartsOfAChainCountTheSame() async {
        func part() -> ResponseFuture<Int> {
            ResponseFuture<Int>(action: { future in
                Task {
                    for part: Float in [0.5, 1] {
                        future.update(progress: part)
                        await MainThread.run {}
                    }
                    future.succeed(with: 7)
                }
            })
        }
        part().join({ _ in part() })
            .progress({ self.journal($0) })
            .completion({ self.journal("completion") })
            .send()
        #expect(await journal.wait(for: "completion") == ["0.25", "0.5", "0.75", "1.0", "completion"])
    }

    @Test func aRequestReportsItsProgress() async {
        server.route("/large", .response(body: String(repeating: "x", count: 100_000)))
        dispatcher.future(from: get("/large"))
            .progress({ self.journal("progress", $0 > 0 && $0 <= 1, $0 == 1) })
            .completion({ self.journal("completion") })
            .send()
        let entries = await journal.wait(for: "completion")
        #expect(entries.suffix(2) == ["progress true true", "completion"])
        #expect(entries.allSatisfy { !$0.hasPrefix("progress false") })
    }
}
