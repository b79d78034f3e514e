/// A request that an ``HTTP2Script`` answers, with all that can be sent on its stream.
public struct HTTP2Exchange: Sendable {
    /// The request.
    public let request: HTTP2Request
    /// The connection it came over.
    public let peer: HTTP2Peer
    let record: Observed<HTTP2Script.Record>

    /// Sends a whole response at once.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - fields: Its fields.
    ///   - body: Its body; without one, the stream ends with the head.
    public func respond(_ status: Int = 200, _ fields: [HTTP2Field] = [], body: String = "") {
        peer.together {
            head(status, fields, ends: body.isEmpty)
            if !body.isEmpty { data(Array(body.utf8), ends: true) }
        }
    }

    /// Sends a head, in several frames if it is large.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - fields: Its fields.
    ///   - ends: Whether the stream ends with it.
    public func head(_ status: Int = 200, _ fields: [HTTP2Field] = [], ends: Bool = false) {
        peer.send(head: [HTTP2Field(":status", "\(status)")] + fields, on: request.stream, ends: ends)
    }

    /// Sends a part of the body, as soon as the client has room for it.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - ends: Whether the stream ends with them.
    public func data(_ bytes: [UInt8], ends: Bool = false) {
        peer.send(data: bytes, on: request.stream, ends: ends)
    }

    /// Sends trailers, which end the stream.
    ///
    /// - Parameter fields: The fields.
    public func trailers(_ fields: [HTTP2Field]) {
        peer.send(head: fields, on: request.stream, ends: true)
    }

    /// Resets the stream, after the data that was sent before.
    ///
    /// - Parameter code: Why.
    public func reset(_ code: HTTP2ErrorCode) {
        let payload = HTTP2Frame.bytes(code.rawValue)
        peer.send(HTTP2Frame(.resetStream, stream: request.stream, payload: payload))
    }

    /// Goes on when ``HTTP2Script/release(_:)`` opens a gate, or at once if it is open.
    ///
    /// - Parameters:
    ///   - gate: The gate's name.
    ///   - body: What to do then, on the thread that opens the gate.
    public func hold(_ gate: String, _ body: @escaping @Sendable (HTTP2Exchange) -> Void) {
        let isOpen = record.update { record in
            if record.openGates.contains(gate) { return true }
            record.held[gate, default: []].append { body(self) }
            return false
        }
        if isOpen { body(self) }
    }
}
