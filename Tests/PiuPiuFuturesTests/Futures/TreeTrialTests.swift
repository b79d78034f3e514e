import PiuPiuTesting
import TestSupport
import Testing

/// Tests that random trees cannot hang their test.
@Suite(.timeLimit(.generous)) struct TreeTrialTests {
    @Test func everySeedIsTriedOnce() async {
        let seeds = Tally()
        let trial = TreeTrial(first: .max - 10, count: 100)
        let problems = await trial.run(workers: 4, perTree: .seconds(3600)) { seed in
            seeds.add()
            return seed == 7 ? ["odd"] : []
        }
        #expect(problems == ["seed 7: odd"])
        #expect(seeds.count == 100)
        #expect(trial.finishedCount == 100)
    }

    @Test func aTreeThatHangsEndsTheTrialAndIsNamed() async {
        let never = Tally()
        let clock = ManualClock()
        let trial = TreeTrial(first: 1, count: 100, clock: clock)
        // By one worker, so that no other tree can be late too.
        let problems = await trial.run(workers: 1, perTree: .seconds(20)) { seed in
            if seed == 42 {
                // The trial looks every second, and does not take 20 of them for late at 19.
                for second in 1...20 {
                    await clock.sleeper(until: .seconds(second))
                    clock.advance(by: .seconds(1))
                }
                await never.reach(1)
            }
            return []
        }
        #expect(problems == ["seed 42: it does not end, or something is left behind"])
        #expect(trial.finishedCount == 41)
        #expect(clock.now.offset == .seconds(20))
        never.add()
    }

    @Test func cancellingTheTestEndsTheTrial() async {
        let never = Tally()
        let starts = Tally()
        let trial = TreeTrial(first: 1, count: 1)
        let run = Task {
            await trial.run(workers: 1, perTree: .seconds(3600)) { _ in
                starts.add()
                await never.reach(1)
                return []
            }
        }
        await starts.reach(1)
        run.cancel()
        #expect(await run.value == ["seed 1: it does not end, or something is left behind"])
        never.add()
    }
}
