import PiuPiuFutures

/// The status code of a response; the same type as in PiuPiuAsync.
public typealias StatusCode = PiuPiuAsync.StatusCode

/// The common interface of all responses.
public protocol ResponseInterface {
    /// The type of the body.
    associatedtype T

    /// The body.
    var data: T { get }
    /// The head.
    var httpResponse: HTTPURLResponse { get }
    /// The request that was answered.
    var urlRequest: URLRequest { get }
    /// The status code.
    var statusCode: StatusCode { get }
    /// The response as a value of PiuPiuAsync, for migrated code.
    var piuPiuResponse: PiuPiuAsync.HTTPResponse<T> { get }
}

extension ResponseInterface {
    /// The response as a value of PiuPiuAsync, for migrated code.
    public var piuPiuResponse: PiuPiuAsync.HTTPResponse<T> {
        PiuPiuAsync.HTTPResponse(data: data, urlRequest: urlRequest, httpResponse: httpResponse)
    }
}

/// A response that is a shell around one of PiuPiuAsync.
public protocol ResponseShell: ResponseInterface {}

extension ResponseShell {
    /// The body.
    public var data: T { piuPiuResponse.data }
    /// The head, built when it is first accessed.
    public var httpResponse: HTTPURLResponse { piuPiuResponse.httpResponse }
    /// The request that was answered, after redirects.
    public var urlRequest: URLRequest { piuPiuResponse.urlRequest }
    /// The status code.
    public var statusCode: StatusCode { piuPiuResponse.statusCode }
}
