/// Reads the `Retry-After` field of a response (RFC 9110 §10.2.3), including nonstandard forms that servers send.
///
/// If the client ignored a time, the next request would come too early. Every form with one meaning is therefore accepted. A
/// fraction of the form's unit is rounded up.
package enum RetryAfter {
    /// Returns the time that a server asks the client to wait, from zero to ``Backoff/longest``; `nil` if there is no valid
    /// one.
    ///
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - now: The present by the wall clock. It is used for a date if the response has no valid `Date` field, which is the
    ///     present by the server's clock.
    /// - Returns: The time: the longest one if the field occurs more than once.
    package static func delay(of head: ResponseHead, now: () -> Date) -> Duration? {
        guard head.firstValue(of: "Retry-After") != nil else { return nil }
        return head.headers.values(for: "Retry-After").compactMap { text in
            seconds(text) ?? duration(untilDate: text, head.firstValue(of: "Date"), now())
        }.max()
    }

    /// Reads a number of seconds, or several separated by commas, as joined lines of a field are.
    ///
    /// - Parameter text: Digits, optionally with a fraction and a unit: `120`, `1.5`, `5s`, `2 minutes`.
    /// - Returns: The longest time, in whole seconds. Numbers that no clock can represent are valid, and mean a long time.
    private static func seconds(_ text: String) -> Duration? {
        var longest: Duration?
        for part in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            guard let seconds = wholeSeconds(part) else { return nil }
            longest = max(longest ?? .zero, .seconds(seconds))
        }
        return longest
    }

    private static func wholeSeconds(_ text: Substring.UTF8View) -> Int? {
        var rest = text.drop(while: \.isHTTPWhitespace)
        func digits() -> Substring.UTF8View {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest[digits.endIndex...]
            return digits
        }
        let whole = digits()
        var fraction = rest[rest.startIndex..<rest.startIndex]
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            fraction = digits()
        }
        guard !whole.isEmpty || !fraction.isEmpty else { return nil }
        let unit = rest.drop(while: \.isHTTPWhitespace)
        let end = unit.lastIndex { !$0.isHTTPWhitespace }.map { unit.index(after: $0) } ?? unit.startIndex
        guard let milliseconds = milliseconds(of: unit[..<end]) else { return nil }
        // Thousandths of the unit, rounded up.
        let thousandths = (Array(fraction) + "000".utf8).prefix(3).reduce(0) { $0 * 10 + Int($1 - 0x30) }
        let more = fraction.dropFirst(3).contains { $0 != 0x30 } ? 1 : 0
        let count = whole.reduce(0) { min($0 * 10 + Int($1 - 0x30), 1_000_000_000) } * 1000 + thousandths + more
        // The product has units of a millionth of a second.
        return min((count * milliseconds + 999_999) / 1_000_000, 1_000_000_000)
    }

    /// Returns the milliseconds of a unit; `nil` if it is unknown.
    private static func milliseconds(of unit: Substring.UTF8View) -> Int? {
        switch String(decoding: unit.map(\.asciiLowercased), as: UTF8.self) {
        case "", "s", "sec", "secs", "second", "seconds": 1000
        case "ms", "millisecond", "milliseconds": 1
        case "m", "min", "mins", "minute", "minutes": 60_000
        case "h", "hour", "hours": 3_600_000
        default: nil
        }
    }

    private static func duration(untilDate text: String, _ sentAt: String?, _ now: Date) -> Duration? {
        guard let date = HTTPDate.parse(text, now: now) ?? ForgivingDate.parse(text, now: now) else { return nil }
        let sentAt = sentAt.flatMap { HTTPDate.parse($0, now: now) ?? ForgivingDate.parse($0, now: now) } ?? now
        let seconds = date.timeIntervalSince(sentAt)
        // A wall clock can have any value, even a date that is not a number.
        guard seconds > 0 else { return .zero }
        return .seconds(min(seconds, 1e9))
    }
}
