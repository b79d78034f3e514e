#if os(Linux)
/// Learns of a connection's changes.
package protocol HTTPConnectionOwner: AnyObject {
    /// An exchange has left the connection, or there is more room than before, so another exchange may begin.
    func hasRoom(_ connection: HTTPConnection)
    /// The connection was closed; `wasIdle` says whether it carried no exchange.
    func closed(_ connection: HTTPConnection, wasIdle: Bool)
}

/// A connection that carries exchanges, one at a time or many.
///
/// Every exchange that begins on it ends once, in ``HTTPExchange/ended(_:hasBegun:_:)``, unless its owner gives it up with
/// ``abandon(_:)``.
package class HTTPConnection: Pollable {
    package final let reactor: Reactor
    package final let channel: ByteChannel
    /// The connection's owner; set before the first exchange begins.
    package final weak var owner: (any HTTPConnectionOwner)?
    /// The number of exchanges that began on the connection.
    package final internal(set) var exchangeCount = 0

    init(_ channel: ByteChannel, _ reactor: Reactor) {
        self.channel = channel
        self.reactor = reactor
        super.init()
    }

    /// Whether the connection was closed.
    package final var isClosed: Bool { channel.descriptor < 0 }

    /// Whether several exchanges share the connection.
    package var isShared: Bool { false }

    /// Whether the connection carries an exchange.
    package var isBusy: Bool { false }

    /// How many more exchanges may begin now.
    package var room: Int { isBusy || isClosed ? 0 : 1 }

    /// Whether the server is known to open tunnels in place of exchanges; a connection that is not shared may always try.
    package var allowsTunnels: Bool { true }

    /// How long the server keeps the connection, in seconds, according to its last response; `nil` if the response does not
    /// say.
    package var keepAliveSeconds: Int? { nil }

    /// Whether an idle connection is still usable.
    package func isAlive() -> Bool { !isClosed }

    /// Begins an exchange, if there is room.
    package func begin(_ exchange: any HTTPExchange) {}

    /// Records that an exchange is about to be given up because its time ran out.
    package func noteLate(_ exchange: any HTTPExchange) {}

    /// Drops an exchange without calling it; does nothing if the connection does not carry it.
    package func abandon(_ exchange: any HTTPExchange) {}

    /// Resumes an exchange after a pause for the caller.
    package func resume(_ exchange: any HTTPExchange, sending: Bool) {}

    /// Gives up sending a request whose response is complete, which ends the exchange.
    package func stopSending(_ exchange: any HTTPExchange) {}

    /// Closes an idle connection.
    package func closeIdle() {}
}
#endif
