import Foundation

/// Sizes, rates and times as a person reads them: the same in every language, and never wider than their column.
enum Amounts {
    /// A number of bytes with three digits, such as `12.3 MiB`; at most eight columns.
    static func size(_ bytes: Int64) -> String {
        scaled(Double(max(0, bytes)))
    }

    /// A speed, such as `12.3 MiB/s`; at most ten columns.
    static func rate(_ bytesPerSecond: Double) -> String {
        scaled(bytesPerSecond.isFinite ? max(0, bytesPerSecond) : 0) + "/s"
    }

    /// The average speed of something that took a time; `nil` if it took none.
    static func rate(_ bytes: Int64, in duration: Duration) -> String? {
        let seconds = duration / .seconds(1)
        return seconds > 0 ? rate(Double(bytes) / seconds) : nil
    }

    /// A time to come, such as `7 s`, `1:05`, `2:03:04` or `12 days`.
    static func remaining(_ duration: Duration) -> String {
        // Up, but not for the sake of a rounding error.
        clock(wholeSeconds(duration - .microseconds(1), rounded: .up))
    }

    /// A time that has passed, such as `85 ms`, `2.1 s` or `1:05`.
    static func elapsed(_ duration: Duration) -> String {
        let seconds = max(0, duration / .seconds(1))
        if seconds < 0.9995 { return String(format: "%.0f ms", seconds * 1000) }
        if seconds < 59.95 { return String(format: "%.1f s", seconds) }
        return clock(wholeSeconds(duration, rounded: .toNearestOrAwayFromZero))
    }

    /// A time that has passed, such as `0.3 ms`, with a digit more than ``elapsed(_:)`` if it is short.
    static func exact(_ duration: Duration) -> String {
        let milliseconds = max(0, duration / .milliseconds(1))
        return milliseconds < 99.95 ? String(format: "%.1f ms", milliseconds) : elapsed(duration)
    }

    private static func scaled(_ bytes: Double) -> String {
        guard bytes >= 999.5 else { return String(format: "%.0f B", bytes) }
        var value = bytes
        var unit = "B"
        for larger in ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] where value >= 999.5 {
            value /= 1024
            unit = larger
        }
        let format = value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f"
        return String(format: format, min(value, 9999)) + " " + unit
    }

    private static func wholeSeconds(_ duration: Duration, rounded rule: FloatingPointRoundingRule) -> Int {
        Int(min(max(0, (duration / .seconds(1)).rounded(rule)), 1e9))
    }

    private static func clock(_ seconds: Int) -> String {
        switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60):\(twoDigits(seconds % 60))"
        case ..<360_000: "\(seconds / 3600):\(twoDigits(seconds / 60 % 60)):\(twoDigits(seconds % 60))"
        default: "\(seconds / 86400) days"
        }
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
