/// Reads the `Retry-After` field of a response (RFC 9110 §10.2.3).
enum RetryAfter {
    /// The time that a server asks to wait.
    ///
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - now: The present by the wall clock. It is used for a date if the response has no valid `Date` field, which is
    ///     the present by the server's clock.
    /// - Returns: The time, from zero to ``Backoff/longest``: the longest if the field occurs more than once. `nil` if
    ///   there is no valid one.
    static func delay(of head: ResponseHead, now: () -> Date) -> Duration? {
        guard head.firstValue(of: "Retry-After") != nil else { return nil }
        return head.headers.values(for: "Retry-After").compactMap { text in
            seconds(text) ?? duration(untilDate: text, head.firstValue(of: "Date"), now())
        }.max()
    }

    /// Reads a number of seconds.
    ///
    /// - Parameter text: One or more digits, and nothing else.
    /// - Returns: The time. More digits than any clock can hold are valid, and mean a long time.
    private static func seconds(_ text: String) -> Duration? {
        guard !text.isEmpty else { return nil }
        var seconds = 0
        for byte in text.utf8 {
            guard (0x30...0x39).contains(byte) else { return nil }
            seconds = min(seconds * 10 + Int(byte - 0x30), 1_000_000_000)
        }
        return .seconds(seconds)
    }

    private static func duration(untilDate text: String, _ sentAt: String?, _ now: Date) -> Duration? {
        guard let date = HTTPDate.parse(text, now: now) else { return nil }
        let sentAt = sentAt.flatMap { HTTPDate.parse($0, now: now) } ?? now
        let seconds = date.timeIntervalSince(sentAt)
        // A wall clock can be set to anything, even to a date that is not a number.
        guard seconds > 0 else { return .zero }
        return .seconds(min(seconds, 1e9))
    }
}
