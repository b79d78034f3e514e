/// An error of a WebSocket.
///
/// ```swift
/// do {
///     for try await message in socket.messages { show(message) }
/// } catch let error as WebSocketError where error.code == .closed {
///     print(error.closure?.code ?? .abnormalClosure)
/// } catch WebSocketError.Code.connectionLost {
///     // messages on the way may be lost, in both directions
/// }
/// ```
///
/// If there is no connection, or no response to the handshake, the error is a ``TransportError`` instead. The descriptions contain
/// no secrets, and nothing of what the server sent.
public struct WebSocketError: Error, Sendable {
    /// The kind of the failure.
    public let code: Code
    /// More details as text, never with content of a message, a header field or a body.
    public let reason: String
    /// How the WebSocket was closed, for ``Code/closed`` and other errors after the end; `nil` for others.
    public internal(set) var closure: WebSocketClosure?
    /// The request of the handshake, without its secrets; `nil` if it had no URL.
    public internal(set) var request: URLRequest?
    /// The head of the handshake's response, without its secrets; `nil` if the error is not about it.
    public internal(set) var response: ResponseHead?
    /// The beginning of the response's body, at most 64 KiB, for ``Code/handshakeRejected``; `nil` if there is none.
    public internal(set) var body: Data?
    /// Whether the server has certainly not opened the WebSocket, so that opening it again repeats nothing.
    ///
    /// `false` once it was open, because the server may have acted on messages.
    public internal(set) var isSafeToRetry = false

    /// Creates an error, for your own code and tests.
    ///
    /// - Parameters:
    ///   - code: The kind of the failure.
    ///   - reason: More details as text; the code's own text by default.
    ///   - closure: How the WebSocket was closed.
    public init(_ code: Code, reason: String? = nil, closure: WebSocketClosure? = nil) {
        self.code = code
        self.reason = reason ?? code.text
        self.closure = closure
        isSafeToRetry = [.handshakeRejected, .invalidHandshake, .unsupported, .invalidArgument].contains(code)
    }

    init(_ fault: Fault) {
        self.init(fault.code, reason: fault.reason)
    }

    /// A failure of an open WebSocket.
    struct Fault: Equatable {
        let code: Code
        let reason: String?

        init(_ code: Code, _ reason: String? = nil) {
            (self.code, self.reason) = (code, reason)
        }
    }
}

extension WebSocketError {
    /// The kind of a WebSocket's failure.
    ///
    /// Later versions may add codes: a `switch` over them needs a `default`.
    public struct Code: ErrorCode {
        package enum Storage: Int, Sendable, CaseIterable {
            case handshakeRejected = 1, invalidHandshake, unsupported
            case closed, connectionLost, protocolViolation, messageTooLarge, pingTimeout
            case invalidArgument, alreadyReading
        }

        package typealias Failure = WebSocketError
        package let storage: Storage

        package init(storage: Storage) { self.storage = storage }

        /// The server answered the handshake with something else than agreement; the error has the response.
        public static let handshakeRejected = Code(storage: .handshakeRejected)
        /// The server agreed with a response that is not valid (RFC 6455 §4.1).
        public static let invalidHandshake = Code(storage: .invalidHandshake)
        /// The transport cannot open WebSockets.
        public static let unsupported = Code(storage: .unsupported)
        /// The WebSocket is closed; ``WebSocketError/closure`` says how.
        public static let closed = Code(storage: .closed)
        /// The connection ended without a close frame.
        public static let connectionLost = Code(storage: .connectionLost)
        /// The server violated RFC 6455 or RFC 7692.
        public static let protocolViolation = Code(storage: .protocolViolation)
        /// A message is larger than ``WebSocketOptions/maximumMessageSize``.
        public static let messageTooLarge = Code(storage: .messageTooLarge)
        /// The server did not answer a ping in time.
        public static let pingTimeout = Code(storage: .pingTimeout)
        /// The program passed something that must not be sent.
        public static let invalidArgument = Code(storage: .invalidArgument)
        /// Two tasks read the messages of one WebSocket at the same time.
        public static let alreadyReading = Code(storage: .alreadyReading)
    }
}

extension WebSocketError: Redacted, CodedError {
    /// The error as a sentence, without secrets.
    public var description: String {
        var parts = [ErrorText.target(request), response.map { "status code \($0.statusCode.rawValue)" }]
        if let closure {
            parts.append("closed by the \(closure.initiator) with \(closure.code)")
        }
        return reason + ErrorText.context(parts, limit: nil)
    }

    /// The code and the error as a sentence, without secrets.
    public var debugDescription: String { "WebSocketError.\(code): \(description)" }

    package var failingURL: String? { request?.url.map { Redaction.standard.location(of: $0) } }

    /// The code and the error as a sentence, so that `dump` shows no secret and no body.
    package var shown: KeyValuePairs<String, Any> { ["code": code, "description": description] }
}
