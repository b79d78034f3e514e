/// An error thrown if a text or arguments do not specify a usable proxy.
///
/// It quotes none of them, because any part can be a password.
public struct ProxyServerError: Error, Sendable, Hashable {
    /// The problem with the proxy.
    ///
    /// Later versions may add codes: a `switch` over them needs a `default`.
    public struct Code: Sendable, Hashable {
        enum Storage: Hashable, Sendable, CaseIterable {
            case invalidText, unsupportedScheme, invalidHost, invalidPort, invalidUser, invalidPassword
            case invalidConnectHeaders, invalidAuthorityFile
        }

        let storage: Storage

        /// All codes of this version.
        package static var all: [Code] { Storage.allCases.map { Code(storage: $0) } }

        /// The text is too long, not ASCII, or has a path, a query or a fragment.
        public static let invalidText = Code(storage: .invalidText)
        /// The scheme is not that of a proxy.
        public static let unsupportedScheme = Code(storage: .unsupportedScheme)
        /// The host is missing, or neither a name nor an address.
        public static let invalidHost = Code(storage: .invalidHost)
        /// The port is not a number from 1 to 65535.
        public static let invalidPort = Code(storage: .invalidPort)
        /// The user name has a control character or, for an HTTP proxy, a colon (RFC 7617 §2), is empty or too long for
        /// SOCKS (RFC 1929 §2), or is not percent-encoded UTF-8.
        public static let invalidUser = Code(storage: .invalidUser)
        /// The password has a control character, is too long for SOCKS, is not percent-encoded UTF-8, or there is no user.
        public static let invalidPassword = Code(storage: .invalidPassword)
        /// A field for `CONNECT` is not valid, only the transport may set it, or the proxy does not use HTTP.
        public static let invalidConnectHeaders = Code(storage: .invalidConnectHeaders)
        /// Certificate authorities are specified, but the connection to the proxy does not use TLS.
        public static let invalidAuthorityFile = Code(storage: .invalidAuthorityFile)

        var name: String { "\(storage)" }
    }

    /// The problem with the proxy.
    public let code: Code

    init(_ code: Code) {
        self.code = code
    }
}

extension ProxyServerError.Code: ErrorPattern {
    /// Returns whether an error is a ``ProxyServerError`` with this code.
    ///
    /// - Parameter error: The error that was thrown.
    /// - Returns: `true` if it is.
    public func matches(_ error: any Error) -> Bool { (error as? ProxyServerError)?.code == self }
}

extension ProxyServerError: Redacted, ExplainedError {
    /// The error as a sentence.
    public var description: String { "The proxy cannot be used: \(code.text)" }

    package var explanation: ErrorExplanation { code.explanation }

    /// The error as a sentence.
    package var shown: KeyValuePairs<String, Any> { ["description": description] }
}

extension ProxyServerError.Code: CustomStringConvertible {
    /// The code's name, such as `invalidPort`.
    public var description: String { name }
}
