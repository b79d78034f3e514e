import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

struct LatencyWindowTests {
    private static let start = ContinuousClock.now

    private static func window(_ milliseconds: some Sequence<Int>) -> LatencyWindow {
        milliseconds.reduce(into: LatencyWindow()) { $0.record(.milliseconds($1), at: start) }
    }

    private func expect(
        _ window: inout LatencyWindow,
        _ fraction: Double,
        of minimumSamples: Int,
        at now: ContinuousClock.Instant,
        _ expected: Duration?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let percentile = window.percentile(fraction, minimumSamples: minimumSamples, at: now)
        #expect(percentile == expected, sourceLocation: sourceLocation)
    }

    static let percentiles: [(count: Int, fraction: Double, expected: Int)] = [
        (1, 0.95, 1), (1, 0, 1), (1, 1, 1), (2, 0.5, 1), (2, 0.51, 2), (4, 0.75, 3), (20, 0.95, 19), (20, 0.951, 20),
        (100, 0.95, 95), (100, 0.99, 99), (100, 1, 100), (100, 0, 1), (256, 0.5, 128),
    ]

    /// Nearest rank: the smallest sample that so many do not exceed.
    @Test(arguments: percentiles) func percentile(count: Int, fraction: Double, expected: Int) {
        var window = Self.window((1...count).shuffled())
        let percentile = window.percentile(fraction, minimumSamples: 1, at: Self.start)
        #expect(percentile == .milliseconds(expected))
    }

    @Test func thereIsNoneBeforeThereAreEnoughSamples() {
        var window = Self.window(1...19)
        expect(&window, 0.95, of: 20, at: Self.start, nil)
        window.record(.milliseconds(20), at: Self.start)
        expect(&window, 0.95, of: 20, at: Self.start, .milliseconds(19))
        var empty = LatencyWindow()
        expect(&empty, 0.95, of: 0, at: Self.start, nil)
    }

    @Test func theOldestSampleMakesRoom() {
        var window = Self.window([9000] + Array(repeating: 1, count: 255))
        expect(&window, 1, of: 256, at: Self.start, .milliseconds(9000))
        window.record(.milliseconds(2), at: Self.start)
        expect(&window, 1, of: 256, at: Self.start, .milliseconds(2))
        expect(&window, 1, of: 257, at: Self.start, nil)
    }

    @Test func oldSamplesDoNotCount() {
        var window = Self.window([1, 2])
        window.record(.milliseconds(3), at: Self.start.advanced(by: .seconds(1)))
        let last = Self.start.advanced(by: LatencyWindow.maximumAge)
        expect(&window, 0, of: 3, at: last, .milliseconds(1))
        let later = last.advanced(by: .milliseconds(1))
        expect(&window, 0, of: 2, at: later, nil)
        expect(&window, 0, of: 1, at: later, .milliseconds(3))
    }

    @Test(arguments: [Duration.seconds(-1), .zero, .seconds(Int64.max), .seconds(Int64.min)])
    func anyLatencyCanBeRecorded(_ latency: Duration) throws {
        var window = LatencyWindow()
        window.record(latency, at: Self.start)
        let recorded = window.percentile(0.5, minimumSamples: 1, at: Self.start)
        let percentile = try #require(recorded)
        #expect(percentile >= .zero)
        #expect(latency > .zero || percentile == .zero)
    }

    /// Against a list of all samples, of which the newest are sorted for each question.
    @Test func itGivesWhatSortingGives() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<rounds(50) {
            var window = LatencyWindow()
            var all: [(time: ContinuousClock.Instant, latency: Int)] = []
            var now = Self.start
            let spread = [3, 1000, 1_000_000].randomElement(using: &random) ?? 3
            for _ in 0..<rounds(600) {
                now += .milliseconds(Int.random(in: 0..<2000, using: &random))
                let latency = Int.random(in: 0..<spread, using: &random)
                window.record(.milliseconds(latency), at: now)
                all.append((now, latency))
                let fraction = Double.random(in: 0...1, using: &random)
                let live = all.suffix(256).filter { $0.time.duration(to: now) <= .seconds(300) }
                let sorted = live.map(\.latency).sorted()
                let rank = (1...sorted.count).first { Double($0) >= fraction * Double(sorted.count) }
                let expected = rank.map { sorted[$0 - 1] }
                let percentile = window.percentile(fraction, minimumSamples: 1, at: now)
                guard percentile == expected.map({ .milliseconds($0) }) else {
                    #expect(percentile == expected.map { .milliseconds($0) }, "\(fraction) of \(sorted)")
                    return
                }
                expect(&window, 0.5, of: sorted.count + 1, at: now, nil)
            }
        }
    }
}
