import PiuPiuFutures

/// A request to a path of a server; a ``ServerProvider`` converts it to a `URLRequest`.
@preconcurrency public protocol Request: Sendable {
    /// The request method.
    var method: HTTPMethod { get }
    /// The path, as text without percent encoding, with a leading slash.
    var path: String { get }
    /// The items of the query.
    var queryItems: [URLQueryItem] { get }
    /// The header fields.
    var headers: [String: String] { get }
    /// The body; `nil` if there is none.
    var httpBody: Data? { get }
}

extension BasicRequest: Request {}
