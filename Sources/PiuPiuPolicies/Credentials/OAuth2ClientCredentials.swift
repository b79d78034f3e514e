/// A client that gets access tokens for itself from an OAuth 2 server (RFC 6749 §4.4).
///
/// ```swift
/// let client = try OAuth2ClientCredentials(
///     tokenURL: tokenURL,
///     clientID: "reports",
///     clientSecret: secret,
///     scope: "reports:read",
///     dispatcher: URLRequestDispatcher()
/// )
/// let authentication = try client.authenticationPolicy(origins: [url])
/// let dispatcher = URLRequestDispatcher(interceptors: [authentication])
/// ```
///
/// The client authenticates itself with HTTP Basic (RFC 6749 §2.3.1), so that its secret is not in the body. For servers that
/// require the secret there, as `client_id` and `client_secret`, pass ``ClientAuthentication/body``.
public struct OAuth2ClientCredentials: Sendable {
    /// The place of a client's identifier and secret in a token request (RFC 6749 §2.3.1).
    public enum ClientAuthentication: Sendable, Hashable {
        /// In the `Authorization` field, with HTTP Basic, which every server must support.
        case basic
        /// In the form, as `client_id` and `client_secret`.
        case body
    }

    /// The URL of the token endpoint.
    public let tokenURL: URL
    /// The identifier of the client.
    public let clientID: String
    /// The requested scope, as names separated by spaces; `nil` for the server's default.
    public let scope: String?
    /// The place of the identifier and the secret in a token request.
    public let clientAuthentication: ClientAuthentication
    private let clientSecret: String
    private let send: @Sendable (URLRequest) async throws -> Response<Data?>

    /// Creates a client that sends its token requests with a function.
    package init(
        _ tokenURL: URL,
        _ clientID: String,
        _ clientSecret: String,
        _ scope: String?,
        _ clientAuthentication: ClientAuthentication,
        send: @escaping @Sendable (URLRequest) async throws -> Response<Data?>
    ) throws(AuthenticationError) {
        guard let target = try? RequestTarget(tokenURL.absoluteURL),
            target.isSecure || Self.isLoopback(target.origin), target.userInformation == nil
        else { throw AuthenticationError(.insecureTokenURL) }
        self.tokenURL = tokenURL
        self.clientID = clientID
        self.scope = scope
        self.clientAuthentication = clientAuthentication
        self.clientSecret = clientSecret
        self.send = send
    }

    /// Encodes an identifier or a secret before they are joined (RFC 6749 §2.3.1).
    private static func formEncoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        PercentEncoding.appendToForm(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Requests a token.
    ///
    /// A redirect to another origin is refused: that origin must neither receive the secret nor choose the token.
    ///
    /// - Returns: The token.
    /// - Throws: ``AuthenticationError`` with the code `tokenRefused` or `invalidTokenResponse`; the errors of the
    ///   dispatcher, such as ``TransportError`` with the code `unsafeRedirect`; `CancellationError` if the task is
    ///   cancelled.
    public func token() async throws -> OAuth2AccessToken {
        var request = URLRequest(url: tokenURL, method: .post)
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        var items: QueryItems = ["grant_type": "client_credentials", "scope": scope]
        switch clientAuthentication {
        case .basic:
            let (user, password) = (Self.formEncoded(clientID), Self.formEncoded(clientSecret))
            let authorization = try BasicAuthentication.value(user: user, password: password)
            request.setValue(authorization, forHTTPHeaderField: "Authorization")
        case .body:
            items = [
                "grant_type": "client_credentials", "scope": scope,
                "client_id": clientID, "client_secret": clientSecret,
            ]
        }
        request.setFormBody(items)
        let sent = request
        let response = try await Call.stayingAtOrigin { try await send(sent) }
        return try OAuth2AccessToken(statusCode: response.statusCode, body: response.data ?? Data())
    }

    /// Creates a policy that adds the client's token to requests, and requests another one when it is needed.
    ///
    /// - Parameters:
    ///   - origins: A URL of each origin that gets the token; no other origin ever gets it.
    ///   - renewalMargin: The time before its expiry at which a token is renewed.
    /// - Returns: The policy.
    /// - Throws: ``AuthenticationError`` with the code `invalidOrigin`.
    public func authenticationPolicy(
        origins: [URL],
        renewalMargin: Duration = .seconds(30)
    ) throws(AuthenticationError) -> AuthenticationPolicy<OAuth2AccessToken> {
        // The token belongs to the client, not to the caller.
        try AuthenticationPolicy(
            origins,
            renewalMargin: renewalMargin,
            distinguishesCallers: false,
            AuthenticationPolicy.Settings(
                lifetime: { $0.lifetime },
                isRefusal: { $0.statusCode == .unauthorized },
                apply: { $1.setValue($0.authorization, forHTTPHeaderField: "Authorization") },
                refresh: { _ in try await token() },
                timeLimit: .seconds(30)
            )
        )
    }

    /// Whether an origin is on the local machine (RFC 6761 §6.3, RFC 1122 §3.2.1.3, RFC 4291 §2.5.3).
    private static func isLoopback(_ origin: String) -> Bool {
        guard let port = origin.lastIndex(of: ":"), let scheme = origin.range(of: "://") else { return false }
        let host = origin[scheme.upperBound..<port]
        if host == "localhost" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}

extension OAuth2ClientCredentials: Redacted {
    /// The token endpoint and the client's identifier, without its secret.
    package var shown: KeyValuePairs<String, Any> {
        ["tokenURL": Redaction.standard.location(of: tokenURL), "clientID": clientID]
    }
}
