import PiuPiuFutures
import TestSupport
import Testing

@testable import PiuPiuAsync

@Suite(.timeLimit(.minutes(2))) struct RandomTreeTests {
    private static let firstSeed: UInt64 = 20_190_530

    @Test func anyTreeEndsOnceAsItHasToAndLeavesNothingBehind() async {
        let next = Locked(UInt64(0))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    while true {
                        let index = next.withLock { next in
                            next += 1
                            return next
                        }
                        guard index <= 10_000 else { return }
                        for problem in await Self.run(seed: Self.firstSeed + index) {
                            Issue.record("seed \(Self.firstSeed + index): \(problem)")
                        }
                    }
                }
            }
        }
    }

    /// Runs one tree.
    ///
    /// - Returns: What was wrong.
    private static func run(seed: UInt64) async -> [String] {
        let lives = Lives()
        var problems: [String] = []
        let recorders = await { () async -> [FutureEvents] in
            var tree = RandomTree(seed: seed, lives: lives)
            let part = tree.part(5)
            let events = FutureEvents()
            let future = events.record(part.future.then { $0 }, token: lives.token())
            let isCancelled = part.outcomes?.contains(.never) != false || tree.number(3) == 0
            let fetches = tree.number(3) == 0
            let turns = tree.number(12)
            if isCancelled, turns == 0 { future.cancel() }
            future.send()
            let fetch = fetches ? Task { try await future.fetchResult() } : nil
            if isCancelled {
                for _ in 0..<turns { await Task.yield() }
                // All ways to cancel.
                if let fetch, turns % 2 == 0 { fetch.cancel() } else { future.cancel() }
            }
            await events.completions()
            let all = events.all.filter { !$0.hasPrefix("updated") }
            if all.count != 2 || all.last != "completion" { problems.append("events \(all)") }
            var allowed = (part.outcomes ?? []).subtracting([.never])
            if isCancelled { allowed.insert(.cancelled) }
            if part.outcomes != nil, !allowed.map(\.event).contains(all.first ?? "") {
                problems.append("\(all) instead of \(allowed.map(\.event)), cancelled: \(isCancelled)")
            }
            if let fetch {
                let event: String
                switch await fetch.result {
                case .success(let value): event = "success \(value)"
                case .failure(let error as Failure): event = "error \(error)"
                case .failure: event = "cancellation"
                }
                if event != all.first { problems.append("fetched \(event), but \(all)") }
            }
            return tree.recorders
        }()
        // Ends only where nothing was left behind.
        let watch = Task.detached {
            try await Task.sleep(for: .seconds(20))
            Issue.record("seed \(seed): something is left behind")
        }
        await lives.end()
        watch.cancel()
        await MainActor.drain()
        for recorder in recorders {
            let all = recorder.all
            // None where the future was never come to.
            if !all.isEmpty, all.count != 2 || all.last != "completion" || all.first == "completion" {
                problems.append("an inner future told \(all)")
            }
        }
        return problems
    }
}
