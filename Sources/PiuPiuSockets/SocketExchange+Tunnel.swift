#if os(Linux)
import PiuPiuEngine

// An exchange that asks for a tunnel, and becomes one.
//
// The exchange keeps its connection, or its stream, until the tunnel ends: the end of the tunnel reads and writes through the
// functions that other exchanges use for their bodies.
extension SocketExchange {
    /// The tunnel that the request asks for; `nil` for most requests.
    var tunnel: Tunnel? { streams?.tunnel?.0 }

    /// The fields of HTTP/1.1 for the upgrade (RFC 9110 §7.8).
    var upgradeFields: FieldList {
        guard let tunnel else { return FieldList() }
        var fields = FieldList(capacity: 128)
        fields.append("Connection", "Upgrade")
        fields.append("Upgrade", tunnel.protocolName)
        return fields + tunnel.end.beginAttempt()
    }

    /// Restricts a request for a tunnel to HTTP/1.1, unless an open connection may carry it or HTTP/2 is preferred.
    ///
    /// - Parameter hasConnection: Whether a connection of HTTP/2 is open on which the server opens tunnels.
    func chooseTunnelVersion(hasConnection: Bool) {
        guard mayShare, let tunnel else { return }
        switch tunnel.http2 {
        case .preferred: break
        case .never: useHTTP1()
        case .ifOpen: if !hasConnection, !speaksHTTP2AtOnce { useHTTP1() }
        }
    }

    /// Whether the server has agreed to open the tunnel.
    var isTunnelGranted: Bool {
        guard isTunnelRequest else { return false }
        return sharedConnection == nil ? statusCode == 101 : (200..<300).contains(statusCode)
    }

    /// Opens the tunnel after the server agreed, and returns whether to go on.
    func openTunnel(_ head: HeadCollector) -> Bool {
        guard let (tunnel, line) = streams?.tunnel else { return false }
        let raw = RawHead(bytes: head.bytes)
        if let reason = tunnel.end.opened(raw, isHTTP2: sharedConnection != nil, line: line) {
            var failure = failure(.malformedHead)
            failure.reason = reason
            engine?.finish(self, .failure(failure))
            return false
        }
        isTunnelOpen = true
        timeline.open(now: now)
        engine?.deadlineMayHaveChanged(self)
        observed?.headArrived(StatusCode(rawValue: statusCode), raw)
        deliverHead(head)
        // An idle tunnel keeps little.
        self.head = nil
        return true
    }

    /// Passes on bytes of the open tunnel.
    func tunnelArrived(_ bytes: UnsafeRawBufferPointer) -> ReceiveResult {
        guard let tunnel else { return .stop }
        switch tunnel.end.received(bytes) {
        case .taken: break
        case .answered:
            hasTunnelOutput = true
            engine?.needsFlush(self)
        case .full: return .pause
        }
        bytesReceived += bytes.count
        return .proceed
    }

    /// Copies the next bytes of the open tunnel.
    func readTunnel(into buffer: UnsafeMutableRawBufferPointer) -> ContentPiece {
        guard isTunnelOpen, let tunnel else { return .pause }
        switch tunnel.end.read(into: buffer) {
        case .bytes(let count): return .bytes(count)
        case .none: return .pause
        case .end: return .end
        case .over:
            // The connection is closed in the next turn, after the last bytes were sent.
            streams?.tunnel?.line.cancel()
            return .pause
        }
    }

    /// Sends what the end of the tunnel answered in this turn.
    func flushTunnel() {
        guard hasTunnelOutput else { return }
        hasTunnelOutput = false
        if case .busy(let connection) = state { connection.http.resume(self, sending: true) }
    }

    /// Tells the end of the open tunnel that it is over.
    func endTunnel(_ outcome: ExchangeOutcome) {
        guard isTunnelOpen, let tunnel else { return }
        isTunnelOpen = false
        switch outcome {
        case .response, .head: tunnel.end.ended(nil)
        case .failure(let failure): tunnel.end.ended(failure.error(for: request.request))
        case .cancelled: tunnel.end.ended(CancellationError())
        }
    }
}
#endif
