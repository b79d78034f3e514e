import PiuPiuAsync

/// What a mock answers to a request: a head, a body in pieces, how it ends, and when.
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
/// The caller gets of it what would have come over a connection:
///
/// - A `Content-Length` in the headers is kept to (RFC 9112 §6.3): a body that is shorter ends with
///   `TransportError.Code.truncatedBody`, and what is longer is left out. Without one, the length of all pieces is
///   announced, unless the headers have a `Transfer-Encoding`, or there is no good end.
/// - `HEAD`, 204 and 304 have no body (RFC 9110 §6.4.1), whatever the pieces.
/// - The body is taken as decompressed, whatever `Content-Encoding` says.
/// - What is not a final status code of three digits is `TransportError.Code.malformedHead`.
///
/// Its times are those of the transport's clock. They are counted from when the request had arrived, however long it
/// took to find the answer, so that they are the same in every run.
public struct MockAnswer: Sendable {
    /// The status code; `nil` for an end without a head.
    public var statusCode: StatusCode?
    /// The protocol version of the head.
    public var httpVersion = "HTTP/1.1"
    /// The header fields, given to the caller as they are.
    public var headers: HTTPHeaderFields
    /// How long after the request the head comes; negative counts as zero.
    public var delay: Duration
    /// The body.
    public var pieces: [Piece]
    /// What comes after the last piece.
    public var ending: Ending
    /// A response that is not HTTP, given to the caller in the place of the head.
    private(set) var urlResponse: URLResponse?

    /// Creates an answer with a body in pieces.
    ///
    /// - Parameters:
    ///   - statusCode: The status code.
    ///   - headers: The header fields.
    ///   - pieces: The body.
    ///   - ending: What comes after the last piece.
    ///   - delay: How long after the request the head comes.
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

    /// Creates an answer with a body that comes at once.
    ///
    /// - Parameters:
    ///   - statusCode: The status code.
    ///   - headers: The header fields.
    ///   - body: The body; `nil` for none.
    ///   - delay: How long after the request it comes.
    public init(
        _ statusCode: StatusCode,
        headers: HTTPHeaderFields = [:],
        body: Data? = nil,
        after delay: Duration = .zero
    ) {
        self.init(statusCode, headers: headers, pieces: body.map { [Piece($0)] } ?? [], after: delay)
    }

    /// Creates an answer with a text that comes at once.
    ///
    /// - Parameters:
    ///   - statusCode: The status code.
    ///   - headers: The header fields.
    ///   - body: The body, sent as UTF-8.
    ///   - delay: How long after the request it comes.
    public init(
        _ statusCode: StatusCode,
        headers: HTTPHeaderFields = [:],
        body: String,
        after delay: Duration = .zero
    ) {
        self.init(statusCode, headers: headers, body: Data(body.utf8), after: delay)
    }

    /// Creates an answer of a response, such as those of `Response.makeMockResponse(with:data:statusCode:headers:)`.
    ///
    /// - Parameters:
    ///   - response: The response; its head, which need not be HTTP, and its body are taken.
    ///   - delay: How long after the request it comes.
    public init(_ response: Response<Data?>, after delay: Duration = .zero) {
        self.init(response.statusCode ?? .ok, headers: response.headers, body: response.data, after: delay)
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

    /// An answer with a value as JSON.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - statusCode: The status code.
    ///   - headers: The header fields; `Content-Type` is `application/json` where they have none.
    ///   - encoder: The encoder.
    ///   - delay: How long after the request it comes.
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

    /// No answer but an error, which reaches the caller as it is.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - delay: How long after the request it comes.
    /// - Returns: The answer.
    public static func failure(_ error: any Error, after delay: Duration = .zero) -> MockAnswer {
        MockAnswer(ending: .failure(error), delay: delay)
    }

    /// No answer at all: the request waits until it is cancelled or a time limit is reached.
    public static var hang: MockAnswer { MockAnswer(ending: .hang) }
}

extension MockAnswer {
    /// A part of a body that comes in one go.
    public struct Piece: Sendable, Hashable {
        /// The bytes.
        public var data: Data
        /// How long after the piece before it comes, or after the head; negative counts as zero.
        public var delay: Duration

        /// Creates a piece of bytes.
        ///
        /// - Parameters:
        ///   - data: The bytes.
        ///   - delay: How long after the piece before, or after the head.
        public init(_ data: Data, after delay: Duration = .zero) {
            self.data = data
            self.delay = delay
        }

        /// Creates a piece of a text.
        ///
        /// - Parameters:
        ///   - text: The text, sent as UTF-8.
        ///   - delay: How long after the piece before, or after the head.
        public init(_ text: String, after delay: Duration = .zero) {
            self.init(Data(text.utf8), after: delay)
        }
    }

    /// What comes after the last piece of a body.
    public enum Ending: Sendable {
        /// The end of the message; without a head it is `TransportError.Code.connectionLost`.
        case complete
        /// An error, which reaches the caller as it is.
        case failure(any Error)
        /// Nothing, until the request is cancelled or a time limit is reached.
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
    /// The ending, of an error only its type: it may be anybody's.
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
    /// Creates a piece of a text that comes at once.
    ///
    /// - Parameter value: The text, sent as UTF-8.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension HTTPHeaderFields {
    /// The same fields with the content type of JSON, unless there is one.
    var withJSONContentType: HTTPHeaderFields {
        contains("Content-Type") ? self : self + [HTTPHeaderField(name: "Content-Type", value: "application/json")]
    }
}
