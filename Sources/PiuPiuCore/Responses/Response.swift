/// A response with a body of any type.
///
/// A dispatcher returns `Response<Data?>`. Decode its body with ``ResponseInterface/decode(_:using:)``. Its status is
/// in ``statusCode``; a dispatcher does not throw errors for 4xx and 5xx: use `validated()` for that.
///
/// A response is sendable if its body is. Foundation's `HTTPURLResponse` is built when ``urlResponse`` is first
/// accessed.
public struct Response<Body>: ResponseInterface {
    /// The body.
    public let data: Body
    package let record: ResponseRecord

    /// Creates a response from Foundation's response.
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
    ///   - response: The response whose head and request are used.
    ///   - data: The body.
    public init(response: some ResponseInterface, data: Body) {
        self.init(data: data, record: .of(response))
    }

    package init(data: Body, record: ResponseRecord) {
        self.data = data
        self.record = record
    }

    /// The request that was answered, after every adapter and redirect.
    public var urlRequest: URLRequest { record.urlRequest }

    /// The URL that was answered, after every redirect; ``history`` has the URL of the call first, if there were redirects.
    public var url: URL { record.values.url }

    /// The head as Foundation's type; for HTTP, built once, when it is first accessed.
    public var urlResponse: URLResponse { record.urlResponse }

    /// The head; `nil` if the response is not HTTP.
    public var head: ResponseHead? { record.head }

    /// The status code.
    ///
    /// Every response that a dispatcher receives has one; a response for a `file:` URL has 200. It is `.other(0)`, which no
    /// server can send, if a mock or an adapter made the response from a `URLResponse` that is not an `HTTPURLResponse`.
    public var statusCode: StatusCode { StatusCode(rawValue: record.values.statusCode) }

    /// The header fields, in the order they arrived; empty if the response is not HTTP.
    public var headers: HTTPHeaderFields { head?.headers ?? [:] }

    /// The fields that followed the body (RFC 9110 §6.5), in the order they arrived; empty if there were none.
    ///
    /// They are never a part of ``headers``. Fields that have no meaning after the body, such as `Content-Length`,
    /// `Set-Cookie` and `Authorization`, are left out (RFC 9110 §6.5.1). The trailers of a ``ResponseBody`` are available
    /// once the body was read to its end: see ``ResponseBody/trailers``. `URLSession` does not report trailers.
    public var trailers: HTTPHeaderFields { (data as? ResponseBody)?.trailers ?? record.trailers }

    /// The interim responses that preceded the final one, oldest first; see ``ResponseHead/informational``.
    public var informational: [InformationalResponse] { record.informational }

    /// The redirects that were followed, oldest first.
    public var history: [Redirect] { record.values.history }

    /// The attempts that policies made for this response, oldest first, and at least one.
    public var attempts: [Attempt] { record.attempts }

    /// The timing of the exchange; `nil` if the transport did not measure it.
    public var metrics: ExchangeMetrics? { head?.metrics }

    /// The error that the status code represents; `nil` for 1xx, 2xx and 3xx and if the response is not HTTP.
    public var httpError: HTTPError? { head?.statusCode.httpError }

    /// Converts the response to an HTTP response.
    ///
    /// - Returns: The HTTP response.
    /// - Throws: ``ResponseError/notHTTPResponse``.
    public func makeHTTPResponse() throws -> HTTPResponse<Body> {
        guard let head else { throw ResponseError.notHTTPResponse }
        return HTTPResponse(data: data, record: head.record)
    }

    /// Returns the response with another body.
    ///
    /// - Parameter transform: Makes the new body from the old one.
    /// - Returns: The response with the new body.
    /// - Throws: The errors that `transform` throws.
    public func map<NewBody>(_ transform: (Body) throws -> NewBody) rethrows -> Response<NewBody> {
        Response<NewBody>(data: try transform(data), record: record)
    }

    /// Checks the status code and the content type.
    ///
    /// - Parameter validation: The status codes and content types to accept.
    /// - Returns: This response.
    /// - Throws: ``UnacceptableResponseError`` if the status code or the content type is not acceptable, with the
    ///   beginning of a body that is `Data`; ``ResponseError/notHTTPResponse`` if the response is not HTTP.
    public func validated(_ validation: Validation = .default) throws -> Self {
        guard let head else { throw ResponseError.notHTTPResponse }
        guard let fault = validation.fault(of: head) else { return self }
        throw UnacceptableResponseError(fault, head, data as? Data, isBodyComplete: data is Data?)
    }
}

extension Response where Body == ResponseBody {
    /// Checks the status code and the content type.
    ///
    /// If the response is not acceptable, the beginning of its body is read, for at most a few seconds, and the
    /// exchange is closed.
    ///
    /// - Parameter validation: The status codes and content types to accept.
    /// - Returns: This response.
    /// - Throws: ``UnacceptableResponseError`` if the status code or the content type is not acceptable, with the
    ///   beginning of the body; ``ResponseError/notHTTPResponse`` if the response is not HTTP; `CancellationError`.
    public func validated(_ validation: Validation = .default) async throws -> Self {
        guard let head else { throw ResponseError.notHTTPResponse }
        guard let fault = validation.fault(of: head) else { return self }
        let body = try await data.beginning()
        throw UnacceptableResponseError(fault, head, body.data, isBodyComplete: body.isComplete)
    }
}

extension Response where Body == Data? {
    /// Creates a response from the result of the transport and the interceptors; an adapted response takes precedence.
    ///
    /// `attempts` is `nil` if there was only one, and `elapsed` if the time was not measured.
    package init(
        _ response: TransportResponse,
        sensitiveHeaders: [String] = [],
        attempts: [Attempt]? = nil,
        elapsed: Duration? = nil
    ) {
        self.init(
            data: response.body,
            record: response.record.surfaced(hiding: sensitiveHeaders, attempts: attempts, elapsed: elapsed)
        )
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
