/// An error thrown if a limit of the client refuses a request; nothing was sent.
///
/// ``RateLimit`` and ``ConcurrencyLimit`` throw it. A server can pass it on to its own caller as 503 with `Retry-After`:
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
    /// The time that the request would have to wait, or has waited if it was refused after a wait; `nil` if it is unknown.
    public let wait: Duration?
    /// The method and the URL of the request, without user information, query and fragment; `nil` if it has no URL.
    public let target: String?
    /// The value of the setting that refused the request; `nil` for the deadline of the call.
    let bound: String?

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

extension LimitError {
    init(_ limit: Limit, _ reason: Reason, _ request: TransportRequest, wait: Duration?, bound: String?) {
        self.limit = limit
        self.reason = reason
        self.wait = wait
        self.bound = bound
        origin = LimitScope.origin(of: request)
        target = ErrorText.target(request.urlRequest)
    }
}

extension LimitError: ExplainedError {
    /// The error as a sentence, with the method and the URL of the request up to its query.
    public var description: String {
        let subject = "The \(limit) limit" + (origin.map { " for \($0)" } ?? "")
        let (text, time): (String, String) =
            switch reason {
            case .queueFull: ("\(subject) is reached, and too many requests are waiting", "the wait would be")
            case .deadline: ("\(subject) is reached, and the call has no time to wait", "the wait would be")
            default: ("\(subject) is reached, and the wait is too long", limit == .rate ? "it would be" : "it was")
            }
        let setting = bound.map { "; \(explanation.setting ?? "the limit") is \($0)" } ?? ""
        let context = [target, wait.map { "\(time) \(ErrorText.text($0))" }].compactMap { $0 }.joined(separator: ", ")
        return context.isEmpty ? text : "\(text) (\(context)\(setting))"
    }

    package var explanation: ErrorExplanation { Self.explanation(limit, reason) }

    package static func explanation(_ limit: Limit, _ reason: Reason) -> ErrorExplanation {
        let name = limit == .rate ? "RateLimit" : "ConcurrencyLimit"
        let first = limit == .rate ? 1 : 11
        return switch reason {
        case .queueFull:
            .init(
                first,
                "Requests arrive faster than the limit allows, and the queue is full.",
                "Send fewer requests, allow more to wait, or answer your own caller with 503 and Retry-After.",
                setting: "\(name).maximumWaiting"
            )
        case .deadline:
            .init(
                first + 1,
                "The request would have to wait beyond the deadline of its call.",
                "Allow the call more time, or send fewer requests.",
                setting: "configuration.timeouts.total"
            )
        default:
            .init(
                first + 2,
                "The request would have to wait longer than the policy allows.",
                "Send fewer requests, allow a longer wait, or answer your own caller with 503 and Retry-After.",
                setting: "\(name).maximumWait"
            )
        }
    }

    package var failingURL: String? { target.map { String($0.drop { $0 != " " }.dropFirst()) } }
}
