import PiuPiuFutures

/// The parts that all responses have; extend it to add decoders of your own.
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
