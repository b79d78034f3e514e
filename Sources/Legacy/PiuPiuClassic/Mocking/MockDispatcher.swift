import PiuPiuFutures

/// A dispatcher that answers requests without a network, for tests.
///
/// ```swift
/// let dispatcher = MockDispatcher(baseUrl: url, mockStatusCode: .ok)
/// try dispatcher.setMockData(posts)
///
/// // The URL is not actually called.
/// dispatcher.future(from: BasicRequest(method: .get, path: "/posts")).response({ response in
///     self.show(try response.decode([Post].self))
/// }).send()
/// ```
///
/// Only the network is simulated: the mock is the transport of a dispatcher of `PiuPiuAsync`. Its futures keep it alive
/// until they have ended.
public final class MockDispatcher: Dispatcher, ServerProvider, HTTPTransport {
    private struct Answer: Sendable {
        var baseURL: URL?
        var data: Data?
        var statusCode: StatusCode
        var headers: [String: String]
        var delay: TimeInterval = 0
    }

    private let answer: Locked<Answer>

    /// Creates a mock.
    ///
    /// - Parameters:
    ///   - baseUrl: The server, which the mock never contacts.
    ///   - mockStatusCode: The status code of the responses.
    ///   - mockHeaders: The header fields of the responses.
    public init(baseUrl: URL, mockStatusCode: StatusCode, mockHeaders: [String: String] = [:]) {
        answer = Locked(Answer(baseURL: baseUrl, statusCode: mockStatusCode, headers: mockHeaders))
    }

    /// The server, which the mock never contacts.
    public var baseURL: URL? {
        get { answer.withLock { $0.baseURL } }
        set { answer.withLock { $0.baseURL = newValue } }
    }

    /// The body of the responses; `nil` if they have none.
    public var mockData: Data? {
        get { answer.withLock { $0.data } }
        set { answer.withLock { $0.data = newValue } }
    }

    /// The status code of the responses.
    public var mockStatusCode: StatusCode {
        get { answer.withLock { $0.statusCode } }
        set { answer.withLock { $0.statusCode = newValue } }
    }

    /// The header fields of the responses.
    public var mockHeaders: [String: String] {
        get { answer.withLock { $0.headers } }
        set { answer.withLock { $0.headers = newValue } }
    }

    /// The delay of a response, in seconds.
    public var delay: TimeInterval {
        get { answer.withLock { $0.delay } }
        set { answer.withLock { $0.delay = newValue } }
    }

    /// Creates a future of a response.
    ///
    /// - Parameter request: The request.
    /// - Returns: A future that answers the request when it is started.
    public func future(from request: any Request) -> ResponseFuture<Response<Data?>> {
        // Redirects are responses like any other.
        URLRequestDispatcher(.init(configuration: .init(redirects: nil), transport: self))
            .dataFuture(from: { try self.urlRequest(from: request) })
    }

    // MARK: Transport

    /// Answers a request, after the delay.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response.
    /// - Throws: `CancellationError` if the task is cancelled during the delay; `TransportError` with the code
    ///   `invalidURL` if the request has no URL.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard let url = request.urlRequest.url else { throw TransportError(.invalidURL, request: request.urlRequest) }
        let answer = answer.withLock { $0 }
        if answer.delay > 0 { try await Task.sleep(for: .seconds(min(answer.delay, 1e9))) }
        var headers: HTTPHeaderFields = [:]
        for (name, value) in answer.headers { headers[name] = value }
        let head = ResponseHead(url: url, statusCode: answer.statusCode, headers: headers)
        return TransportResponse(head: head, body: answer.data, urlRequest: request.urlRequest)
    }

    /// Does nothing, because there are no connections.
    public func shutdown() async {}

    /// Does nothing, because there are no connections; cancelling a future cancels the waiting task.
    public func invalidateAndCancel() {}

    // MARK: Bodies

    /// Sets the body to a value encoded as JSON.
    ///
    /// - Parameter encodable: The value.
    /// - Throws: The encoder's error; the body is then unchanged.
    public func setMockData<T: Encodable>(encodable: T) throws {
        mockData = try JSONEncoder().encode(encodable)
    }

    /// Sets the body to a value encoded as JSON; the same as ``setMockData(encodable:)``.
    ///
    /// - Parameter encodable: The value.
    /// - Throws: The encoder's error; the body is then unchanged.
    public func setMockData<T: Encodable>(_ encodable: T) throws {
        try setMockData(encodable: encodable)
    }

    /// Sets the body to a JSON object.
    ///
    /// - Parameters:
    ///   - jsonObject: The object; `nil` is written as `null`.
    ///   - options: The options of `JSONSerialization`.
    /// - Throws: `EncodingError` for a value that JSON cannot represent; the body is then unchanged.
    public func setMockData(jsonObject: [String: Any?], options: JSONSerialization.WritingOptions = []) throws {
        mockData = try JSONObject.data(of: jsonObject, options: options)
    }

    /// Sets the body to text.
    ///
    /// - Parameters:
    ///   - jsonString: The text. If it cannot be encoded, the body becomes `nil`.
    ///   - encoding: The encoding.
    public func setMockData(jsonString: String, encoding: String.Encoding = .utf8) {
        mockData = encoding.data(of: jsonString)
    }
}

/// The name of ``MockDispatcher`` in the document of PiuPiu 1.3.
public typealias MockURLRequestDispatcher = MockDispatcher
