/// A message of a WebSocket, as observers see it.
///
/// Descriptions and dumps show only its kind and size.
public struct ObservedMessage: Sendable, Hashable {
    /// The direction of a message.
    public enum Direction: Sendable, Hashable {
        case sent, received
    }

    /// Whether the client sent or received it.
    public let direction: Direction
    /// Whether it is a text; otherwise, it is binary.
    public let isText: Bool
    /// The size of its content in bytes, without compression.
    public let byteCount: Int
    /// The first bytes, at most as many as ``ExchangeObserver/bodyLimit``; they may contain anything, including secrets.
    public let beginning: Data

    /// Creates a description of a message.
    ///
    /// - Parameters:
    ///   - direction: Whether the client sent or received it.
    ///   - isText: Whether it is a text.
    ///   - byteCount: The size of its content in bytes.
    ///   - beginning: The first bytes.
    public init(_ direction: Direction, isText: Bool, byteCount: Int, beginning: Data = Data()) {
        (self.direction, self.isText, self.byteCount, self.beginning) = (direction, isText, byteCount, beginning)
    }
}

extension ObservedMessage: Redacted {
    /// The direction, the kind and the size.
    package var shown: KeyValuePairs<String, Any> {
        ["direction": direction, "kind": isText ? "text" : "binary", "size": byteCount]
    }
}
