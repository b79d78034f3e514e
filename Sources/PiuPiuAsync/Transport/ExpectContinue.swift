/// Whether a request asks the server to agree before its content is sent: `Expect: 100-continue` (RFC 9110 §10.1.1).
///
/// ```swift
/// var options = RequestOptions()
/// options.expectContinue = .above(1 << 20).waiting(.seconds(3))
/// let response = try await dispatcher.upload(for: request, from: .file(fileURL), options: options).response()
/// ```
///
/// A server that refuses the request, with 401 or 413 for example, then answers before the content is sent for nothing.
/// A server that says neither yes nor no is waited for no longer than ``patience``, as many servers ignore the field. One
/// that answers 417 gets the request again, without the field.
///
/// A request that has an `Expect` field of its own keeps it, whatever the options say, and is waited for as long.
public struct ExpectContinue: Sendable, Hashable {
    /// The length of the content, in bytes, above which the server is asked; `nil` for never.
    ///
    /// A request without content never asks. Content of unknown length counts as longer than any other.
    public var minimumLength: Int64?
    /// How long the content waits for an answer; one second by default.
    ///
    /// Values are brought into the range from a millisecond to a day. ``Timeouts/idle`` and ``Timeouts/total`` go on
    /// meanwhile, and so does ``Timeouts/head`` for content of at most 64 KiB.
    public var patience: Duration = .seconds(1)

    /// Never, which is the default.
    public static let never = ExpectContinue(minimumLength: nil)

    /// For every request with content.
    public static let always = ExpectContinue(minimumLength: 0)

    /// For requests whose content is longer, or of unknown length.
    ///
    /// - Parameter bytes: The length, in bytes.
    /// - Returns: The rule.
    public static func above(_ bytes: Int64) -> ExpectContinue {
        ExpectContinue(minimumLength: max(0, bytes))
    }

    /// Returns the same rule with another time to wait.
    ///
    /// - Parameter patience: How long the content waits for an answer.
    /// - Returns: The rule.
    public func waiting(_ patience: Duration) -> ExpectContinue {
        var copy = self
        copy.patience = patience
        return copy
    }

    /// Returns whether the server is asked.
    ///
    /// - Parameter length: The length of the content, in bytes; `nil` if it is unknown.
    /// - Returns: Whether the request gets the field.
    func applies(to length: Int64?) -> Bool {
        guard let minimumLength else { return false }
        return length.map { $0 > minimumLength } ?? true
    }

    /// The time to wait, in milliseconds.
    package var milliseconds: Int {
        Int(min(max(1, patience.clampedNanoseconds / 1_000_000), 86_400_000))
    }
}
