/// What every response has: a body, the request it answers, and Foundation's view of its head.
///
/// ``Response`` and ``HTTPResponse`` conform. Bodies of type `Data?` get functions to decode them.
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
