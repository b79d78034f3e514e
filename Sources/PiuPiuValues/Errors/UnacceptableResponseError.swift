/// An error for a response that a ``Validation`` does not accept.
///
/// `validated()` throws it. A `catch` clause can name the status code alone:
///
/// ```swift
/// do {
///     show(try await dispatcher.data(for: request).validated(.json).decode(Post.self))
/// } catch StatusCode.notFound {
///     show("There is no such post.")
/// } catch let error as UnacceptableResponseError {
///     let problem = try? error.decode(Problem.self)
///     show(problem?.message ?? "\(error)")
/// }
/// ```
///
/// Its descriptions show no secrets and no body. The body is unchanged.
public struct UnacceptableResponseError: Error, Sendable {
    /// The maximum number of bytes of a body to keep: 64 KiB.
    package static let bodyLimit = 64 * 1024

    /// The unacceptable part of the response.
    public let code: Code
    /// The request, without its secrets and its body; `nil` if it is unknown or has no URL.
    public let request: URLRequest?
    /// The head of the response, without its secrets.
    public let response: ResponseHead
    /// The beginning of the response's body, at most 64 KiB; `nil` if there is none, or if it was not received as data.
    public let body: Data?
    /// Whether ``body`` is the whole body; `true` if the response has none.
    public let isBodyComplete: Bool
    /// The attempts that policies made before the response reached the caller, oldest first, and at least one.
    public package(set) var attempts: [Attempt] = [.first]
    /// How long the call took, including all attempts and redirects; `nil` if no dispatcher measured it.
    ///
    /// Dispatchers measure it for a status code of 400 or more, and for a response that took several attempts.
    public package(set) var elapsed: Duration?
    /// Whether the call of the error has ended, so that no other call must complete it.
    private var isComplete = false
    /// Whether this is the error of a refresh that a retry policy inside the refresh gave up on.
    package var isGivenUp = false

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The unacceptable part of the response.
    ///   - request: The request. Secrets are removed from it.
    ///   - response: The head of the response. Secrets are removed from it, even if it repeats those of the request.
    ///   - body: The response's body, of which the error keeps the first 64 KiB.
    ///   - isBodyComplete: Whether `body` is the whole body.
    ///   - sensitiveHeaders: Names of secret header fields, in addition to the standard ones.
    public init(
        _ code: Code,
        request: URLRequest? = nil,
        response: ResponseHead,
        body: Data? = nil,
        isBodyComplete: Bool = true,
        sensitiveHeaders: [String] = []
    ) {
        let redaction = Redaction(additionalNames: sensitiveHeaders)
        self.code = code
        self.request = request.flatMap { redaction.request($0) }
        self.response = redaction.head(response, answering: request)
        // Copied, so that a stored error does not keep a large body in memory.
        self.body = body.map { $0.count > Self.bodyLimit ? Data(Array($0.prefix(Self.bodyLimit))) : $0 }
        self.isBodyComplete = isBodyComplete && body?.count ?? 0 <= Self.bodyLimit
    }

    package init(_ code: Code, _ head: ResponseHead, _ body: Data?, isBodyComplete: Bool) {
        self.init(
            code,
            request: head.record.urlRequest,
            response: head,
            body: body,
            isBodyComplete: isBodyComplete,
            sensitiveHeaders: head.record.values.sensitiveHeaders
        )
        attempts = head.record.attempts
        elapsed = head.record.values.elapsed
        isComplete = true
    }

    /// Adds the data that only the dispatcher has, unless the error belongs to another call.
    package mutating func complete(attempts: [Attempt]?, elapsed: Duration?) {
        guard !isComplete else { return }
        isComplete = true
        if let attempts { self.attempts = attempts }
        self.elapsed = elapsed
    }

    /// Adds the attempts of one of the requests of a call, unless the error belongs to another call.
    package mutating func note(_ attempts: [Attempt]) {
        if !isComplete { self.attempts = attempts }
    }

    /// The status code of the response.
    public var statusCode: StatusCode { response.statusCode }

    /// The error that the status code represents; `nil` for 1xx, 2xx and 3xx.
    public var httpError: HTTPError? { statusCode.httpError }

    /// Decodes the body from JSON.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder; not that of the dispatcher's ``RequestDefaults`` unless you pass it.
    /// - Returns: The value.
    /// - Throws: ``ResponseError/unexpectedEmptyResponse`` if there is no body, or the decoder's error unchanged, which is
    ///   likely if the body is not complete.
    public func decode<D: Decodable>(_ type: D.Type, using decoder: JSONDecoder = JSONDecoder()) throws -> D {
        guard let body else { throw ResponseError.unexpectedEmptyResponse }
        return try decoder.decodeGuarded(type, from: body)
    }
}

extension UnacceptableResponseError {
    /// The unacceptable part of a response.
    ///
    /// Later versions may add codes: a `switch` over them needs a `default`.
    public struct Code: ErrorCode {
        package enum Storage: Int, Sendable, CaseIterable {
            case statusCode = 1, contentType
        }

        package typealias Failure = UnacceptableResponseError
        package let storage: Storage

        package init(storage: Storage) { self.storage = storage }

        /// The ``Validation`` does not accept the status code.
        public static let statusCode = Code(storage: .statusCode)
        /// The `Content-Type` is missing, or the ``Validation`` does not accept it.
        public static let contentType = Code(storage: .contentType)

        /// Returns the error as text, for a head without secrets.
        fileprivate func text(of head: ResponseHead) -> String {
            switch storage {
            case .statusCode: return "A response with status code \(head.statusCode.rawValue) is not acceptable"
            case .contentType:
                guard let type = head.firstValue(of: "Content-Type") else {
                    return "The response has no Content-Type"
                }
                // The server chose the value, so limit it to what fits in a log line.
                return "A response with the Content-Type \(PrintableText.escape(type)) is not acceptable"
            }
        }
    }
}

extension UnacceptableResponseError.Code {
    package var words: ErrorWords {
        switch storage {
        case .statusCode:
            .init(
                "A response with that status code is not acceptable",
                "The server refused the request (4xx), failed to answer it (5xx), or answered in another way than expected.",
                "Read the body of the error, which often says why. If the code is expected, accept it.",
                setting: "validated(.statusCodes(_:))"
            )
        case .contentType:
            .init(
                "A response with that Content-Type, or without one, is not acceptable",
                "A proxy, a login page or an error page answered instead of the API.",
                "Look at the body of the error. If the type is expected, accept it.",
                setting: "validated(_:)"
            )
        }
    }
}

extension UnacceptableResponseError: Redacted, CodedError {
    /// The error as a sentence, without secrets and without the body.
    public var description: String {
        let time = ErrorText.elapsed(elapsed, attempts: attempts.count)
        return code.text(of: response) + ErrorText.context([ErrorText.target(request), time])
    }

    /// The code and the error as a sentence, without secrets and without the body.
    public var debugDescription: String { "UnacceptableResponseError.\(code): \(description)" }

    package var failingURL: String? { request?.url.map { Redaction.standard.location(of: $0) } }

    /// The code and the error as a sentence, so that `dump` shows no secret and no body.
    package var shown: KeyValuePairs<String, Any> {
        [
            "code": code, "statusCode": statusCode.rawValue, "description": description,
            "body": "\(body?.count ?? 0) bytes",
        ]
    }
}
