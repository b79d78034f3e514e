import PiuPiuFutures

/// The common parts of all responses; extend it to add your own decoders.
public protocol ResponseInterface {
    /// The type of the body.
    associatedtype T

    /// The body.
    var data: T { get }
    /// The head as Foundation's type.
    var httpResponse: HTTPURLResponse { get }
    /// The request that was answered.
    var urlRequest: URLRequest { get }
    /// The status code.
    var statusCode: StatusCode { get }
}
