#if os(Linux)
import PiuPiuEngine

/// A connection of a ``SocketEngine``, with what its exchanges and observers have to know.
final class SocketConnection: HTTP1Connection.Owner {
    /// What requests must have in common to share a connection.
    struct Key: Hashable {
        let profile: ObjectIdentifier
        let origin: String
        /// The caller's own credentials for the proxy that opened the tunnel; empty for none.
        let credentials: [UInt8]
    }

    let key: Key
    /// Keeps the profile as long as its identifier stands for it.
    let profile: SocketProfile
    let http: HTTP1Connection
    let openedAt: Int64
    /// Whether it is kept for the next exchange.
    var isIdle = false
    let local: SocketAddress?
    let remote: SocketAddress?
    /// What observers are told of the connection; `nil` if there are none.
    var monitor: ConnectionMonitor?
    private unowned let engine: SocketEngine

    init(_ opened: ConnectionOpener.Opened, for exchange: SocketExchange, _ engine: SocketEngine) {
        key = engine.key(of: exchange)
        profile = exchange.profile
        self.engine = engine
        openedAt = engine.reactor.now
        local = SocketAddress.local(of: opened.channel.descriptor)
        remote = SocketAddress.remote(of: opened.channel.descriptor)
        let preface = profile.proxyProtocol?.bytes(local: local, remote: remote) ?? []
        http = HTTP1Connection(opened.channel, engine.reactor, preface: preface)
        http.owner = self
    }

    /// The description for observers.
    func described(isReused: Bool) -> ObservedConnection {
        ObservedConnection(
            isReused: isReused,
            localAddress: local?.text,
            remoteAddress: remote?.text,
            httpVersion: "HTTP/1.1",
            proxy: profile.proxy.map { "\($0.kind)://\($0.location)" }
        )
    }

    func becameFree(_ connection: HTTP1Connection) { engine.becameFree(self) }

    func closed(_ connection: HTTP1Connection, wasIdle: Bool) { engine.closed(self, wasIdle: wasIdle) }
}
#endif
