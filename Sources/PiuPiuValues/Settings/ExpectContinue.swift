/// The setting for `Expect: 100-continue` (RFC 9110 §10.1.1), with which a request waits for the server before it sends
/// content.
///
/// ```swift
/// var options = RequestOptions()
/// options.expectContinue = .above(1 << 20).waiting(.seconds(3))
/// let response = try await dispatcher.upload(for: request, from: .file(fileURL), options: options).response()
/// ```
///
/// A server that refuses the request, for example with 401 or 413, can respond before the content is sent in vain. If the
/// server does not respond, the request sends its content after ``patience``, because many servers ignore the field. If the
/// server responds with 417, the request is sent again without the field.
///
/// A request with its own `Expect` field keeps it, regardless of the options, and waits just as long.
public struct ExpectContinue: Sendable, Hashable {
    /// The length of the content, in bytes, above which the request asks the server; `nil` for never.
    ///
    /// A request without content never asks. Content of unknown length counts as longer than any limit.
    public var minimumLength: Int64?
    /// The time that the content waits for an answer; one second by default.
    ///
    /// Values are limited to the range from a millisecond to a day. ``Timeouts/idle`` and ``Timeouts/total`` continue to count
    /// during this time, and so does ``Timeouts/head`` for content of at most 64 KiB.
    public var patience: Duration = .seconds(1)

    /// Never asks; the default.
    public static let never = ExpectContinue(minimumLength: nil)

    /// Asks for every request with content.
    public static let always = ExpectContinue(minimumLength: 0)

    /// Asks for requests whose content is longer than a number of bytes, or of unknown length.
    ///
    /// - Parameter bytes: The length, in bytes.
    /// - Returns: The rule.
    public static func above(_ bytes: Int64) -> ExpectContinue {
        ExpectContinue(minimumLength: max(0, bytes))
    }

    /// Returns the same rule with another time to wait.
    ///
    /// - Parameter patience: The time that the content waits for an answer.
    /// - Returns: The rule.
    public func waiting(_ patience: Duration) -> ExpectContinue {
        var copy = self
        copy.patience = patience
        return copy
    }

    /// Returns whether a request with content of a length gets the field; `nil` is an unknown length.
    package func applies(to length: Int64?) -> Bool {
        guard let minimumLength else { return false }
        return length.map { $0 > minimumLength } ?? true
    }

    /// The time to wait, in milliseconds.
    package var milliseconds: Int {
        Int(min(max(1, patience.clampedNanoseconds / 1_000_000), 86_400_000))
    }
}
