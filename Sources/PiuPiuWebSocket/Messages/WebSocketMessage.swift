/// A message of a WebSocket connection (RFC 6455 §5.6).
///
/// A message is whole: the frames in which it arrives or leaves are not visible. Its description shows the kind and the
/// size, never the content.
public enum WebSocketMessage: Sendable, Hashable {
    /// A text, which is sent in UTF-8.
    case text(String)
    /// Bytes, whose meaning the server and the client agree on.
    case binary(Data)
}

extension WebSocketMessage {
    /// The size of the content, in bytes; that of a text is the size of its UTF-8.
    public var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let data): data.count
        }
    }

    /// The text; `nil` if the message is binary.
    public var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    /// The bytes of the content; those of a text are its UTF-8.
    public var data: Data {
        switch self {
        case .text(let text): Data(text.utf8)
        case .binary(let data): data
        }
    }
}

extension WebSocketMessage: Redacted {
    /// The kind and the size.
    package var shown: KeyValuePairs<String, Any> {
        switch self {
        case .text: ["text": "\(byteCount) bytes"]
        case .binary: ["binary": "\(byteCount) bytes"]
        }
    }
}
