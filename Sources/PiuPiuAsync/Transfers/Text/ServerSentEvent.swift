/// An event of a stream of server-sent events.
///
/// The format is that of the
/// [HTML standard](https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation).
public struct ServerSentEvent: Sendable, Hashable {
    /// The type of the event, from the `event` field; `message` if the server sent none.
    public var type: String
    /// The text of the event, from the `data` fields, each of which is one line.
    public var data: String
    /// The last identifier the server had sent when the event was complete, from the `id` field; empty without one.
    ///
    /// An event without an identifier keeps that of the previous event.
    public var id: String
    /// The time to wait before reconnecting, from a `retry` field of this event.
    ///
    /// At most 2³¹ − 1 milliseconds, which is almost 25 days, whatever the server sends.
    public var retry: Duration?

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - type: The type of the event.
    ///   - data: The text of the event.
    ///   - id: The last identifier the server sent.
    ///   - retry: The time to wait before reconnecting.
    public init(type: String = "message", data: String, id: String = "", retry: Duration? = nil) {
        self.type = type
        self.data = data
        self.id = id
        self.retry = retry
    }
}
