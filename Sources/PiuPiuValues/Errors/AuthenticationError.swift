/// An error of a credential: the credential is invalid, or could not be refreshed.
///
/// It contains no part of a credential. Errors of the closure that refreshes a credential are not wrapped: they reach the
/// callers unchanged.
public struct AuthenticationError: Error, Sendable, Hashable {
    /// The kind of the failure.
    public var code: Code
    /// More details as text, without secrets.
    public var reason: String
    /// The status code of a token endpoint's refusal; `nil` for other failures.
    public var statusCode: StatusCode?
    /// The error code of a token endpoint, such as `invalid_client` (RFC 6749 §5.2), if it is a registered one.
    public var serverError: String?
    /// The method and the URL of the request that needs the credential, without user information, query and fragment;
    /// `nil` if the error is not about a request.
    public package(set) var target: String?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of the failure.
    ///   - reason: More details as text; the code's own text by default.
    ///   - statusCode: The status code of a token endpoint.
    ///   - serverError: The error code of a token endpoint.
    public init(_ code: Code, reason: String? = nil, statusCode: StatusCode? = nil, serverError: String? = nil) {
        self.code = code
        self.reason = reason ?? code.text
        self.statusCode = statusCode
        self.serverError = serverError
    }
}

extension AuthenticationError {
    /// The kind of an authentication failure.
    ///
    /// Later versions may add codes: a `switch` over them needs a `default`.
    public struct Code: ErrorCode {
        package enum Storage: Int, Sendable, CaseIterable {
            case invalidToken = 1, invalidUserName, invalidPassword, invalidOrigin
            case refreshTimedOut, refreshCancelled
            case credentialRemoved = 10
            case insecureTokenURL = 7, tokenRefused, invalidTokenResponse
        }

        package typealias Failure = AuthenticationError
        package let storage: Storage

        package init(storage: Storage) { self.storage = storage }

        /// A token is empty, or has a character that is not visible ASCII.
        public static let invalidToken = Code(storage: .invalidToken)
        /// A user name has a colon or a control character (RFC 7617 §2).
        public static let invalidUserName = Code(storage: .invalidUserName)
        /// A password has a control character (RFC 7617 §2).
        public static let invalidPassword = Code(storage: .invalidPassword)
        /// A URL for the list of origins is not an `http` or `https` URL with a host.
        public static let invalidOrigin = Code(storage: .invalidOrigin)
        /// A refresh took longer than the policy's limit.
        public static let refreshTimedOut = Code(storage: .refreshTimedOut)
        /// A refresh ended with `CancellationError`, although the request that waited for it was not cancelled.
        public static let refreshCancelled = Code(storage: .refreshCancelled)
        /// The credential was removed while a request waited for it, or after a request was sent with it and before the server
        /// refused it.
        ///
        /// See ``AuthenticationPolicy/removeCredential()``.
        public static let credentialRemoved = Code(storage: .credentialRemoved)
        /// The URL of a token endpoint is not `https`, and its host is not the local machine.
        public static let insecureTokenURL = Code(storage: .insecureTokenURL)
        /// A token endpoint refused the request; see ``AuthenticationError/serverError``.
        public static let tokenRefused = Code(storage: .tokenRefused)
        /// The response of a token endpoint is not a bearer token (RFC 6749 §5.1).
        public static let invalidTokenResponse = Code(storage: .invalidTokenResponse)
    }
}

extension AuthenticationError: CodedError {
    /// The error as a sentence, with the method and the URL of the request up to its query.
    public var description: String {
        let status = statusCode.map { "status \($0.rawValue)" }
        return reason + ErrorText.context([status, target]) + (serverError.map { ": \($0)" } ?? "")
    }

    package var failingURL: String? { target.map { String($0.drop { $0 != " " }.dropFirst()) } }
}
