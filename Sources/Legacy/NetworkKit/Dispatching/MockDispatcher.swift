import PiuPiuFutures

/// A dispatcher that answers requests itself instead of asking a server, for tests.
///
/// ```swift
/// let dispatcher = MockDispatcher(baseUrl: url, mockStatusCode: .ok)
/// try dispatcher.setMockData(posts)
/// dispatcher.future(from: request).response { response in print(response.statusCode) }.send()
/// ```
///
/// The answer to a request is the one that is set when the request is sent. As in NetworkKit, a future keeps the mock alive.
///
/// The class belongs to the main actor, so that subclasses may have variables; its own functions can be called on any
/// thread.
@preconcurrency @MainActor
open class MockDispatcher: Dispatcher, ServerProvider {
    private nonisolated let answer: Locked<MockTransport>

    /// Creates a dispatcher.
    ///
    /// - Parameters:
    ///   - baseUrl: The server in the URLs of requests; the mock never contacts it.
    ///   - mockStatusCode: The status code of the answers.
    ///   - mockError: The error of the answers; if `nil`, the error of the status code.
    ///   - mockHeaders: The header fields of the answers.
    public nonisolated init(
        baseUrl: URL,
        mockStatusCode: StatusCode,
        mockError: ResponseError? = nil,
        mockHeaders: [String: String] = [:]
    ) {
        let first = MockTransport(baseURL: baseUrl, statusCode: mockStatusCode, error: mockError, headers: mockHeaders)
        answer = Locked(first)
    }

    /// The server in the URLs of requests.
    nonisolated open var baseURL: URL {
        get { answer.withLock { $0.baseURL } }
        set { answer.withLock { $0.baseURL = newValue } }
    }

    /// The body of the answers; `nil` for none.
    nonisolated open var mockData: Data? {
        get { answer.withLock { $0.data } }
        set { answer.withLock { $0.data = newValue } }
    }

    /// The status code of the answers.
    nonisolated open var mockStatusCode: StatusCode {
        get { answer.withLock { $0.statusCode } }
        set { answer.withLock { $0.statusCode = newValue } }
    }

    /// The error of the answers; if `nil`, the error of the status code.
    nonisolated open var mockError: ResponseError? {
        get { answer.withLock { $0.error } }
        set { answer.withLock { $0.error = newValue } }
    }

    /// The header fields of the answers.
    nonisolated open var mockHeaders: [String: String] {
        get { answer.withLock { $0.headers } }
        set { answer.withLock { $0.headers = newValue } }
    }

    /// The delay of an answer after its request, in seconds.
    nonisolated open var delay: TimeInterval {
        get { answer.withLock { $0.delay } }
        set { answer.withLock { $0.delay = newValue } }
    }

    /// Creates a future of an answer.
    ///
    /// - Parameter request: The request.
    /// - Returns: A future of the answer at the time the future is sent. It fails with ``RequestError`` if the
    ///   request has no valid URL.
    nonisolated open func future(from request: any Request) -> ResponseFuture<Response<Data?>> {
        let core = PiuPiuFutures.ResponseFuture<Response<Data?>>(action: { [self] core in
            let urlRequest = try urlRequest(from: request)
            // Subclasses may override the properties.
            var answer = answer.withLock { $0 }
            (answer.data, answer.statusCode, answer.error) = (mockData, mockStatusCode, mockError)
            (answer.headers, answer.delay) = (mockHeaders, delay)
            // Redirects are answers like any other.
            let dispatcher = URLRequestDispatcher(configuration: .init(redirects: nil), transport: answer)
            Exchange(dispatcher).future(error: answer.error) { urlRequest }.core.fulfill(core)
        })
        return ResponseFuture(core: core)
    }

    /// Sets the body of the answers to a value encoded as JSON.
    ///
    /// - Parameter encodable: The value.
    /// - Throws: The encoder's error; the body is then unchanged.
    public nonisolated func setMockData<T: Encodable>(encodable: T) throws { try setMockData(encodable) }

    /// Sets the body of the answers to a value encoded as JSON.
    ///
    /// - Parameter body: The value.
    /// - Throws: The encoder's error; the body is then unchanged.
    public nonisolated func setMockData<T: Encodable>(_ body: T) throws { mockData = try JSONEncoder().encode(body) }

    /// Sets the body of the answers to a value that writes itself as JSON.
    ///
    /// - Parameters:
    ///   - mapEncodable: The value.
    ///   - options: The options of `JSONSerialization`.
    /// - Throws: The error of the value; the body is then unchanged.
    public nonisolated func setMockData(mapEncodable: any MapEncodableBody, options: JSONOptions = []) throws {
        mockData = try mapEncodable.jsonData(options: options)
    }

    /// Sets the body of the answers to a value that writes itself as JSON.
    ///
    /// - Parameter body: The value.
    /// - Throws: The error of the value; the body is then unchanged.
    public nonisolated func setMockData(_ body: any MapEncodableBody) throws { try setMockData(mapEncodable: body) }

    /// Sets the body of the answers to a JSON object.
    ///
    /// - Parameters:
    ///   - jsonObject: The object; `nil` is written as `null`.
    ///   - options: The options of `JSONSerialization`.
    /// - Throws: `EncodingError` for a value that JSON cannot represent; the body is then unchanged.
    public nonisolated func setMockData(jsonObject: [String: Any?], options: JSONOptions = []) throws {
        mockData = try JSONObject.data(of: jsonObject, options: options)
    }

    /// Sets the body of the answers to text.
    ///
    /// - Parameters:
    ///   - jsonString: The text. If it cannot be encoded, the body becomes `nil`.
    ///   - encoding: The encoding.
    public nonisolated func setMockData(jsonString: String, encoding: String.Encoding = .utf8) {
        mockData = encoding.data(of: jsonString)
    }
}

/// The answer of a ``MockDispatcher``, as a transport.
struct MockTransport: HTTPTransport {
    var baseURL: URL
    var data: Data?
    var statusCode: StatusCode
    var error: ResponseError?
    var headers: [String: String]
    var delay: TimeInterval = 0

    /// Answers a request after the delay; throws `CancellationError` if the calling task is cancelled.
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        // A `TimeInterval` may be any number; it is limited to what a clock supports.
        if delay > 0 { try await Task.sleep(for: .seconds(min(delay, 1e9))) }
        let fields = HTTPHeaderFields(headers.map { HTTPHeaderField(name: $0.key, value: $0.value) })
        let head = ResponseHead(url: request.urlRequest.url ?? baseURL, statusCode: statusCode, headers: fields)
        return TransportResponse(head: head, body: data, urlRequest: request.urlRequest)
    }

    /// Does nothing, because there are no connections.
    func shutdown() async {}

    /// Does nothing: only a future's task awaits an answer, and cancelling the future cancels that task.
    func invalidateAndCancel() {}
}
