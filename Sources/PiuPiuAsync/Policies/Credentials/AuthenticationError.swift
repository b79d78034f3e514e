/// An error of a credential: it cannot be used as it is, or it could not be refreshed.
///
/// It contains no part of a credential. An error of the closure that refreshes a credential is none of these: it reaches
/// the callers unchanged.
public struct AuthenticationError: Error, Sendable, Hashable {
    /// The kind of the failure.
    public var code: Code
    /// More details as text, without secrets.
    public var reason: String
    /// The status code with which a token endpoint refused a request; `nil` for other failures.
    public var statusCode: StatusCode?
    /// The error code of a token endpoint, such as `invalid_client` (RFC 6749 §5.2), if it is a registered one.
    public var serverError: String?

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
    public struct Code: Sendable, Hashable {
        private enum Storage: Hashable, Sendable {
            case invalidToken, invalidUserName, invalidPassword, invalidOrigin
            case refreshTimedOut, refreshCancelled
            case insecureTokenURL, tokenRefused, invalidTokenResponse
        }

        private let storage: Storage

        /// A token is empty, or has a character that is not visible ASCII.
        public static let invalidToken = Code(storage: .invalidToken)
        /// A user name has a colon or a control character (RFC 7617 §2).
        public static let invalidUserName = Code(storage: .invalidUserName)
        /// A password has a control character (RFC 7617 §2).
        public static let invalidPassword = Code(storage: .invalidPassword)
        /// A URL that is to name an origin is not an `http` or `https` URL with a host.
        public static let invalidOrigin = Code(storage: .invalidOrigin)
        /// A refresh took longer than the policy's limit.
        public static let refreshTimedOut = Code(storage: .refreshTimedOut)
        /// A refresh ended with `CancellationError`, although the request that waited for it was not cancelled.
        public static let refreshCancelled = Code(storage: .refreshCancelled)
        /// The URL of a token endpoint is not `https`, and its host is not the machine itself.
        public static let insecureTokenURL = Code(storage: .insecureTokenURL)
        /// A token endpoint refused the request; see ``AuthenticationError/serverError``.
        public static let tokenRefused = Code(storage: .tokenRefused)
        /// The response of a token endpoint is not a bearer token (RFC 6749 §5.1).
        public static let invalidTokenResponse = Code(storage: .invalidTokenResponse)

        /// Lets a `catch` clause name the code alone.
        ///
        /// - Parameters:
        ///   - code: The code to look for.
        ///   - error: The error that was thrown.
        /// - Returns: `true` if the error is an ``AuthenticationError`` with that code.
        public static func ~= (code: Code, error: any Error) -> Bool {
            (error as? AuthenticationError)?.code == code
        }

        var text: String {
            switch storage {
            case .invalidToken: "The token is empty or has a character that is not visible ASCII"
            case .invalidUserName: "The user name has a colon or a control character"
            case .invalidPassword: "The password has a control character"
            case .invalidOrigin: "The origin is not an http or https URL with a host"
            case .refreshTimedOut: "The refresh of the credential took too long"
            case .refreshCancelled: "The refresh of the credential was cancelled"
            case .insecureTokenURL: "The token endpoint's URL is not https"
            case .tokenRefused: "The token endpoint refused the request"
            case .invalidTokenResponse: "The token endpoint's response is not a bearer token"
            }
        }
    }
}

extension AuthenticationError.Code: CustomStringConvertible {
    /// The code's name, such as `refreshTimedOut`.
    public var description: String { "\(storage)" }
}

extension AuthenticationError: CustomStringConvertible, LocalizedError {
    /// The error as a sentence.
    public var description: String {
        var text = reason
        if let statusCode { text += " (status \(statusCode.rawValue))" }
        if let serverError { text += ": \(serverError)" }
        return text
    }

    /// The error as a sentence.
    public var errorDescription: String? { description }
}
