/// A fault of the server that ends a WebSocket connection.
package struct WebSocketViolation: Error, Equatable, Sendable {
    /// The code of the close frame that reports the fault to the server.
    package let closeCode: WebSocketCloseCode
    /// What the server did, as a sentence without content of the server's.
    package let text: String

    package init(closeCode: WebSocketCloseCode, text: StaticString) {
        self.closeCode = closeCode
        self.text = "\(text)"
    }
}

extension WebSocketViolation {
    /// A violation of RFC 6455 or of RFC 7692.
    static func protocolError(_ text: StaticString) -> WebSocketViolation {
        WebSocketViolation(closeCode: .protocolError, text: text)
    }

    static let invalidText = WebSocketViolation(
        closeCode: .invalidPayload,
        text: "The server sent a text that is not UTF-8."
    )
    static let invalidReason = WebSocketViolation(
        closeCode: .invalidPayload,
        text: "The server sent a reason for closing that is not UTF-8."
    )
    static let malformedCompression = WebSocketViolation(
        closeCode: .invalidPayload,
        text: "The server sent a compressed message that cannot be decompressed."
    )
    static let incompleteCompression = WebSocketViolation(
        closeCode: .invalidPayload,
        text: "The server sent a compressed message that is incomplete."
    )
    static let messageTooBig = WebSocketViolation(
        closeCode: .messageTooBig,
        text: "The server sent a message that is larger than the limit."
    )
    static let emptyFragments = WebSocketViolation(
        closeCode: .policyViolation,
        text: "The server sent too many empty fragments of a message."
    )
    static let outOfMemory = WebSocketViolation(
        closeCode: .internalError,
        text: "There is not enough memory for the message."
    )
}
