import PiuPiuFutures

/// The request method; the same type as in PiuPiuAsync.
public typealias HTTPMethod = PiuPiuAsync.HTTPMethod

/// A request to a path of a server.
@preconcurrency public protocol Request: Sendable {
    /// The request method.
    var method: HTTPMethod { get }
    /// The path, which replaces the path of the server's URL.
    var path: String { get }
    /// The query, which replaces the query of the server's URL.
    var queryItems: [URLQueryItem] { get }
    /// The header fields.
    var headers: [String: String] { get }
    /// The body; `nil` for none.
    var httpBody: Data? { get }
}

/// A request with a body of JSON or anything else; the same type as in PiuPiuFutures.
///
/// ```swift
/// var request = BasicRequest(method: .post, path: "/posts")
/// try request.setJSONBody(post)
/// ```
public typealias BasicRequest = PiuPiuFutures.BasicRequest

/// The options of `JSONSerialization`.
public typealias JSONOptions = JSONSerialization.WritingOptions

/// The name of ``BasicRequest`` before NetworkKit 5.
@available(*, deprecated, renamed: "BasicRequest")
public typealias JSONRequest = BasicRequest

extension PiuPiuFutures.BasicRequest: Request {
    /// Sets the body to a value that writes itself as JSON, and the content type to JSON unless there is one.
    ///
    /// - Parameters:
    ///   - mapEncodable: The value.
    ///   - options: The options of `JSONSerialization`.
    /// - Throws: The error of the value; the request is then unchanged.
    public mutating func setJSONBody(mapEncodable: any MapEncodableBody, options: JSONOptions = []) throws {
        httpBody = try mapEncodable.jsonData(options: options)
        ensureJSONContentType()
    }

    /// Sets the body to a value that writes itself as JSON, and the content type to JSON unless there is one.
    ///
    /// - Parameters:
    ///   - body: The value.
    ///   - options: The options of `JSONSerialization`.
    /// - Throws: The error of the value; the request is then unchanged.
    public mutating func setJSONBody(_ body: any MapEncodableBody, options: JSONOptions = []) throws {
        try setJSONBody(mapEncodable: body, options: options)
    }
}
