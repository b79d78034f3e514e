/// Parses the date of an `Expires` attribute (RFC 6265bis §5.1.1).
///
/// Servers write it in many forms. The parser looks for a time, a day, a month and a year, in any order, and ignores everything
/// else: the weekday, and the zone, which is taken as UTC.
enum CookieDate {
    /// Parses a date; `nil` if a part is missing or out of range, or if the day does not exist.
    static func parse(_ text: some Collection<UInt8>) -> Date? {
        var parts = Parts()
        for token in text.split(whereSeparator: isDelimiter) { parts.take(token) }
        return parts.date
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// The parts found so far.
    private struct Parts {
        var time: (hour: Int, minute: Int, second: Int)?
        var day: Int?
        var month: Int?
        var year: Int?

        /// Uses a token for the first missing part that it matches.
        mutating func take(_ token: some Collection<UInt8>) {
            if time == nil, let found = Self.time(token) {
                time = found
            } else if day == nil, let found = Self.number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = Self.month(token) {
                month = found
            } else if year == nil, let found = Self.number(token, digits: 2...4) {
                year = found
            }
        }

        var date: Date? {
            guard let time, let day, let month, var year else { return nil }
            if (70...99).contains(year) { year += 1900 } else if (0...69).contains(year) { year += 2000 }
            guard year >= 1601, time.hour <= 23, time.minute <= 59, time.second <= 59 else { return nil }
            let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            guard lengths.indices.contains(month - 1), (1...lengths[month - 1]).contains(day) else { return nil }
            let days = Self.days(year, month, day)
            return Date(timeIntervalSince1970: Double(((days * 24 + time.hour) * 60 + time.minute) * 60 + time.second))
        }

        /// Returns the days from 1970-01-01 to a day of the Gregorian calendar, with years that start in March.
        private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
            let shifted = month <= 2 ? year - 1 : year
            let era = shifted / 400
            let yearOfEra = shifted - era * 400
            let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
            return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        }

        /// Reads a number with a limited count of digits; anything but a digit may follow.
        private static func number(_ token: some Collection<UInt8>, digits: ClosedRange<Int>) -> Int? {
            let number = token.prefix { (0x30...0x39).contains($0) }
            guard digits.contains(number.count) else { return nil }
            return number.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }

        private static func time(_ token: some Collection<UInt8>) -> (Int, Int, Int)? {
            let fields = token.split(separator: 0x3A, maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return nil }
            // Other characters may follow only the last field.
            guard fields[..<2].allSatisfy({ $0.allSatisfy { (0x30...0x39).contains($0) } }),
                let hour = number(fields[0], digits: 1...2), let minute = number(fields[1], digits: 1...2),
                let second = number(fields[2], digits: 1...2)
            else { return nil }
            return (hour, minute, second)
        }

        private static func month(_ token: some Collection<UInt8>) -> Int? {
            let beginning = Array(token.prefix(3).map(\.asciiLowercased))
            return ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
                .firstIndex { beginning.elementsEqual($0.utf8) }.map { $0 + 1 }
        }
    }
}
