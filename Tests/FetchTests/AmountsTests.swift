import Testing

@testable import Fetch

struct AmountsTests {
    @Test(
        arguments: [
            (-5, "0 B"), (0, "0 B"), (999, "999 B"), (1000, "0.98 KiB"), (1024, "1.00 KiB"), (1536, "1.50 KiB"),
            (10_234, "9.99 KiB"), (10_240, "10.0 KiB"), (102_400, "100 KiB"), (1_023_000, "999 KiB"),
            (1_023_999, "0.98 MiB"), (1 << 20, "1.00 MiB"), (12_345_678, "11.8 MiB"), (5 << 30, "5.00 GiB"),
            (Int64.max, "8.00 EiB"),
        ] as [(Int64, String)]
    )
    func aSizeHasThreeDigits(bytes: Int64, text: String) {
        #expect(Amounts.size(bytes) == text)
    }

    @Test func noSizeIsWiderThanItsColumn() {
        var bytes: Int64 = 1
        while bytes < .max / 3 {
            for size in [bytes, bytes * 2 - 1, bytes / 2 * 3] {
                #expect(Amounts.size(size).count <= 8, "\(size)")
            }
            bytes += bytes / 10 + 1
        }
    }

    @Test(
        arguments: [
            (0, "0 B/s"), (1_048_576, "1.00 MiB/s"), (.nan, "0 B/s"), (.infinity, "0 B/s"), (-1, "0 B/s"),
            (0.4, "0 B/s"),
            (1e300, "9999 EiB/s"),
        ] as [(Double, String)]
    )
    func aRateIsASizeForEachSecond(rate: Double, text: String) {
        #expect(Amounts.rate(rate) == text)
    }

    @Test func anAverageNeedsTime() {
        #expect(Amounts.rate(2048, in: .seconds(2)) == "1.00 KiB/s")
        #expect(Amounts.rate(2048, in: .zero) == nil)
    }

    @Test(
        arguments: [
            (.zero, "0 s"), (.milliseconds(1), "1 s"), (.seconds(7), "7 s"), (.milliseconds(59_001), "1:00"),
            (.seconds(65), "1:05"), (.seconds(3599), "59:59"), (.seconds(3600), "1:00:00"), (.seconds(7384), "2:03:04"),
            (.seconds(359_999), "99:59:59"), (.seconds(360_000), "4 days"), (.seconds(1_000_000_000), "11574 days"),
            (.seconds(Int64.max / 2), "11574 days"), (.seconds(-3), "0 s"),
        ] as [(Duration, String)]
    )
    func aTimeToComeIsRoundedUp(duration: Duration, text: String) {
        #expect(Amounts.remaining(duration) == text)
    }

    @Test(
        arguments: [
            (.zero, "0 ms"), (.microseconds(400), "0 ms"), (.milliseconds(85), "85 ms"), (.milliseconds(999), "999 ms"),
            (.microseconds(999_600), "1.0 s"), (.milliseconds(2140), "2.1 s"), (.milliseconds(59_940), "59.9 s"),
            (.milliseconds(59_960), "1:00"), (.seconds(65), "1:05"), (.seconds(-1), "0 ms"),
        ] as [(Duration, String)]
    )
    func aTimeThatPassedIsRoundedToWhatMatters(duration: Duration, text: String) {
        #expect(Amounts.elapsed(duration) == text)
    }
}
