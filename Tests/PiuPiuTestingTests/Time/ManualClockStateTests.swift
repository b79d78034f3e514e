import Testing

@testable import PiuPiuTesting

/// The state of a clock that tests move, without tasks.
struct ManualClockStateTests {
    private var state = ManualClockState<String>()

    @Test mutating func sleepersEndInTheOrderOfTheirTimes() {
        for (name, time) in [("late", 3), ("early", 1), ("also early", 1), ("never", 9)] {
            #expect(state.sleep(state.announce(), until: .seconds(time), name).due == [])
        }
        #expect(state.advance(by: .seconds(3)) == ["early", "also early", "late"])
        #expect(state.deadlines == [.seconds(9)])
        #expect(state.waitCount == 1)
    }

    @Test mutating func aCancellationEndsAWaitOnce() {
        let id = state.announce()
        #expect(state.sleep(id, until: .seconds(1), "a").due == [])
        #expect(state.cancel(id) == "a")
        #expect(state.cancel(id) == nil)
        #expect(state.advance(by: .seconds(1)) == [])
        #expect(state.waitCount == 0)
    }

    @Test mutating func aCancellationThatComesFirstIsRemembered() {
        let id = state.announce()
        #expect(state.cancel(id) == nil)
        #expect(state.cancel(id) == nil)
        #expect(state.sleep(id, until: .seconds(1), "a").isCancelled)
        #expect(state.sleepCount == 0)
        #expect(state.waitCount == 0)
    }

    @Test mutating func aCancellationThatComesLastLeavesNothingBehind() {
        let id = state.announce()
        #expect(state.sleep(id, until: .zero, "a").due == ["a"])
        #expect(state.cancel(id) == nil)
        #expect(state.waitCount == 0)
    }

    @Test mutating func aWaitEndsWithTheSleeperThatWasMissing() {
        #expect(state.wait(state.announce(), for: .count(2, within: nil), "two").due == [])
        #expect(state.wait(state.announce(), for: .deadline(.seconds(5)), "five").due == [])
        #expect(state.wait(state.announce(), for: .begun(3), "third").due == [])
        #expect(state.sleep(state.announce(), until: .seconds(4), "a").due == [])
        #expect(Set(state.sleep(state.announce(), until: .seconds(5), "b").due) == ["two", "five"])
        #expect(Set(state.sleep(state.announce(), until: .zero, "c").due) == ["c", "third"])
        #expect(state.wait(state.announce(), for: .count(2, within: nil), "again").due == ["again"])
    }

    @Test mutating func movingTheClockBringsSleepersNearer() {
        #expect(state.sleep(state.announce(), until: .seconds(60), "limit").due == [])
        let condition = ManualClockCondition.count(1, within: .seconds(10))
        #expect(state.wait(state.announce(), for: condition, "near").due == [])
        #expect(state.waits(of: condition) == [])
        #expect(state.advance(by: .seconds(50)) == ["near"])
        #expect(state.waits(of: condition) == [.seconds(10)])
        #expect(state.advance(by: .seconds(10)) == ["limit"])
    }
}
