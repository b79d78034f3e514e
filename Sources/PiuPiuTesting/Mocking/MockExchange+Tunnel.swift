import PiuPiuAsync

#if WebSockets
extension MockExchange {
    /// Opens a tunnel, and passes its bytes on until it ends.
    func open(
        _ tunnel: Tunnel,
        _ script: MockWebSocketScript,
        _ answer: MockAnswer,
        to received: MockRequest,
        arrivedAt: Int64
    ) async throws {
        let metrics = try await waitForTunnel(answer.delay, arrivedAt: arrivedAt)
        let peer = script.peer()
        guard peer.take(received, core.clock) else { throw MockWebSocketClosedError() }
        let headers = script.head(answering: received, answer)
        let head = ResponseHead(
            url: received.url,
            statusCode: StatusCode(rawValue: 101),
            httpVersion: answer.httpVersion,
            headers: headers,
            metrics: metrics,
            informational: answer.informational
        )
        let mock = MockTunnel(peer, tunnel.end)
        if let reason = tunnel.end.opened(Self.raw(headers), isHTTP2: false, line: mock.line) {
            throw request.error(.malformedHead, reason: reason, response: head)
        }
        core.webSockets.withLock { $0.append(peer) }
        var failure: (any Error)?
        do {
            try giveTunnel(head) { mock.cancel() }
            failure = await mock.run(script.play)
        } catch {
            failure = error
        }
        if let error = failure as? TransportError { failure = request.error(error.code, response: head) }
        mock.finish()
        end(failure.map { .failure($0) } ?? .bodyEnd)
        tunnel.end.ended(failure)
    }

    private static func raw(_ headers: HTTPHeaderFields) -> RawHead {
        let lines = headers.map { "\($0.name): \($0.value)\r\n" }
        return RawHead(bytes: Array(("HTTP/1.1 101 Switching Protocols\r\n" + lines.joined()).utf8))
    }
}
#endif

extension Tunnel {
    /// The fields of a request over HTTP/1.1 that asks for the tunnel (RFC 9110 §7.8).
    func upgradeFields() -> HTTPHeaderFields {
        var fields: HTTPHeaderFields = ["Connection": "Upgrade"]
        fields.append(name: "Upgrade", value: protocolName)
        return fields + RawHead(bytes: Array("HTTP/1.1 101\r\n".utf8) + end.beginAttempt().lines).fields
    }
}
