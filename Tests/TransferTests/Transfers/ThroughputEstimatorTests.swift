import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync

struct ThroughputEstimatorTests {
    /// Adds samples at a speed.
    private static func run(
        _ estimator: inout ThroughputEstimator,
        from start: (count: Int64, time: Duration) = (0, .zero),
        bytesPerSecond: Int64,
        every interval: Duration = .milliseconds(100),
        for duration: Duration
    ) -> (count: Int64, time: Duration) {
        var time = Duration.zero
        func count() -> Int64 { start.count + Int64(time / .seconds(1) * Double(bytesPerSecond)) }
        while time <= duration {
            estimator.add(count(), at: start.time + time)
            time += interval
        }
        time -= interval
        return (count(), start.time + time)
    }

    private static func isClose(_ speed: Double?, _ expected: Double, within part: Double = 0.01) -> Bool {
        speed.map { abs($0 - expected) <= expected * part } ?? false
    }

    @Test func nothingIsKnownAtTheStart() {
        var estimator = ThroughputEstimator()
        #expect(estimator.bytesPerSecond == nil)
        estimator.add(1_000, at: .seconds(5))
        #expect(estimator.bytesPerSecond == nil)
    }

    @Test(arguments: [20, 100, 1_000, 7_777])
    func aSteadySpeedIsFoundAtOnceAndKept(_ milliseconds: Int) {
        var estimator = ThroughputEstimator()
        let interval = Duration.milliseconds(milliseconds)
        var start = Self.run(&estimator, bytesPerSecond: 1_000_000, every: interval, for: interval)
        #expect(Self.isClose(estimator.bytesPerSecond, 1_000_000))
        for _ in 0..<20 {
            start = Self.run(&estimator, from: start, bytesPerSecond: 1_000_000, every: interval, for: .seconds(10))
            #expect(Self.isClose(estimator.bytesPerSecond, 1_000_000))
        }
    }

    @Test func whatWasBeforeCountsForAThirdAfterThreeSeconds() {
        var estimator = ThroughputEstimator()
        let start = Self.run(&estimator, bytesPerSecond: 3_000, for: .seconds(20))
        _ = Self.run(&estimator, from: start, bytesPerSecond: 0, for: .seconds(3))
        #expect(Self.isClose(estimator.bytesPerSecond, 3_000 / M_E, within: 0.02))
    }

    // How often the estimate is read does not matter.
    @Test(arguments: [25, 100, 500, 3_000])
    func aChangeOfSpeedIsFollowed(_ milliseconds: Int) {
        var estimator = ThroughputEstimator()
        let interval = Duration.milliseconds(milliseconds)
        let start = Self.run(&estimator, bytesPerSecond: 1_000, every: interval, for: .seconds(15))
        _ = Self.run(&estimator, from: start, bytesPerSecond: 100_000, every: interval, for: .seconds(30))
        #expect(Self.isClose(estimator.bytesPerSecond, 100_000))
    }

    @Test func aPauseMakesItSlowerAndNeverNegative() {
        var estimator = ThroughputEstimator()
        let start = Self.run(&estimator, bytesPerSecond: 1_000, for: .seconds(5))
        var last = estimator.bytesPerSecond ?? 0
        for second in 1...100 {
            estimator.add(start.count, at: start.time + .seconds(second))
            let speed = estimator.bytesPerSecond ?? -1
            #expect(speed < last && speed >= 0)
            last = speed
        }
        #expect(last < 1)
    }

    @Test func samplesThatAreTooCloseWaitForOthers() {
        var estimator = ThroughputEstimator()
        estimator.add(0, at: .zero)
        for millisecond in 1..<20 {
            estimator.add(Int64(millisecond) * 1_000, at: .milliseconds(millisecond))
            #expect(estimator.bytesPerSecond == nil)
        }
        estimator.add(20_000, at: .milliseconds(20))
        #expect(Self.isClose(estimator.bytesPerSecond, 1_000_000))
    }

    @Test func countsAndTimesThatGoBackwardsDoNoHarm() {
        var estimator = ThroughputEstimator()
        estimator.add(1_000, at: .seconds(10))
        estimator.add(500, at: .seconds(11))
        #expect(estimator.bytesPerSecond == 0)
        estimator.add(2_000, at: .seconds(5))
        #expect(estimator.bytesPerSecond == 0)
        estimator.add(.max, at: .seconds(12))
        #expect(estimator.bytesPerSecond.map { $0.isFinite && $0 > 0 } == true)
    }
}
