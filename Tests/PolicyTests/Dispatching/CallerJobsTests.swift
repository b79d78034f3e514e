import TestSupport
import Testing

@testable import PiuPiuAsync

struct CallerJobsTests {
    private typealias Jobs = CallerJobs<Int, String>

    /// The states, and the jobs that are kept in each.
    private enum State: CaseIterable {
        case active, activeWithJobs, waiting, concluded, concludedWhileWaiting

        var jobs: Jobs {
            var jobs = Jobs()
            switch self {
            case .active: break
            case .activeWithJobs:
                _ = jobs.enqueue(1)
                _ = jobs.enqueue(2)
            case .waiting: _ = jobs.wait("caller")
            case .concluded: _ = jobs.conclude()
            case .concludedWhileWaiting:
                _ = jobs.wait("caller")
                _ = jobs.conclude()
            }
            return jobs
        }
    }

    @Test func aJobArrives() {
        let additions = State.allCases.map { state in
            var jobs = state.jobs
            return Self.text(jobs.enqueue(9))
        }
        #expect(additions == ["keep", "keep", "resume caller", "pass", "pass"])
    }

    @Test func theCallerAsks() {
        let steps = State.allCases.map { state in
            var jobs = state.jobs
            return Self.text(jobs.next())
        }
        #expect(steps == ["wait", "run 1", "wait", "leave", "leave"])
    }

    @Test func theCallerSuspends() {
        let suspended = State.allCases.filter { $0 != .waiting }.map { state in
            var jobs = state.jobs
            return jobs.wait("caller")
        }
        #expect(suspended == [true, false, false, false])
    }

    @Test func theOutcomeArrives() {
        let conclusions = State.allCases.map { state in
            var jobs = state.jobs
            return jobs.conclude().map { "\($0.waiter ?? "nobody") \($0.jobs)" }
        }
        #expect(conclusions == ["nobody []", "nobody [1, 2]", "caller []", nil, nil])
    }

    @Test func aResumedCallerIsNotResumedAgain() {
        var jobs = State.waiting.jobs
        #expect(Self.text(jobs.enqueue(1)) == "resume caller")
        #expect(Self.text(jobs.enqueue(2)) == "keep")
        let conclusion = jobs.conclude()
        #expect(conclusion?.waiter == nil)
        #expect(conclusion?.jobs == [1, 2])
        #expect(Self.text(jobs.next()) == "leave")
    }

    @Test func aCallerThatNeverSuspendsYieldsAfterABurst() {
        var jobs = Jobs()
        var steps: [String] = []
        for number in 0..<(2 * Jobs.burst + 3) {
            _ = jobs.enqueue(number)
            steps.append(Self.text(jobs.next()))
        }
        #expect(steps.filter { $0 == "yield" }.count == 2)
        #expect(steps[Jobs.burst] == "yield")
        #expect(steps.last == "run \(2 * Jobs.burst)")
        // A suspended caller has let other tasks run.
        var resting = Jobs()
        for number in 0..<(4 * Jobs.burst) {
            let isSuspended = resting.wait("caller")
            #expect(isSuspended)
            _ = resting.enqueue(number)
            #expect(Self.text(resting.next()) == "run \(number)")
        }
    }

    @Test func eachJobIsHandedOutOnceAndInOrder() {
        for seed in 0..<200 {
            var random = SeededRandom(seed: UInt64(seed))
            var jobs = Jobs()
            var (added, run, passed) = (0, [Int](), [Int]())
            var isSuspended = false
            let last = Int.random(in: 1...300, using: &random)
            while added < last {
                if Int.random(in: 0..<3, using: &random) > 0 {
                    if case .resume = jobs.enqueue(added) { isSuspended = false }
                    added += 1
                } else if !isSuspended {
                    switch jobs.next() {
                    case .run(let job): run.append(job)
                    case .wait: isSuspended = jobs.wait("caller")
                    case .yield, .leave: break
                    }
                }
            }
            passed = jobs.conclude()?.jobs ?? []
            #expect(run + passed == Array(0..<added), "seed \(seed)")
        }
    }

    // MARK: Texts

    private static func text(_ addition: Jobs.Addition) -> String {
        switch addition {
        case .keep: "keep"
        case .resume(let waiter): "resume \(waiter)"
        case .pass: "pass"
        }
    }

    private static func text(_ step: Jobs.Step) -> String {
        switch step {
        case .run(let job): "run \(job)"
        case .yield: "yield"
        case .wait: "wait"
        case .leave: "leave"
        }
    }
}
