/// An error thrown if a text or arguments do not specify a usable proxy.
///
/// It quotes none of them, because any part can be a password.
public struct ProxyServerError: Error, Sendable, Hashable {
    /// The problem with the proxy.
    ///
    /// Later versions may add codes: a `switch` over them needs a `default`.
    public struct Code: ErrorCode {
        package enum Storage: Int, Sendable, CaseIterable {
            case invalidText = 1, unsupportedScheme, invalidHost, invalidPort, invalidUser, invalidPassword
            case invalidConnectHeaders, invalidAuthorityFile
        }

        package typealias Failure = ProxyServerError
        package let storage: Storage

        package init(storage: Storage) { self.storage = storage }

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
    }

    /// The problem with the proxy.
    public let code: Code

    init(_ code: Code) {
        self.code = code
    }
}

extension ProxyServerError: Redacted, CodedError {
    /// The error as a sentence.
    public var description: String { "The proxy cannot be used: \(code.text)" }

    /// The error as a sentence.
    package var shown: KeyValuePairs<String, Any> { ["description": description] }
}
