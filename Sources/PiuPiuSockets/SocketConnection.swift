#if os(Linux)
import Glibc
import PiuPiuEngine

/// A connection of a ``SocketEngine``, with the state that its exchanges and observers need.
final class SocketConnection: HTTPConnectionOwner, SharedConnection {
    /// The properties that requests must share to use the same connection.
    struct Key: Hashable {
        let profile: ObjectIdentifier
        let origin: String
        /// The caller's own credentials for the proxy that opened the tunnel; empty for none.
        let credentials: FieldList
        /// Whether HTTP/2 is not offered, even if the profile offers it.
        var isHTTP1Only = false
        /// Whether an HTTP proxy opened a tunnel for it, although requests without TLS need none.
        var isForTunnels = false
    }

    /// A place among the connections to a host, granted by the gate.
    struct Permit {
        let origin: String
        let isExclusive: Bool
    }

    let key: Key
    /// Keeps the profile alive while its identifier is in use.
    let profile: SocketProfile
    let http: HTTPConnection
    let openedAt: Int64
    /// Whether the pool keeps it for the next exchange.
    var isIdle = false
    /// The place that a shared connection holds while it carries exchanges; `nil` otherwise.
    var permit: Permit?
    let local: SocketAddress?
    let remote: SocketAddress?
    /// Reports the connection to observers; `nil` if there are none.
    var monitor: ConnectionMonitor?
    private unowned let engine: SocketEngine

    init(_ opened: ConnectionOpener.Opened, for exchange: SocketExchange, _ engine: SocketEngine) {
        key = exchange.key
        profile = exchange.profile
        self.engine = engine
        openedAt = engine.reactor.now
        local = SocketAddress.local(of: opened.channel.descriptor)
        remote = SocketAddress.remote(of: opened.channel.descriptor)
        let preface = profile.proxyProtocol?.bytes(local: local, remote: remote) ?? []
        let isHTTP2 = opened.channel.tls.map { $0.applicationProtocol == "h2" } ?? exchange.speaksHTTP2AtOnce
        http =
            isHTTP2
            ? HTTP2Connection(opened.channel, engine.reactor, preface: preface)
            : HTTP1Connection(opened.channel, engine.reactor, preface: preface)
        http.owner = self
    }

    /// The number of exchanges that may start now; 0 if the connection is too old.
    var room: Int { isOld ? 0 : http.room }

    var isOld: Bool {
        guard profile.maximumAge < .max else { return false }
        return engine.reactor.now - openedAt >= profile.maximumAge
    }

    /// The description for observers.
    func described(isReused: Bool) -> ObservedConnection {
        // A Unix socket has a path, not an address.
        let isIP = remote?.family != AF_UNIX
        return ObservedConnection(
            isReused: isReused,
            localAddress: isIP ? local?.text : nil,
            remoteAddress: isIP ? remote?.text : nil,
            httpVersion: http.isShared ? "HTTP/2" : "HTTP/1.1",
            proxy: profile.proxy.map { "\($0.kind)://\($0.location)" }
        )
    }

    func hasRoom(_ connection: HTTPConnection) { engine.hasRoom(self) }

    func closed(_ connection: HTTPConnection, wasIdle: Bool) { engine.closed(self, wasIdle: wasIdle) }
}
#endif
