/// An adapter that adds a user name and a password to requests for certain origins (RFC 7617).
///
/// ```swift
/// let credentials = try BasicCredentials(user: "Aladdin", password: "open sesame", origins: [url])
/// let dispatcher = URLRequestDispatcher(requestAdapters: [credentials])
/// ```
///
/// The adapter adds the credentials to the first request, without waiting for a 401 (RFC 7617 §2.2), in UTF-8 and in
/// Normalization Form C (RFC 7617 §2.1). Only a request whose URL has a listed scheme, host and port gets them. A request that
/// already has an `Authorization`, or user information in its URL, keeps its own credentials. For redirects, the rules of
/// ``BearerToken`` apply.
public struct BasicCredentials: URLRequestAdapter {
    private let origins: OriginList
    private let value: String

    /// Creates an adapter.
    ///
    /// - Parameters:
    ///   - user: The user name, without a colon and control characters; it may be empty.
    ///   - password: The password, without control characters; it may be empty.
    ///   - origins: A URL of each origin that gets the credentials; its path does not matter. No other origin ever gets
    ///     them.
    /// - Throws: ``AuthenticationError`` with the code `invalidUserName`, `invalidPassword` or `invalidOrigin`.
    public init(user: String, password: String, origins: [URL]) throws(AuthenticationError) {
        value = try BasicAuthentication.value(user: user, password: password)
        self.origins = try OriginList(origins)
    }

    /// Adds the credentials.
    ///
    /// - Parameter urlRequest: The request, as changed by previous adapters.
    /// - Returns: The request with the credentials, if its origin is listed and it has none.
    public func adapt(urlRequest: URLRequest) -> URLRequest {
        var request = urlRequest
        if origins.contains(request.url) { request.add(authorization: value) }
        return request
    }
}

extension BasicCredentials: PromptAdapter {
    package func adapt(_ request: inout TransportRequest) {
        if origins.contains(request.target) { request.urlRequest.add(authorization: value) }
    }
}

extension BasicCredentials: Redacted {
    /// The origins, without the user name and the password.
    package var shown: KeyValuePairs<String, Any> { ["origins": origins.names] }
}
