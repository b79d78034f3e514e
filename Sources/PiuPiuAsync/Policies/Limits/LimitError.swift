/// An error thrown if a limit of the client refuses a request; nothing was sent.
///
/// ``RateLimit`` and ``ConcurrencyLimit`` throw it. A server can answer its own caller with 503 and `Retry-After`:
///
/// ```swift
/// do {
///     let response = try await dispatcher.data(for: request)
///     print(response)
/// } catch let error as LimitError {
///     print("Busy, try again in \(error.wait ?? .seconds(1))")
/// }
/// ```
public struct LimitError: Error, Sendable, Hashable {
    /// The policy that refused the request.
    public let limit: Limit
    /// Why the request was refused.
    public let reason: Reason
    /// The scheme, host and port of the request; `nil` if its URL has none.
    public let origin: String?
    /// How long the request would have to wait, or has waited if it was refused after a wait; `nil` if that is not known.
    public let wait: Duration?

    /// A kind of limit.
    ///
    /// Later versions may add limits: a `switch` over them needs a `default`.
    public struct Limit: Sendable, Hashable, CustomStringConvertible {
        /// The limit's name, such as `rate`.
        public let description: String

        /// A ``RateLimit``.
        public static let rate = Limit(description: "rate")
        /// A ``ConcurrencyLimit``.
        public static let concurrency = Limit(description: "concurrency")
    }

    /// A reason to refuse a request.
    ///
    /// Later versions may add reasons: a `switch` over them needs a `default`.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// The reason's name, such as `queueFull`.
        public let description: String

        /// Too many requests wait already.
        public static let queueFull = Reason(description: "queueFull")
        /// The wait is longer than the policy allows.
        public static let waitTooLong = Reason(description: "waitTooLong")
        /// The wait would outlast the deadline of the call.
        public static let deadline = Reason(description: "deadline")
    }
}

extension LimitError: CustomStringConvertible, LocalizedError {
    /// The error as a sentence, with the origin and without the rest of the URL.
    public var description: String {
        let subject = "The \(limit) limit" + (origin.map { " for \($0)" } ?? "")
        let time = wait.map { " (\($0))" } ?? ""
        return switch reason {
        case .queueFull: "\(subject) is exhausted, and too many requests wait for it\(time)"
        case .deadline: "\(subject) is exhausted for longer than the call may take\(time)"
        default: "\(subject) is exhausted for longer than a request may wait\(time)"
        }
    }

    /// The error as a sentence, with the origin and without the rest of the URL.
    public var errorDescription: String? { description }
}
