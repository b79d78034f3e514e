#if os(Linux)
import Glibc

/// Makes a connected socket ready for requests: TLS with the proxy, the tunnel, and TLS with the server, each if required.
///
/// | State | Event | Next state |
/// |---|---|---|
/// | waiting | start | the first required stage; over, opened, if there is none |
/// | shaking hands with the proxy, or the server | the handshake is complete, and checked | the next stage; over, opened |
/// | shaking hands with the proxy, or the server | refused, or the connection ends | over, failed |
/// | asking for a tunnel | the proxy asks for another message | unchanged; its answer is read after the message is sent |
/// | asking for a tunnel | the tunnel is open | the next stage; over, opened |
/// | asking for a tunnel | refused, or the connection ends | over, failed |
/// | any but over | `close()` | over |
/// | over | any | over |
///
/// It takes no bytes after the proxy's last answer, because they belong to the tunnel. The completion is called once, and not
/// at all after ``close()``. After a failure, the socket is closed.
package final class ConnectionSetup: Pollable {
    /// Takes the time when TLS with the server was agreed, or 0 without TLS.
    typealias Completion = (Result<Int64, ConnectionOpener.Failure>) -> Void

    private enum Stage {
        case proxyTLS(ConnectionOpener.TLS)
        case tunnel(TunnelHandshake)
        case tls(ConnectionOpener.TLS)
    }

    private enum State {
        case waiting
        case shakingHands(TLSSession, isProxy: Bool)
        case askingForTunnel
        case over
    }

    /// The most bytes of an answer to read at a time.
    private static let readSize = 4096

    private let reactor: Reactor
    let channel: ByteChannel
    private var stages: [Stage]
    private var state = State.waiting
    private var tunnel: TunnelHandshake?
    private var securedAt: Int64 = 0
    /// When bytes last moved, or the socket was connected.
    private(set) var movedAt: Int64
    /// The message to the proxy; the bytes from ``sent`` on are still to be sent.
    private var message: [UInt8] = []
    private var sent = 0
    private var completion: Completion?

    /// Creates a setup.
    ///
    /// - Parameters:
    ///   - reactor: The reactor.
    ///   - descriptor: The socket, which the channel takes over.
    ///   - proxy: The parameters of the proxy; `nil` for none.
    ///   - tls: The parameters of TLS with the server; `nil` for none.
    init(
        _ reactor: Reactor,
        _ descriptor: Int32,
        _ proxy: ConnectionOpener.Proxy?,
        _ tls: ConnectionOpener.TLS?
    ) {
        self.reactor = reactor
        movedAt = reactor.now
        channel = ByteChannel(descriptor, tls: nil)
        stages = [proxy?.tls.map { .proxyTLS($0) }, proxy?.tunnel.map { .tunnel($0) }, tls.map { .tls($0) }]
            .compactMap { $0 }
        super.init()
    }

    /// Starts; the completion may be called before this returns.
    func start(_ completion: @escaping Completion) {
        self.completion = completion
        guard !stages.isEmpty else { return finish(.success(0)) }
        guard reactor.add(self, channel.descriptor, .writing) else {
            return fail(.socket(OpenFailure(code: errno, what: "watch a socket")))
        }
        advance()
    }

    /// Closes the socket; the completion is not called any more.
    func close() {
        completion = nil
        state = .over
        reactor.remove(self)
        channel.close()
    }

    /// The current step; `nil` after the last one.
    var step: ConnectionOpener.Step? {
        switch state {
        case .shakingHands(_, let isProxy): isProxy ? .proxyTLS : .tls
        case .askingForTunnel: .tunnel
        case .waiting, .over: nil
        }
    }

    package override func ready(_ readiness: Readiness) {
        movedAt = reactor.now
        switch state {
        case .shakingHands(let session, let isProxy): shakeHands(session, isProxy)
        case .askingForTunnel: converse()
        case .waiting, .over: break
        }
    }

    /// Starts the next stage.
    private func advance() {
        guard !stages.isEmpty else { return finish(.success(securedAt)) }
        switch stages.removeFirst() {
        case .proxyTLS(let tls): secure(tls, isProxy: true)
        case .tls(let tls): secure(tls, isProxy: false)
        case .tunnel(let handshake):
            state = .askingForTunnel
            message = handshake.firstMessage
            tunnel = handshake
            converse()
        }
    }

    // MARK: TLS

    private func secure(_ tls: ConnectionOpener.TLS, isProxy: Bool) {
        let session: TLSSession
        do throws(TLSReport) {
            session =
                if let lower = channel.tls {
                    try tls.context.session(
                        host: tls.host,
                        origin: tls.origin,
                        over: lower,
                        protocols: tls.protocols
                    )
                } else {
                    try tls.context.session(
                        host: tls.host,
                        origin: tls.origin,
                        descriptor: channel.descriptor,
                        input: reactor.tlsInput,
                        protocols: tls.protocols
                    )
                }
        } catch {
            return fail(isProxy ? .proxyTLS(.tls(error)) : .tls(.tls(error)))
        }
        channel.secure(session)
        state = .shakingHands(session, isProxy: isProxy)
        shakeHands(session, isProxy)
    }

    private func shakeHands(_ session: TLSSession, _ isProxy: Bool) {
        switch session.handshake() {
        case .done:
            if !isProxy { securedAt = Reactor.clock() }
            advance()
        case .wouldBlock(let writes): watch(writes ? .writing : .reading)
        case .failed(let failure): fail(isProxy ? .proxyTLS(failure) : .tls(failure))
        }
    }

    // MARK: The tunnel

    private func converse() {
        // A connection may still be processing the bytes in the shared input buffer.
        guard !reactor.isInputInUse else { return reactor.serveAgain(self) }
        while true {
            guard send() else { return }
            var step: TunnelHandshake.Step?
            let room = UnsafeMutableRawBufferPointer(rebasing: reactor.input[..<Self.readSize])
            let result = channel.offer(room) { step = tunnel?.receive(&$0) }
            switch result {
            case .bytes(let count): if count == 0, step == .needsMore { step = nil }
            case .wouldBlock: return watch(.reading)
            case .wouldBlockOpposite: return watch(.writing)
            case .end: return fail(.tunnel(tunnel?.failureOfEnd ?? .closed))
            case .failed(let failure): return fail(.tunnelBroken(failure))
            }
            switch step {
            case .needsMore: continue
            case .write(let bytes): (message, sent) = (bytes, 0)
            case .done:
                tunnel = nil
                return advance()
            case .failed(let failure): return fail(.tunnel(failure))
            case nil: return fail(.tunnel(.closed))
            }
        }
    }

    /// Sends the rest of the message, and returns whether the answer can be read.
    private func send() -> Bool {
        while sent < message.count {
            let result = message.withUnsafeBytes { channel.write(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
            switch result {
            case .bytes(let count): sent += count
            case .wouldBlock:
                watch(.writing)
                return false
            case .wouldBlockOpposite:
                watch(.reading)
                return false
            // Still read the answer that the proxy sent before it closed the connection.
            case .end, .failed: sent = message.count
            }
        }
        message = []
        sent = 0
        return true
    }

    // MARK: The end

    private func watch(_ interest: Interest) {
        guard !reactor.watch(self, interest) else { return }
        fail(.socket(OpenFailure(code: errno, what: "watch a socket")))
    }

    private func fail(_ failure: ConnectionOpener.Failure) {
        reactor.remove(self)
        channel.close()
        finish(.failure(failure))
    }

    private func finish(_ result: Result<Int64, ConnectionOpener.Failure>) {
        state = .over
        reactor.remove(self)
        completion.take()?(result)
    }
}
#endif
