/// Parses dates that servers send instead of those of RFC 9110 §5.6.7, for times to wait.
///
/// Other fields need the exact forms: a date that is sent back must equal the one received.
package enum ForgivingDate {
    private static let months: [String: Int] = [
        "jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11,
        "dec": 12,
    ]
    /// The offsets from UTC in hours (RFC 5322 §4.3).
    private static let zones: [String: Int] = [
        "gmt": 0, "utc": 0, "ut": 0, "z": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6,
        "pst": -8,
        "pdt": -7,
    ]
    private static let days: Set<String> = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// Parses a date, rounded up; `nil` for another form or a day that does not exist.
    ///
    /// - Parameters:
    ///   - text: A date of RFC 5322 or RFC 3339, or similar to the forms of HTTP: `Sun, 6 Nov 1994 08:49 -0000`. The weekday
    ///     and the seconds may be missing, and so may the zone, which defaults to UTC.
    ///   - now: The present. A two-digit year is the last one that is at most 50 years in the future.
    /// - Returns: The date; the end of the minute if there are no seconds.
    package static func parse(_ text: String, now: Date) -> Date? {
        guard text.utf8.count <= 100 else { return nil }
        if let date = RFC3339.date(from: text.uppercased().replacing(" ", with: "T", maxReplacements: 1)) {
            return Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded(.up))
        }
        var parts = Parts()
        for word in text.lowercased().split(whereSeparator: { " ,\t".contains($0) }) {
            guard parts.take(word) else { return nil }
        }
        return parts.date(now: now)
    }

    /// The parts found so far.
    private struct Parts {
        var numbers: [Substring] = []
        var month: Int?
        var time: (hour: Int, minute: Int, second: Int)?
        /// The offset from UTC in seconds.
        var offset: Int?

        /// Takes a word; returns `false` if it cannot be part of a date.
        mutating func take(_ word: Substring) -> Bool {
            if time != nil, offset == nil, let zone = Self.offset(word) {
                offset = zone
                return true
            }
            if word.contains(":") {
                guard time == nil, let found = Self.time(word) else { return false }
                time = found
                return true
            }
            if ForgivingDate.days.contains(String(word.prefix(3))), word.allSatisfy(\.isLetter) { return true }
            // `06-Nov-94`
            for part in word.split(separator: "-", omittingEmptySubsequences: false) {
                if let number = ForgivingDate.months[String(part.prefix(3))], month == nil, part.allSatisfy(\.isLetter)
                {
                    month = number
                } else {
                    guard Self.number(part, digits: 1...4) != nil else { return false }
                    numbers.append(part)
                }
            }
            return true
        }

        func date(now: Date) -> Date? {
            guard let month, let time, numbers.count == 2, let day = Self.number(numbers[0], digits: 1...2),
                var year = Self.number(numbers[1], digits: 2...4)
            else { return nil }
            if numbers[1].count == 2 {
                guard let present = RFC3339.string(from: now).flatMap({ Int($0.prefix(4)) }) else { return nil }
                year = present + 50 - (present + 50 - year) % 100
            }
            guard numbers[1].count != 3 else { return nil }
            func padded(_ number: Int, _ width: Int = 2) -> String {
                String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
            }
            let text =
                "\(padded(year, 4))-\(padded(month))-\(padded(day))T\(padded(time.hour)):\(padded(time.minute)):00Z"
            return RFC3339.date(from: text)?.addingTimeInterval(Double(time.second - (offset ?? 0)))
        }

        private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
            digits.contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
        }

        /// Reads `08:49`, `08:49:37` or `08:49:37.5`, rounded up to a second, or to a minute if there are no seconds.
        private static func time(_ word: Substring) -> (Int, Int, Int)? {
            let fields = word.split(separator: ":", omittingEmptySubsequences: false)
            guard fields.count == 2 || fields.count == 3, let hour = number(fields[0], digits: 1...2), hour < 24,
                let minute = number(fields[1], digits: 2...2), minute < 60
            else { return nil }
            guard fields.count == 3 else { return (hour, minute, 60) }
            let seconds = fields[2].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            guard let second = number(seconds[0], digits: 2...2), second <= 60 else { return nil }
            guard seconds.count == 2 else { return (hour, minute, second) }
            guard !seconds[1].isEmpty, seconds[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            return (hour, minute, second + (seconds[1].contains { $0 != "0" } ? 1 : 0))
        }

        /// Reads `gmt`, `-0000`, `+02:00` or `gmt+2`; returns `nil` for anything else.
        private static func offset(_ word: Substring) -> Int? {
            if let hours = ForgivingDate.zones[String(word)] { return hours * 3600 }
            let rest = ["gmt", "utc"].contains(where: word.hasPrefix) ? word.dropFirst(3) : word
            guard let sign = rest.first, sign == "+" || sign == "-" else { return nil }
            let digits = rest.dropFirst().filter { $0 != ":" }
            guard (1...4).contains(digits.utf8.count), let number = number(digits[...], digits: 1...4) else {
                return nil
            }
            let (hours, minutes) = digits.utf8.count <= 2 ? (number, 0) : (number / 100, number % 100)
            guard hours <= 14, minutes < 60 else { return nil }
            return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
        }
    }
}
