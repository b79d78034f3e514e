/// Reads and writes date-times of RFC 3339 §5.6, such as `2018-04-12T23:20:50Z`.
///
/// It does not need a formatter, has no state and cannot trap.
package enum RFC3339 {
    /// The seconds from 1970-01-01 to 2001-01-01, the reference date of Foundation's dates.
    private static let referenceDate = 978_307_200

    /// Reads a date-time, with or without a fraction of a second; `nil` for anything else, and if the day does not exist.
    ///
    /// The offset may also have the other forms of ISO 8601, `+0100` and `+01`. The text must not contain anything before or
    /// after the date-time.
    package static func date(from text: some StringProtocol) -> Date? {
        var scanner = Scanner(bytes: Array(text.utf8))
        guard let year = scanner.number(digits: 4), scanner.skip("-"),
            let month = scanner.number(digits: 2), scanner.skip("-"),
            let day = scanner.number(digits: 2), scanner.skip("T"),
            let hour = scanner.number(digits: 2), scanner.skip(":"),
            let minute = scanner.number(digits: 2), scanner.skip(":"),
            let second = scanner.number(digits: 2),
            let fraction = scanner.fraction(),
            let offset = scanner.offset(), scanner.isAtEnd
        else { return nil }
        // Second 60 is a leap second (§5.7); it counts as the first second of the next minute.
        guard (1...12).contains(month), (1...days(in: month, of: year)).contains(day) else { return nil }
        guard hour < 24, minute < 60, second <= 60 else { return nil }
        let days = daysSince1970(year: year, month: month, day: day)
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
        return Date(timeIntervalSinceReferenceDate: Double(seconds - referenceDate) + fraction)
    }

    /// Writes a date in UTC, truncated to whole seconds; `nil` for a date outside the years 0000 to 9999.
    package static func string(from date: Date) -> String? {
        let interval = (date.timeIntervalSinceReferenceDate + Double(referenceDate)).rounded(.down)
        // From 0000-01-01 to 9999-12-31; the comparison fails for NaN.
        guard interval >= -62_167_219_200, interval < 253_402_300_800 else { return nil }
        let seconds = Int(interval)
        let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
        let time = seconds - days * 86_400
        let (year, month, day) = civilDate(daysSince1970: days)
        return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2) + "T"
            + padded(time / 3600, 2) + ":" + padded(time / 60 % 60, 2) + ":" + padded(time % 60, 2) + "Z"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the number of days from 1970-01-01 to a date of the Gregorian calendar.
    ///
    /// Years start in March, so that a leap day is the last day.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let year = month > 2 ? year + 400 : year + 399
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468 - 146_097
    }

    private static func civilDate(daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
        // An era has 400 years and 146 097 days; the first one here starts on 1 March of the year -400.
        let days = daysSince1970 + 719_468 + 146_097
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        let year = yearOfEra + days / 146_097 * 400 - 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * march + 2) / 5 + 1)
    }
}

extension RFC3339 {
    /// A position in the bytes of a text.
    private struct Scanner {
        let bytes: [UInt8]
        var position = 0

        var isAtEnd: Bool { position == bytes.count }

        mutating func number(digits: Int) -> Int? {
            guard bytes.count - position >= digits else { return nil }
            var number = 0
            for byte in bytes[position..<(position + digits)] {
                guard (0x30...0x39).contains(byte) else { return nil }
                number = number * 10 + Int(byte - 0x30)
            }
            position += digits
            return number
        }

        /// Skips a character, in either case if it is a letter (§5.6).
        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard position < bytes.count else { return false }
            guard bytes[position].asciiLowercased == UInt8(ascii: character).asciiLowercased else { return false }
            position += 1
            return true
        }

        /// Reads the fraction after a decimal point; zero if there is no point, `nil` for a point without digits.
        mutating func fraction() -> Double? {
            guard skip(".") else { return 0 }
            let digits = bytes[position...].prefix { (0x30...0x39).contains($0) }
            position += digits.count
            return digits.isEmpty ? nil : Double("0." + String(decoding: digits.prefix(18), as: UTF8.self))
        }

        /// Reads the offset from UTC, in seconds.
        mutating func offset() -> Int? {
            if skip("Z") { return 0 }
            let sign = skip("+") ? 1 : skip("-") ? -1 : 0
            guard sign != 0, let hours = number(digits: 2), hours < 24 else { return nil }
            // ISO 8601 also allows offsets without the colon, and without the minutes.
            let hasColon = skip(":")
            if isAtEnd, !hasColon { return sign * hours * 3600 }
            guard let minutes = number(digits: 2), minutes < 60 else { return nil }
            return sign * (hours * 3600 + minutes * 60)
        }
    }
}

extension JSONDecoder.DateDecodingStrategy {
    /// Reads dates in the format of RFC 3339 §5.6, with any offset, with or without a fraction of a second.
    public static var rfc3339: Self {
        .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            if let date = RFC3339.date(from: text) { return date }
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "The text is not an RFC 3339 date.")
        }
    }
}

extension JSONEncoder.DateEncodingStrategy {
    /// Writes dates in the format of RFC 3339 §5.6, in UTC and whole seconds.
    public static var rfc3339: Self {
        .custom { date, encoder in
            var container = encoder.singleValueContainer()
            guard let text = RFC3339.string(from: date) else {
                let problem = "RFC 3339 has no form for a date outside the years 0000 to 9999."
                // The number instead of the date: describing a date that is NaN crashes Foundation.
                throw EncodingError.invalidValue(
                    date.timeIntervalSince1970,
                    EncodingError.Context(codingPath: encoder.codingPath, debugDescription: problem)
                )
            }
            try container.encode(text)
        }
    }
}

extension DateFormatter {
    /// A formatter for date-times of RFC 3339 in whole seconds, such as `2018-04-12T23:20:50Z`; it writes UTC.
    ///
    /// Every call returns a new formatter, so that changing one does not affect any other. Creating one is slow: for JSON, use
    /// the strategies named `rfc3339`, which do not need a formatter.
    public static var rfc3339: DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ssZZZZZ"
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        return formatter
    }
}
