/// One attempt to get a response: the request was sent once through a part of the interceptors.
///
/// A call without policies has one attempt. A policy that sends a request again makes another: a retry, a request with
/// new credentials, a hedge. Redirects are not attempts; they are in ``Response/history``.
public struct Attempt: Sendable, Hashable {
    /// The position among the attempts of the call; 1 for the first.
    public let number: Int
    /// The reason for the attempt.
    public let cause: Cause

    /// Creates an attempt.
    ///
    /// - Parameters:
    ///   - number: The position among the attempts of the call.
    ///   - cause: The reason for the attempt.
    public init(number: Int, cause: Cause) {
        self.number = number
        self.cause = cause
    }

    /// The first attempt of a call.
    public static let first = Attempt(number: 1, cause: .call)

    /// A reason to send a request.
    public enum Cause: Sendable, Hashable {
        /// The call itself: this is the first attempt.
        case call
        /// The previous attempt ended with this status code.
        case status(StatusCode)
        /// The previous attempt failed with this code.
        case failure(TransportError.Code)
        /// The previous attempt failed with an error that is not a ``TransportError``.
        case otherFailure
        /// The server refused the credentials of the previous attempt.
        case credentials
        /// The previous attempt was slow, and this one runs in parallel.
        case hedge
    }
}

extension [Attempt] {
    /// Whether a retry policy sent the request again.
    package var haveRetries: Bool {
        contains { attempt in
            switch attempt.cause {
            case .status, .failure, .otherFailure: true
            case .call, .credentials, .hedge: false
            }
        }
    }

    /// Appends the attempt that begins now.
    package mutating func begin(_ cause: Attempt.Cause) {
        if isEmpty { append(.first) }
        append(Attempt(number: count + 1, cause: cause))
    }
}
