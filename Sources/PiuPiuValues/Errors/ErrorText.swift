/// The parts of an error's text that distinguish errors of several requests.
package enum ErrorText {
    /// Returns the method and the URL of a request, without user information, query and fragment, such as
    /// `GET https://example.com/a`.
    ///
    /// The result is `nil` if there is no request, or it has no URL.
    package static func target(_ request: URLRequest?) -> String? {
        guard let request, let url = request.url else { return nil }
        return "\(request.httpMethod ?? "GET") \(Redaction.standard.location(of: url))"
    }

    /// Returns the known details of a call, and the limit that was reached, in parentheses with a space before them.
    ///
    /// The text is empty if nothing is known.
    package static func context(_ parts: [String?], limit: TransportError.Limit? = nil) -> String {
        let known = parts.compactMap { $0 }.joined(separator: ", ")
        let all = [known, limit?.description ?? ""].filter { !$0.isEmpty }.joined(separator: "; ")
        return all.isEmpty ? "" : " (\(all))"
    }

    /// Returns the duration of a call as text; `nil` if it is unknown or too short to matter.
    static func elapsed(_ duration: Duration?, attempts: Int = 1) -> String? {
        let count = attempts > 1 ? "\(attempts) attempts" : nil
        guard let duration, duration >= .milliseconds(1) else { return count.map { "after \($0)" } }
        return "after \(count.map { "\($0) in " } ?? "")\(text(duration))"
    }

    /// Returns a number of bytes as text.
    package static func bytes(_ count: some BinaryInteger) -> String { count == 1 ? "1 byte" : "\(count) bytes" }

    /// Returns a duration as readable text, rounded, such as `250 milliseconds` or `5.43 seconds`.
    package static func text(_ duration: Duration) -> String {
        guard duration > .zero else { return "0 seconds" }
        let milliseconds = (duration.clampedNanoseconds - 1) / 1_000_000 + 1
        guard milliseconds >= 1000 else { return milliseconds == 1 ? "1 millisecond" : "\(milliseconds) milliseconds" }
        // Round to two decimal places, for longer durations to one, and then to none.
        let step: Int64 = milliseconds < 10_000 ? 10 : milliseconds < 100_000 ? 100 : 1000
        let rounded = (milliseconds / step + (milliseconds % step * 2 >= step ? 1 : 0)) * step
        var text = "\(rounded / 1000)"
        if rounded % 1000 != 0 {
            let digits = "\(1000 + rounded % 1000)".dropFirst()
            text += "." + digits.prefix(digits.hasSuffix("00") ? 1 : 2)
        }
        return text == "1" ? "1 second" : "\(text) seconds"
    }
}
