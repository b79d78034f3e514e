/// Parses the dates of HTTP fields (RFC 9110 §5.6.7).
///
/// It does not use `DateFormatter`: Foundation on Linux crashes on some texts, and these come from the network.
package enum HTTPDate {
    private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Parses a date in the preferred form, the only one that may be sent.
    ///
    /// - Parameter text: A text such as `Sun, 06 Nov 1994 08:49:37 GMT`. The weekday is not checked against the date.
    /// - Returns: The date; `nil` if the text has another form or the day does not exist.
    package static func parse(_ text: String) -> Date? {
        // Compare bytes, because a character can consist of several.
        let bytes = Array(text.utf8)
        guard bytes.count == 29 else { return nil }
        func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        guard days.contains(part(0..<3)), part(3..<5) == ", ", part(7..<8) == " ", part(11..<12) == " ",
            part(16..<17) == " ", part(25..<29) == " GMT", let month = months.firstIndex(of: part(8..<11))
        else { return nil }
        let number = (month < 9 ? "0" : "") + String(month + 1)
        return RFC3339.date(from: "\(part(12..<16))-\(number)-\(part(5..<7))T\(part(17..<25))Z")
    }

    /// Parses a date in any of the three forms that a recipient must accept.
    ///
    /// - Parameters:
    ///   - text: A text such as `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or
    ///     `Sun Nov  6 08:49:37 1994`.
    ///   - now: The current time. A year of two digits is the last one that is at most 50 years in the future.
    /// - Returns: The date; `nil` if the text has another form or the day does not exist.
    package static func parse(_ text: String, now: Date) -> Date? {
        parse(text) ?? parseRFC850(text, now: now) ?? parseAsctime(text)
    }

    private static func parseRFC850(_ text: String, now: Date) -> Date? {
        let names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
        let bytes = Array(text.utf8)
        guard let day = names.first(where: { bytes.starts(with: ($0 + ", ").utf8) }) else { return nil }
        let rest = Array(bytes.dropFirst(day.utf8.count + 2))
        guard rest.count == 22, rest[2] == 0x2D, rest[6] == 0x2D, rest[9] == 0x20,
            rest[18...].elementsEqual(" GMT".utf8),
            let short = Int(digits: rest[7..<9]),
            let present = RFC3339.string(from: now).flatMap({ Int(digits: $0.utf8.prefix(4)) })
        else { return nil }
        let latest = present + 50
        let year = latest - (latest - short) % 100
        return date(year, rest[3..<6], rest[0..<2], rest[10..<18])
    }

    private static func parseAsctime(_ text: String) -> Date? {
        let bytes = Array(text.utf8)
        guard bytes.count == 24, bytes[3] == 0x20, bytes[7] == 0x20, bytes[10] == 0x20, bytes[19] == 0x20,
            days.contains(where: { bytes[..<3].elementsEqual($0.utf8) }), let year = Int(digits: bytes[20...])
        else { return nil }
        // The day of the month is padded with a space.
        let day = bytes[8] == 0x20 ? [0x30, bytes[9]] : bytes[8..<10]
        return date(year, bytes[4..<7], day, bytes[11..<19])
    }

    private static func date(
        _ year: Int,
        _ month: ArraySlice<UInt8>,
        _ day: ArraySlice<UInt8>,
        _ time: ArraySlice<UInt8>
    ) -> Date? {
        guard let month = months.firstIndex(where: { month.elementsEqual($0.utf8) }) else { return nil }
        let year = String(repeating: "0", count: max(0, 4 - "\(year)".count)) + "\(year)"
        let (day, time) = (String(decoding: day, as: UTF8.self), String(decoding: time, as: UTF8.self))
        return RFC3339.date(from: "\(year)-\(month < 9 ? "0" : "")\(month + 1)-\(day)T\(time)Z")
    }
}

extension Int {
    /// Creates a number from a few decimal digits; `nil` for any other text.
    fileprivate init?(digits: some Collection<UInt8>) {
        guard !digits.isEmpty, digits.count < 10, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
