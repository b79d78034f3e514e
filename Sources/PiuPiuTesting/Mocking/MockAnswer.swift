import PiuPiuAsync

/// The answer of a mock to a request: a head, a body in pieces, an ending, and their times.
///
/// ```swift
/// let plain = MockAnswer(.notFound)
/// let text = MockAnswer(.ok, headers: ["Content-Type": "text/plain"], body: "hello")
/// let slow = MockAnswer(.ok, pieces: ["one", .init("two", after: .seconds(1))], after: .seconds(2))
/// let broken = MockAnswer(.ok, pieces: ["half"], ending: .failure(TransportError(.connectionLost)))
/// let refused = MockAnswer.failure(TransportError(.cannotConnect))
/// let silent = MockAnswer.hang
/// ```
///
/// The caller gets what it would receive over a connection:
///
/// - A `Content-Length` in the headers applies (RFC 9112 §6.3): a shorter body ends with
///   `TransportError.Code.truncatedBody`, and a longer body is cut. Without it, the mock announces the total length of
///   all pieces, unless the headers have a `Transfer-Encoding` or the ending is not `complete`.
/// - `HEAD`, 204 and 304 have no body (RFC 9110 §6.4.1), regardless of the pieces.
/// - The body counts as decompressed, regardless of `Content-Encoding`.
/// - A status code that is not final, or does not have three digits, results in `TransportError.Code.malformedHead`.
///
/// Times are measured with the transport's clock from the arrival of the request, however long it takes to find the
/// answer. They are therefore the same in every run.
public struct MockAnswer: Sendable {
    /// The status code; `nil` for an answer without a head.
    public var statusCode: StatusCode?
    /// The protocol version of the head.
    public var httpVersion = "HTTP/1.1"
    /// The header fields, which reach the caller unchanged.
    public var headers: HTTPHeaderFields
    /// The delay of the head after the request; a negative value counts as zero.
    public var delay: Duration
    /// The pieces of the body.
    public var pieces: [Piece]
    /// The ending after the last piece.
    public var ending: Ending
    /// The fields that follow the body, without those that are not allowed there (RFC 9110 §6.5.1).
    ///
    /// An answer without a body, to `HEAD` for example, has none.
    public var trailers: HTTPHeaderFields = [:]
    /// The interim responses that precede the head.
    public var informational: [InformationalResponse] = []
    /// A response that the caller gets instead of the head, and that need not be HTTP.
    private(set) var urlResponse: URLResponse?
    #if WebSockets
    /// The WebSocket that the answer opens.
    private(set) var webSocket: MockWebSocketScript?

    /// Creates an answer that opens a WebSocket.
    init(webSocket: MockWebSocketScript, headers: HTTPHeaderFields, after delay: Duration) {
        self.init(statusCode: StatusCode(rawValue: 101), headers: headers, ending: .complete, delay: delay)
        self.webSocket = webSocket
    }
    #endif

    /// Creates an answer with a body in pieces.
    ///
    /// - Parameters:
    ///   - statusCode: The status code.
    ///   - headers: The header fields.
    ///   - pieces: The body.
    ///   - ending: The ending after the last piece.
    ///   - delay: The delay of the head after the request.
    ///   - httpVersion: The protocol version of the head.
    public init(
        _ statusCode: StatusCode,
        headers: HTTPHeaderFields = [:],
        pieces: [Piece],
        ending: Ending = .complete,
        after delay: Duration = .zero,
        httpVersion: String = "HTTP/1.1"
    ) {
        self.init(statusCode: statusCode, headers: headers, pieces: pieces, ending: ending, delay: delay)
        self.httpVersion = httpVersion
    }

    /// Creates an answer whose body arrives in one piece.
    ///
    /// - Parameters:
    ///   - statusCode: The status code.
    ///   - headers: The header fields.
    ///   - body: The body; `nil` for none.
    ///   - delay: The delay of the answer after the request.
    public init(
        _ statusCode: StatusCode,
        headers: HTTPHeaderFields = [:],
        body: Data? = nil,
        after delay: Duration = .zero
    ) {
        self.init(statusCode, headers: headers, pieces: body.map { [Piece($0)] } ?? [], after: delay)
    }

    /// Creates an answer whose body is text that arrives in one piece.
    ///
    /// - Parameters:
    ///   - statusCode: The status code.
    ///   - headers: The header fields.
    ///   - body: The body, sent as UTF-8.
    ///   - delay: The delay of the answer after the request.
    public init(
        _ statusCode: StatusCode,
        headers: HTTPHeaderFields = [:],
        body: String,
        after delay: Duration = .zero
    ) {
        self.init(statusCode, headers: headers, body: Data(body.utf8), after: delay)
    }

    /// Creates an answer from a response, such as one of `Response.makeMockResponse(with:data:statusCode:headers:)`.
    ///
    /// - Parameters:
    ///   - response: The response. The answer takes its head, which need not be HTTP, and its body.
    ///   - delay: The delay of the answer after the request.
    public init(_ response: Response<Data?>, after delay: Duration = .zero) {
        self.init(response.head?.statusCode ?? .ok, headers: response.headers, body: response.data, after: delay)
        if let head = response.head { httpVersion = head.httpVersion } else { urlResponse = response.urlResponse }
    }

    private init(
        statusCode: StatusCode? = nil,
        headers: HTTPHeaderFields = [:],
        pieces: [Piece] = [],
        ending: Ending,
        delay: Duration = .zero
    ) {
        self.statusCode = statusCode
        self.headers = headers
        self.pieces = pieces
        self.ending = ending
        self.delay = delay
    }

    /// Creates an answer with a value as JSON.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - statusCode: The status code.
    ///   - headers: The header fields; `Content-Type` defaults to `application/json`.
    ///   - encoder: The encoder.
    ///   - delay: The delay of the answer after the request.
    /// - Returns: The answer.
    /// - Throws: The encoder's error.
    public static func json(
        _ value: some Encodable,
        _ statusCode: StatusCode = .ok,
        headers: HTTPHeaderFields = [:],
        encoder: JSONEncoder = JSONEncoder(),
        after delay: Duration = .zero
    ) throws -> MockAnswer {
        let data = try encoder.encode(value)
        return MockAnswer(statusCode, headers: headers.withJSONContentType, body: data, after: delay)
    }

    /// Creates an answer that is an error, which reaches the caller unchanged.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - delay: The delay of the error after the request.
    /// - Returns: The answer.
    public static func failure(_ error: any Error, after delay: Duration = .zero) -> MockAnswer {
        MockAnswer(ending: .failure(error), delay: delay)
    }

    /// No answer: the request waits until it is cancelled or reaches a time limit.
    public static var hang: MockAnswer { MockAnswer(ending: .hang) }
}

extension MockAnswer {
    /// A part of a body that arrives at once.
    public struct Piece: Sendable, Hashable {
        /// The bytes.
        public var data: Data
        /// The delay after the previous piece, or after the head; a negative value counts as zero.
        public var delay: Duration

        /// Creates a piece from bytes.
        ///
        /// - Parameters:
        ///   - data: The bytes.
        ///   - delay: The delay after the previous piece, or after the head.
        public init(_ data: Data, after delay: Duration = .zero) {
            self.data = data
            self.delay = delay
        }

        /// Creates a piece from text.
        ///
        /// - Parameters:
        ///   - text: The text, sent as UTF-8.
        ///   - delay: The delay after the previous piece, or after the head.
        public init(_ text: String, after delay: Duration = .zero) {
            self.init(Data(text.utf8), after: delay)
        }
    }

    /// The ending after the last piece of a body.
    public enum Ending: Sendable {
        /// The end of the message; without a head, it is `TransportError.Code.connectionLost`.
        case complete
        /// An error, which reaches the caller unchanged.
        case failure(any Error)
        /// No ending: the exchange waits until it is cancelled or reaches a time limit.
        case hang
    }
}

extension MockAnswer: Redacted {
    /// The status code, the number of pieces, the ending and the delay, without header fields and body.
    package var shown: KeyValuePairs<String, Any> {
        [
            "statusCode": statusCode.map { "\($0.rawValue)" } ?? "none", "pieces": pieces.count, "ending": ending,
            "delay": delay,
        ]
    }
}

extension MockAnswer.Piece: Redacted {
    /// The length and the delay, without the bytes.
    package var shown: KeyValuePairs<String, Any> { ["length": data.count, "delay": delay] }
}

extension MockAnswer.Ending: Redacted {
    /// The ending; for an error only its type, because the error may come from any source.
    public var description: String {
        switch self {
        case .complete: "complete"
        case .failure(let error): "failure(\(type(of: error)))"
        case .hang: "hang"
        }
    }

    /// The same as the description.
    package var shown: KeyValuePairs<String, Any> { ["description": description] }
}

extension MockAnswer.Piece: ExpressibleByStringLiteral {
    /// Creates a piece from text that arrives at once.
    ///
    /// - Parameter value: The text, sent as UTF-8.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension HTTPHeaderFields {
    /// The same fields, with the content type of JSON unless they already have a content type.
    var withJSONContentType: HTTPHeaderFields {
        contains("Content-Type") ? self : self + [HTTPHeaderField(name: "Content-Type", value: "application/json")]
    }
}
