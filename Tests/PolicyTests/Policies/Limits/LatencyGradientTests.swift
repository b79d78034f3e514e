import PiuPiuAsync
import SuiteSupport
import Testing

@testable import PiuPiuPolicies

@Suite(.timeLimit(.generous)) struct LatencyGradientTests {
    /// Feeds whole windows.
    private func feed(
        _ gradient: inout LatencyGradient,
        windows: Int = 1,
        milliseconds: Int,
        inFlight: Int = .max,
        isOverloaded: Bool = false
    ) {
        for _ in 0..<windows {
            for _ in 0..<gradient.windowSize {
                gradient.record(.milliseconds(milliseconds), inFlight: inFlight, isOverloaded: isOverloaded)
            }
        }
    }

    @Test func growsByItsRootWhileTheLatencyIsThatOfAnIdleServer() {
        var gradient = LatencyGradient(1...1000, initial: 100)
        feed(&gradient, milliseconds: 50)
        #expect(gradient.limit == 102)
        feed(&gradient, windows: 5, milliseconds: 99)
        #expect((111...113).contains(gradient.limit))
    }

    @Test func shrinksWhenTheLatencyIsFarAboveThat() {
        var gradient = LatencyGradient(1...1000, initial: 100)
        feed(&gradient, milliseconds: 50)
        feed(&gradient, milliseconds: 1000)
        // Half of it, and the root, of which a fifth is adopted.
        #expect(gradient.limit == 93)
    }

    @Test func shrinksWhenTheServerIsOverloadedHoweverFastItSaysSo() {
        var gradient = LatencyGradient(1...1000, initial: 100)
        feed(&gradient, milliseconds: 1, isOverloaded: true)
        #expect(gradient.limit == 90)
    }

    @Test func aLimitThatIsNotUsedDoesNotGrow() {
        var gradient = LatencyGradient(1...1000, initial: 100)
        feed(&gradient, windows: 5, milliseconds: 50, inFlight: 49)
        #expect(gradient.limit == 100)
        feed(&gradient, milliseconds: 50, inFlight: 50)
        #expect(gradient.limit == 102)
    }

    @Test func staysInItsRange() {
        var gradient = LatencyGradient(10...30, initial: 500)
        #expect(gradient.limit == 30)
        feed(&gradient, windows: 10, milliseconds: 50)
        #expect(gradient.limit == 30)
        feed(&gradient, windows: 45, milliseconds: 5000, isOverloaded: true)
        #expect(gradient.limit == 10)
        for range in [Int.min...Int.max, -5...0, Int.max...Int.max] {
            var gradient = LatencyGradient(range, initial: .min)
            gradient.record(.seconds(Int64.max), inFlight: .min, isOverloaded: false)
            gradient.record(.seconds(Int64.min), inFlight: .max, isOverloaded: true)
            #expect((1...1_000_000).contains(gradient.limit))
        }
    }

    @Test func aProbeFindsThatTheServerIsSlowerThanItWas() {
        var gradient = LatencyGradient(1...1000, initial: 100)
        feed(&gradient, milliseconds: 50)
        feed(&gradient, windows: 49, milliseconds: 90, inFlight: 1)
        #expect(gradient.limit == 34)
        // The first window of the probe does not count, the second one does.
        feed(&gradient, milliseconds: 400)
        #expect(gradient.limit == 34)
        feed(&gradient, milliseconds: 200)
        #expect(gradient.limit == 102)
        feed(&gradient, milliseconds: 390)
        #expect(gradient.limit == 104)
    }

    /// Runs the same load with three limits.
    private func compare(
        _ simulation: AdaptiveLimitSimulation
    ) -> (
        low: AdaptiveLimitSimulation.Result, high: AdaptiveLimitSimulation.Result,
        adaptive: AdaptiveLimitSimulation.Result
    ) {
        let results = (
            low: simulation.run(ConcurrencyLimitMachine(limit: 5, maximumWaiting: 100)),
            high: simulation.run(ConcurrencyLimitMachine(limit: 1000, maximumWaiting: 100)),
            adaptive: simulation.run(
                ConcurrencyLimitMachine(LatencyGradient(1...1000, initial: 20), maximumWaiting: 100)
            )
        )
        return results
    }

    // 20 at once for 50 ms: 400 requests a second.
    @Test func overloadedTheAdaptiveLimitServesAsManyAsTheServerCan() {
        let (low, high, adaptive) = compare(
            AdaptiveLimitSimulation(workers: { _ in 20 }, perSecond: 600, seconds: 60)
        )
        #expect(low.goodput < 110)
        #expect(high.goodput < 50)
        #expect(adaptive.goodput > 360)
        #expect(adaptive.p99 < 600)
    }

    @Test func itDoesNotDriftUpwards() {
        let simulation = AdaptiveLimitSimulation(workers: { _ in 20 }, perSecond: 600, seconds: 240)
        let result = simulation.run(
            ConcurrencyLimitMachine(LatencyGradient(1...1000, initial: 20), maximumWaiting: 100)
        )
        #expect(result.goodput > 380)
        #expect(result.p99 < 600)
        #expect(result.limit < 100)
    }

    @Test func itFollowsAServerThatLosesHalfOfItsCapacity() {
        let (low, high, adaptive) = compare(
            AdaptiveLimitSimulation(workers: { (20..<40).contains($0) ? 10 : 20 }, perSecond: 350, seconds: 60)
        )
        #expect(low.goodput < 110)
        #expect(adaptive.goodput > 270)
        #expect(adaptive.goodput > 1.3 * high.goodput)
    }

    @Test func withoutOverloadItDoesNotSlowAnythingDown() {
        let (low, high, adaptive) = compare(
            AdaptiveLimitSimulation(workers: { _ in 20 }, perSecond: 280, seconds: 60)
        )
        #expect(low.goodput < 110)
        #expect(adaptive.goodput > 0.98 * high.goodput)
        #expect(adaptive.p99 < 1.5 * high.p99)
    }
}
