/// The common interface of all responses: a body, the request that was answered, and the head as Foundation's type.
///
/// ``Response`` and ``HTTPResponse`` conform. Responses with bodies of type `Data?` have functions to decode them.
///
/// ```swift
/// struct CachedResponse: ResponseInterface {
///     let data: Data?
///     let urlRequest: URLRequest
///     let urlResponse: URLResponse
///     let storedAt: Date
/// }
/// ```
public protocol ResponseInterface<Body> {
    /// The type of the body.
    associatedtype Body

    /// The body.
    var data: Body { get }
    /// The head as Foundation's type.
    var urlResponse: URLResponse { get }
    /// The request that was answered, after every adapter and redirect.
    var urlRequest: URLRequest { get }
}
