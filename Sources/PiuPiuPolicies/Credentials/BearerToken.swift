/// An adapter that adds a bearer token to requests for certain origins (RFC 6750 §2.1).
///
/// ```swift
/// let token = try BearerToken("mF_9.B5f-4.1JqM", origins: [url])
/// let dispatcher = URLRequestDispatcher(requestAdapters: [token])
/// ```
///
/// Only a request whose URL has a listed scheme, host and port gets the token. A request that already has an
/// `Authorization`, or user information in its URL, keeps its own credentials.
///
/// Adapters see a call once, before any redirect. ``RedirectPolicy`` keeps the token on redirects within the origin, and
/// removes it on all others, even if the target is another listed origin. A request that is redirected to a listed origin is
/// sent without the token. If that is not enough, or the token expires, use ``AuthenticationPolicy``, which sees each redirect.
public struct BearerToken: URLRequestAdapter {
    private let origins: OriginList
    private let value: String

    /// Creates an adapter.
    ///
    /// - Parameters:
    ///   - token: The token, of visible ASCII characters. RFC 6750 allows fewer characters, but services use others, too.
    ///   - origins: A URL of each origin that gets the token; its path does not matter. No other origin ever gets it.
    /// - Throws: ``AuthenticationError`` with the code `invalidToken` or `invalidOrigin`.
    public init(_ token: String, origins: [URL]) throws(AuthenticationError) {
        value = try Self.headerValue(token)
        self.origins = try OriginList(origins)
    }

    /// Adds the token.
    ///
    /// - Parameter urlRequest: The request, as changed by previous adapters.
    /// - Returns: The request with the token, if its origin is listed and it has no credentials.
    public func adapt(urlRequest: URLRequest) -> URLRequest {
        var request = urlRequest
        if origins.contains(request.url) { request.add(authorization: value) }
        return request
    }

    /// Returns the value of an `Authorization` field with a token; throws if the token is invalid.
    static func headerValue(_ token: String) throws(AuthenticationError) -> String {
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw AuthenticationError(.invalidToken)
        }
        return "Bearer \(token)"
    }
}

extension BearerToken: PromptAdapter {
    package func adapt(_ request: inout TransportRequest) {
        if origins.contains(request.target) { request.urlRequest.add(authorization: value) }
    }
}

extension BearerToken: Redacted {
    /// The origins, without the token.
    package var shown: KeyValuePairs<String, Any> { ["origins": origins.names] }
}

extension URLRequest {
    /// Adds an `Authorization` to a request that has none.
    mutating func add(authorization value: String) {
        let name = "Authorization"
        guard self.value(forHTTPHeaderField: name) == nil else { return }
        if allHTTPHeaderFields?.isEmpty ?? true {
            // On Linux, this takes half the time of `setValue`, which spells every name its own way.
            allHTTPHeaderFields = [name: value]
        } else {
            setValue(value, forHTTPHeaderField: name)
        }
    }
}
