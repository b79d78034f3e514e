/// An event of a dispatcher's connection.
public struct ConnectionEvent: Sendable {
    /// The kind of event.
    ///
    ///     opened ─▶ becameIdle ⇄ becameActive ─▶ closed
    ///
    /// An open connection carries one or several exchanges, and is idle without any. It can be closed in either state. Each
    /// connection that was opened is closed once, at the latest when the dispatcher is shut down or released.
    public enum Kind: Sendable, Hashable {
        /// An exchange opened the connection, which is ready to carry it.
        case opened
        /// The last of its exchanges ended.
        case becameIdle
        /// An exchange uses it again.
        case becameActive
        /// The connection was closed, by either side.
        ///
        /// - Parameter wasIdle: Whether it carried no exchange.
        case closed(wasIdle: Bool)
    }

    /// A number that no other connection of the same dispatcher has.
    public let id: Int
    /// The scheme, host and port of the first exchange's URL, such as `https://example.com:443`.
    ///
    /// Exchanges with other origins can share the connection to an HTTP proxy.
    public let origin: String
    /// The connection.
    public let connection: ObservedConnection
    /// The kind of event.
    public let kind: Kind
}

extension ConnectionEvent: Redacted {
    /// The number, the origin and the kind.
    package var shown: KeyValuePairs<String, Any> {
        ["id": id, "origin": origin, "connection": connection, "kind": "\(kind)"]
    }
}

/// Reports the events of a connection to the observers of the exchange that opened it.
package final class ConnectionMonitor {
    private let opened: ConnectionEvent
    // Created once, because they occur for each exchange.
    private let becameIdle: ConnectionEvent
    private let becameActive: ConnectionEvent
    /// The description for exchanges that reuse the connection.
    package let reused: ObservedConnection
    private let observers: ObserverList

    package init(_ connection: ObservedConnection, to origin: String, _ observers: ObserverList) {
        let id = observers.takeConnectionID()
        opened = ConnectionEvent(id: id, origin: origin, connection: connection, kind: .opened)
        becameIdle = ConnectionEvent(id: id, origin: origin, connection: connection, kind: .becameIdle)
        becameActive = ConnectionEvent(id: id, origin: origin, connection: connection, kind: .becameActive)
        var reused = connection
        reused.isReused = true
        self.reused = reused
        self.observers = observers
    }

    package func reportOpened() { observers.report(opened) }

    package func reportIdle() { observers.report(becameIdle) }

    package func reportActive() { observers.report(becameActive) }

    package func reportClosed(wasIdle: Bool) {
        let (id, origin, connection) = (opened.id, opened.origin, opened.connection)
        observers.report(
            ConnectionEvent(id: id, origin: origin, connection: connection, kind: .closed(wasIdle: wasIdle))
        )
    }
}
