/// A bearer token from an OAuth 2 server (RFC 6749 §5.1).
public struct OAuth2AccessToken: Sendable, Hashable {
    /// The token, which is a secret.
    public let value: String
    /// How long the token is valid after its arrival; `nil` if the server did not say, or sent no positive number.
    public let lifetime: Duration?
    /// The scope of the token; `nil` if it is the requested scope.
    public let scope: String?
    /// The value of the `Authorization` field.
    let authorization: String

    private struct Fields: Decodable {
        var access_token: String?
        var token_type: String?
        var expires_in: Double?
        var scope: String?
        var error: String?

        enum CodingKeys: CodingKey {
            case access_token, token_type, expires_in, scope, error
        }

        // Decode each field on its own: a wrong type of an optional field is no reason to fail.
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            func text(_ key: CodingKeys) -> String? { try? container.decodeIfPresent(String.self, forKey: key) }
            access_token = text(.access_token)
            token_type = text(.token_type)
            scope = text(.scope)
            error = text(.error)
            // Some servers send a string.
            let number = try? container.decodeIfPresent(Double.self, forKey: .expires_in)
            expires_in = number ?? text(.expires_in).flatMap(Double.init)
        }
    }

    /// The error codes of RFC 6749 §5.2; others are not shown, because a server could send any text.
    private static let knownErrors: Set<String> = [
        "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type",
        "invalid_scope",
    ]

    /// The maximum length of a response, in bytes.
    private static let longestResponse = 64 * 1024

    /// Reads the response of a token endpoint; throws `tokenRefused` or `invalidTokenResponse`.
    init(statusCode: StatusCode, body: Data) throws(AuthenticationError) {
        let isReadable = body.count <= Self.longestResponse
        let fields = isReadable ? try? JSONDecoder().decodeGuarded(Fields.self, from: body) : nil
        guard statusCode.type == .success else {
            let error = fields?.error.flatMap { Self.knownErrors.contains($0) ? $0 : nil }
            throw AuthenticationError(.tokenRefused, statusCode: statusCode, serverError: error)
        }
        // RFC 6749 §7.1: a client must not use a token of an unknown type.
        guard let token = fields?.access_token, fields?.token_type?.isEqualIgnoringASCIICase(to: "Bearer") ?? false,
            let authorization = try? BearerToken.headerValue(token)
        else { throw AuthenticationError(.invalidTokenResponse, statusCode: statusCode) }
        value = token
        self.authorization = authorization
        scope = fields?.scope
        lifetime = fields?.expires_in.flatMap { $0 > 0 ? .seconds(min($0, 1e9)) : nil }
    }
}

extension OAuth2AccessToken: Redacted {
    /// The lifetime and the scope, without the token.
    package var shown: KeyValuePairs<String, Any> {
        ["lifetime": lifetime.map { "\($0)" } ?? "unknown", "scope": scope ?? "as requested"]
    }
}
