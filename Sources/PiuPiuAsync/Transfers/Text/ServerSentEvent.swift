/// An event of a stream of server-sent events.
///
/// The format is that of the
/// [HTML standard](https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation).
public struct ServerSentEvent: Sendable, Hashable {
    /// What kind of event it is, from the field `event`; `message` where the server named none.
    public var type: String
    /// The event's text, from the fields `data`, each of which is a line of it.
    public var data: String
    /// The last identifier the server had sent when the event was complete, from the field `id`; empty without one.
    ///
    /// An event that has no identifier of its own keeps that of the event before.
    public var id: String
    /// How long to wait before connecting again, from a field `retry` of this event.
    ///
    /// At most 2³¹ − 1 milliseconds, which is almost 25 days, whatever the server sends.
    public var retry: Duration?

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - type: What kind of event it is.
    ///   - data: The event's text.
    ///   - id: The last identifier the server sent.
    ///   - retry: How long to wait before connecting again.
    public init(type: String = "message", data: String, id: String = "", retry: Duration? = nil) {
        self.type = type
        self.data = data
        self.id = id
        self.retry = retry
    }
}
