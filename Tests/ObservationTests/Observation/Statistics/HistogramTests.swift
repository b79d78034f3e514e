import PiuPiuAsync
import SuiteSupport
import Testing

@testable import PiuPiuPolicies

/// The histogram of times.
struct HistogramTests {
    private static func histogram(_ times: [Duration]) -> Statistics.Histogram {
        times.reduce(into: Statistics.Histogram()) { $0.add($1) }
    }

    // https://opentelemetry.io/docs/specs/semconv/http/http-metrics/#metric-httpclientrequestduration
    @Test func theBoundsAreThoseOfOpenTelemetry() {
        let bounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
        #expect(Statistics.Histogram.bounds == bounds.map { .milliseconds(Int($0 * 1000)) })
        #expect(Statistics.Histogram().counts == [Int](repeating: 0, count: bounds.count + 1))
    }

    @Test(
        arguments: [
            (.seconds(-1), 0), (.zero, 0), (.milliseconds(5), 0), (.nanoseconds(5_000_001), 1), (.milliseconds(10), 1),
            (.milliseconds(300), 7), (.seconds(1), 9), (.seconds(10), 13), (.nanoseconds(10_000_000_001), 14),
            (.seconds(Int64.max), 14),
        ] as [(Duration, Int)]
    )
    func aTimeThatEqualsABoundIsBelowIt(_ time: Duration, _ index: Int) {
        let histogram = Self.histogram([time])
        #expect(histogram.counts.firstIndex(of: 1) == index)
        #expect(histogram.count == 1)
    }

    @Test func sumsAndMeans() {
        #expect(Statistics.Histogram().mean == nil)
        var histogram = Self.histogram([.milliseconds(2), .milliseconds(4)])
        #expect(histogram.mean == .milliseconds(3))
        histogram.add(Self.histogram([.seconds(20), .milliseconds(6)]))
        #expect(histogram.sum == .milliseconds(20_012))
        #expect(histogram.counts == [2, 1] + [Int](repeating: 0, count: 12) + [1])
    }

    @Test func quantilesAreEstimatedBetweenTheBounds() {
        #expect(Statistics.Histogram().quantile(0.5) == nil)
        let histogram = Self.histogram(
            [Duration](repeating: .milliseconds(1), count: 50) + [Duration](repeating: .milliseconds(20), count: 50)
        )
        for (part, time) in [(0, 0), (0.25, 2500), (0.5, 5000), (0.75, 17_500), (1, 25_000)] as [(Double, Int)] {
            #expect(histogram.quantile(part) == .microseconds(time), "\(part)")
        }
        #expect(Self.histogram([.seconds(60)]).quantile(0.5) == .seconds(10))
        for part in [-0.1, 1.1, .nan, .infinity, -.infinity] { #expect(histogram.quantile(part) == nil) }
    }
}
