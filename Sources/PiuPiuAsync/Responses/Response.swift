/// A response with a body of any type.
///
/// A dispatcher returns `Response<Data?>`. Its body is decoded with ``ResponseInterface/decode(_:using:)``; its status
/// is in ``head``, and 4xx and 5xx are not thrown by themselves: use `validated()` for that.
///
/// A response is sendable where its body is. Foundation's `HTTPURLResponse` is built when ``urlResponse`` is first
/// asked for.
public struct Response<Body>: ResponseInterface {
    /// The body.
    public let data: Body
    let record: ResponseRecord

    /// Creates a response from Foundation's.
    ///
    /// - Parameters:
    ///   - data: The body.
    ///   - urlRequest: The request that was answered.
    ///   - urlResponse: Foundation's response.
    public init(data: Body, urlRequest: URLRequest, urlResponse: URLResponse) {
        self.init(data: data, record: ResponseRecord(urlResponse, urlRequest: urlRequest))
    }

    /// Creates a response from a head.
    ///
    /// - Parameters:
    ///   - data: The body.
    ///   - urlRequest: The request that was answered.
    ///   - head: The head.
    ///   - history: The redirects that were followed, oldest first.
    public init(data: Body, urlRequest: URLRequest, head: ResponseHead, history: [Redirect] = []) {
        self.init(data: data, record: head.record.answering(urlRequest, history))
    }

    /// Creates a response with the head of another one.
    ///
    /// - Parameters:
    ///   - response: The response that has the head and the request.
    ///   - data: The body.
    public init(response: some ResponseInterface, data: Body) {
        self.init(data: data, record: .of(response))
    }

    init(data: Body, record: ResponseRecord) {
        self.data = data
        self.record = record
    }

    /// The request that was answered, after every adapter and redirect.
    public var urlRequest: URLRequest { record.urlRequest }

    /// The head as Foundation's type; for HTTP, built once, when it is first asked for.
    public var urlResponse: URLResponse { record.urlResponse }

    /// The head; `nil` where the response is not HTTP.
    public var head: ResponseHead? { record.head }

    /// The status code; `nil` where the response is not HTTP.
    public var statusCode: StatusCode? { head?.statusCode }

    /// The header fields, in the order they arrived; empty where the response is not HTTP.
    public var headers: HTTPHeaderFields { head?.headers ?? [:] }

    /// The redirects that were followed, oldest first.
    public var history: [Redirect] { record.values.history }

    /// Where the time of the exchange went; `nil` where the transport did not measure.
    public var metrics: ExchangeMetrics? { head?.metrics }

    /// The error the status code stands for; `nil` for 1xx, 2xx and 3xx and where the response is not HTTP.
    public var httpError: HTTPError? { head?.statusCode.httpError }

    /// The same response as an HTTP response.
    ///
    /// - Returns: The HTTP response.
    /// - Throws: ``ResponseError/notHTTPResponse``.
    public func makeHTTPResponse() throws -> HTTPResponse<Body> {
        guard let head else { throw ResponseError.notHTTPResponse }
        return HTTPResponse(data: data, record: head.record)
    }

    /// A response with another body.
    ///
    /// - Parameter transform: Makes the new body of the old one.
    /// - Returns: The response with the new body.
    /// - Throws: What `transform` throws.
    public func map<NewBody>(_ transform: (Body) throws -> NewBody) rethrows -> Response<NewBody> {
        Response<NewBody>(data: try transform(data), record: record)
    }

    /// Checks the status code and the content type.
    ///
    /// - Parameter validation: What is acceptable.
    /// - Returns: This response.
    /// - Throws: ``UnacceptableResponseError`` if the status code or the content type is not acceptable, with the beginning
    ///   of a body that is `Data`; ``ResponseError/notHTTPResponse`` if the response is not HTTP.
    public func validated(_ validation: Validation = .default) throws -> Self {
        guard let head else { throw ResponseError.notHTTPResponse }
        guard let fault = validation.fault(of: head) else { return self }
        throw UnacceptableResponseError(fault, head, data as? Data, isBodyComplete: data is Data?)
    }
}

extension Response where Body == ResponseBody {
    /// Checks the status code and the content type.
    ///
    /// The beginning of a body that is refused is read, for at most a few seconds, and the exchange is closed.
    ///
    /// - Parameter validation: What is acceptable.
    /// - Returns: This response.
    /// - Throws: ``UnacceptableResponseError`` if the status code or the content type is not acceptable, with the beginning
    ///   of the body; ``ResponseError/notHTTPResponse`` if the response is not HTTP; `CancellationError`.
    public func validated(_ validation: Validation = .default) async throws -> Self {
        guard let head else { throw ResponseError.notHTTPResponse }
        guard let fault = validation.fault(of: head) else { return self }
        let body = try await data.beginning()
        throw UnacceptableResponseError(fault, head, body.data, isBodyComplete: body.isComplete)
    }
}

extension Response where Body == Data? {
    /// Creates a response from what the transport and the interceptors gave back.
    ///
    /// - Parameters:
    ///   - response: The transport's response; its adapted response goes first.
    ///   - sensitiveHeaders: Names of header fields that are secrets, beside the standard ones.
    package init(_ response: TransportResponse, sensitiveHeaders: [String] = []) {
        self.init(data: response.body, record: response.record.surfaced(hiding: sensitiveHeaders))
    }
}

extension Response: Sendable where Body: Sendable {}

extension Response: ResponseRecordCarrying {}

extension Response: Redacted {
    /// Version, status and URL, without query, header fields and body.
    public var description: String { record.summary }

    /// The same as the description, so that `dump` shows no secret and no body.
    package var shown: KeyValuePairs<String, Any> { ["description": description] }
}
