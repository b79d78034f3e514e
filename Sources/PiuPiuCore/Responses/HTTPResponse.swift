/// An HTTP response with a body of any type.
///
/// Create it from a ``Response`` with ``Response/makeHTTPResponse()``. A response is sendable if its body is.
public struct HTTPResponse<Body>: ResponseInterface {
    /// The body.
    public let data: Body
    package private(set) var record: ResponseRecord

    /// The request that was answered, after every adapter and redirect.
    public var urlRequest: URLRequest {
        get { record.urlRequest }
        set { record = record.with { $0.urlRequest = newValue } }
    }

    /// The head.
    public var head: ResponseHead { ResponseHead(record: record) }

    /// The fields that followed the body (RFC 9110 §6.5), in the order they arrived; see ``Response/trailers``.
    public var trailers: HTTPHeaderFields { (data as? ResponseBody)?.trailers ?? record.trailers }

    /// The interim responses that preceded the final one, oldest first; see ``ResponseHead/informational``.
    public var informational: [InformationalResponse] { record.informational }

    /// The URL that was answered, after every redirect; ``history`` has the URL of the call first, if there were redirects.
    public var url: URL { head.url }

    /// The redirects that were followed, oldest first.
    public var history: [Redirect] { record.values.history }

    /// The attempts that policies made for this response, oldest first, and at least one.
    public var attempts: [Attempt] { record.attempts }

    /// Creates a response from Foundation's response.
    ///
    /// - Parameters:
    ///   - data: The body.
    ///   - urlRequest: The request that was answered.
    ///   - httpResponse: Foundation's response.
    public init(data: Body, urlRequest: URLRequest, httpResponse: HTTPURLResponse) {
        self.init(data: data, record: ResponseRecord(httpResponse, urlRequest: urlRequest))
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

    init(data: Body, record: ResponseRecord) {
        self.data = data
        self.record = record
    }

    /// Creates a response with the head of another one.
    ///
    /// - Parameters:
    ///   - response: The response whose head and request are used.
    ///   - data: The body.
    /// - Throws: ``ResponseError/notHTTPResponse``.
    public init(response: some ResponseInterface, data: Body) throws {
        let record = ResponseRecord.of(response)
        guard record.head != nil else { throw ResponseError.notHTTPResponse }
        self.init(data: data, record: record)
    }

    /// The head as Foundation's type, built once, when it is first accessed.
    public var httpResponse: HTTPURLResponse { head.urlResponse }

    /// The head as Foundation's type, built once, when it is first accessed.
    public var urlResponse: URLResponse { head.urlResponse }

    /// The status code.
    public var statusCode: StatusCode { head.statusCode }

    /// The header fields, in the order they arrived.
    public var headers: HTTPHeaderFields { head.headers }

    /// The timing of the exchange; `nil` if the transport did not measure it.
    public var metrics: ExchangeMetrics? { head.metrics }

    /// The error that the status code represents; `nil` for 1xx, 2xx and 3xx.
    public var httpError: HTTPError? { statusCode.httpError }

    /// Returns the response with another body.
    ///
    /// - Parameter transform: Makes the new body from the old one.
    /// - Returns: The response with the new body.
    /// - Throws: The errors that `transform` throws.
    public func map<NewBody>(_ transform: (Body) throws -> NewBody) rethrows -> HTTPResponse<NewBody> {
        HTTPResponse<NewBody>(data: try transform(data), record: record)
    }

    /// Checks the status code and the content type.
    ///
    /// - Parameter validation: The status codes and content types to accept.
    /// - Returns: This response.
    /// - Throws: ``UnacceptableResponseError`` if the status code or the content type is not acceptable, with the
    ///   beginning of a body that is `Data`.
    public func validated(_ validation: Validation = .default) throws -> Self {
        guard let fault = validation.fault(of: head) else { return self }
        throw UnacceptableResponseError(fault, head, data as? Data, isBodyComplete: data is Data?)
    }
}

extension HTTPResponse: Sendable where Body: Sendable {}

extension HTTPResponse: ResponseRecordCarrying {}

extension HTTPResponse: Redacted {
    /// Version, status and URL, without query, header fields and body.
    public var description: String { record.summary }

    /// The same as the description, so that `dump` shows no secret and no body.
    package var shown: KeyValuePairs<String, Any> { ["description": description] }
}
