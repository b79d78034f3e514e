#if Policies
extension OAuth2ClientCredentials {
    /// Creates a client.
    ///
    /// - Parameters:
    ///   - tokenURL: The URL of the token endpoint: `https`, or `http` on the machine itself.
    ///   - clientID: The identifier of the client.
    ///   - clientSecret: The secret of the client.
    ///   - scope: The scope to ask for.
    ///   - clientAuthentication: Where the identifier and the secret are in a token request: HTTP Basic by default.
    ///   - dispatcher: The dispatcher for the token requests, which the client keeps alive.
    /// - Throws: ``AuthenticationError`` with the code `insecureTokenURL`.
    public init(
        tokenURL: URL,
        clientID: String,
        clientSecret: String,
        scope: String? = nil,
        clientAuthentication: ClientAuthentication = .basic,
        dispatcher: any DataDispatcher
    ) throws(AuthenticationError) {
        try self.init(tokenURL, clientID, clientSecret, scope, clientAuthentication) { request in
            try await dispatcher.data(for: request)
        }
    }
}
#endif
