/// Parses the dates of HTTP fields (RFC 9110 §5.6.7), in the form that every server sends.
///
/// It does not use `DateFormatter`: Foundation on Linux ends the process for some texts, and these come from the
/// network.
enum HTTPDate {
    private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Parses a date.
    ///
    /// - Parameter text: A text such as `Sun, 06 Nov 1994 08:49:37 GMT`. The weekday is not checked against the date.
    /// - Returns: The date; `nil` if the text has another form or the day does not exist.
    static func parse(_ text: String) -> Date? {
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
}
