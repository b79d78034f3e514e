import PiuPiuAsync
import SuiteSupport
import Testing

@testable import PiuPiuCore

struct ObservationTimeTests {
    @Test(
        "An instant comes back as it was",
        arguments: [Duration.zero, .nanoseconds(1), .seconds(-5), .seconds(86_400 * 365)]
    )
    func roundTrip(_ distance: Duration) {
        let instant = ContinuousClock.now.advanced(by: distance)
        #expect(ObservationTime(instant).instant == instant)
    }

    @Test func realTimeIsThatOfTheContinuousClock() {
        let before = ContinuousClock.now
        let time = ObservationTime.now(nil).instant
        let after = ContinuousClock.now
        // The two clocks are read one after the other, and a thread can be interrupted between them.
        #expect(before.advanced(by: .seconds(-1)) <= time && time <= after.advanced(by: .seconds(1)))
    }

    @Test func timesThatAreTooFarAwayKeepTheirOrder() {
        let now = ContinuousClock.now
        let first = ObservationTime(now.advanced(by: .seconds(-1_000_000_000_000)))
        let last = ObservationTime(now.advanced(by: .seconds(1_000_000_000_000)))
        #expect(first.duration(to: last) > .nanoseconds(Int64.max))
        #expect(last.duration(to: first) < .zero)
        #expect(first.instant < now && now < last.instant)
    }
}
