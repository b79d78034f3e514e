import PiuPiuAsync
import PiuPiuFutures
import TestSupport
import Testing

/// Trees of operators made at random, the same ones each time.
///
/// `PIUPIU_SEED=7` in the environment tries as many trees after seed 7 instead. A problem names the seed of its tree;
/// with one less than that in the environment, the tree is the first to be tried.
@Suite(.timeLimit(.generous)) struct RandomTreeTests {
    private static let count = UInt64(rounds(10_000))

    @Test func anyTreeEndsOnceAsItHasToAndLeavesNothingBehind() async {
        let given = ProcessInfo.processInfo.environment["PIUPIU_SEED"].flatMap { UInt64($0) }
        let trial = TreeTrial(first: (given ?? 20_190_530) &+ 1, count: Self.count)
        for problem in await trial.run(workers: 8, perTree: .seconds(300), Self.run) {
            Issue.record(Comment(rawValue: problem))
        }
        #expect(trial.finishedCount == Self.count)
    }

    /// Runs one tree; does not return if something is left behind.
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
            let isFromMain = tree.number(3) == 0
            let threads = tree.threads
            threads.isFromMain = isFromMain
            if isCancelled, turns == 0 { future.cancel() }
            if isFromMain { await MainActor.run { future.send() } } else { future.send() }
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
            if threads.wrong > 0 { problems.append("\(threads.wrong) callbacks on a wrong thread") }
            return tree.recorders
        }()
        // Ends only if nothing was left behind.
        await lives.end()
        await MainActor.drain()
        for recorder in recorders {
            let all = recorder.all
            // There are none if the future was never reached.
            if !all.isEmpty, all.count != 2 || all.last != "completion" || all.first == "completion" {
                problems.append("an inner future told \(all)")
            }
        }
        return problems
    }
}
