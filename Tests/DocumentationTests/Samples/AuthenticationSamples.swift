import PiuPiuAsync

/// The samples of the article on authentication; those with a server are run elsewhere.
struct AuthenticationSamples {
    private func bearer(_ api: URL, token: String) throws -> URLRequestDispatcher {
        let dispatcher = URLRequestDispatcher(requestAdapters: [try BearerToken(token, origins: [api])])
        return dispatcher
    }

    private func key(_ key: String) -> URLRequestDispatcher.Configuration {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.additionalHeaders["X-Partner-Key"] = key
        configuration.sensitiveHeaders = ["X-Partner-Key"]
        return configuration
    }

    struct Tokens: Decodable, Sendable {
        var access: String
        var refresh: String
        var expiresIn: Int
    }

    private func policy(_ api: URL, _ loginURL: URL, stored: Tokens?) throws -> URLRequestDispatcher {
        let login = URLRequestDispatcher()
        let authentication = try AuthenticationPolicy<Tokens>(
            origins: [api],
            credential: stored,
            lifetime: { .seconds($0.expiresIn) },
            apply: { tokens, request in
                request.setValue("Bearer \(tokens.access)", forHTTPHeaderField: "Authorization")
            },
            refresh: { old in
                var request = URLRequest(url: loginURL, method: .post)
                try request.setJSONBody(["refresh_token": old?.refresh])
                return try await login.data(for: request).validated().decode(Tokens.self)
            }
        )
        let dispatcher = URLRequestDispatcher(interceptors: [RetryPolicy(), authentication])
        return dispatcher
    }

    private func oneRequest(_ authentication: AuthenticationPolicy<Tokens>) -> URLRequestDispatcher {
        let retries = RetryPolicy(retries: 10) { context in
            context.statusCode == .unauthorized ? .retry() : .default
        }
        let dispatcher = URLRequestDispatcher(interceptors: [retries, authentication])
        return dispatcher
    }

    private func session(
        _ authentication: AuthenticationPolicy<Tokens>,
        _ tokens: Tokens,
        login: (String, String) async throws -> Tokens
    ) async throws {
        authentication.setCredential(tokens)
        authentication.removeCredential()
        let (user, password) = ("", "")
        authentication.setCredential(try await login(user, password))
    }

    private func oauth(_ api: URL, tokenURL: URL, secret: String) throws -> URLRequestDispatcher {
        let client = try OAuth2ClientCredentials(
            tokenURL: tokenURL,
            clientID: "reports",
            clientSecret: secret,
            scope: "reports:read",
            dispatcher: URLRequestDispatcher()
        )
        let dispatcher = URLRequestDispatcher(interceptors: [try client.authenticationPolicy(origins: [api])])
        return dispatcher
    }

    /// Adds the key of the tenant in whose task the request is made.
    struct TenantKey: Interceptor {
        @TaskLocal static var current: String?

        let host: String
        var interceptsEachHop: Bool { true }

        func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
            var request = request
            let url = request.urlRequest.url
            if let key = Self.current, url?.scheme == "https", url?.host() == host {
                request.urlRequest.setValue(key, forHTTPHeaderField: "X-Api-Key")
            }
            return try await next(request)
        }
    }

    private func tenants(_ key: String, _ url: URL) async throws {
        let dispatcher = URLRequestDispatcher(interceptors: [RetryPolicy(), TenantKey(host: "api.example.com")])
        let account = try await TenantKey.$current.withValue(key) {
            try await dispatcher.data(from: url).validated()
        }
        _ = account
    }
}
