#if WebSockets
import PiuPiuAsync

/// The transport's side of a tunnel to a ``MockWebSocket``: passes bytes between the client's code and the peer.
///
/// One task runs it, so that all calls of the client's code come one at a time.
final class MockTunnel: Sendable {
    private struct State {
        var isWoken = false
        var isCancelled = false
        var sleeper: CheckedContinuation<Void, Never>?
    }

    private static let pieceSize = 64 * 1024

    private let peer: MockWebSocket
    private let end: any TunnelEnd
    private let state = Locked(State())

    init(_ peer: MockWebSocket, _ end: any TunnelEnd) {
        self.peer = peer
        self.end = end
    }

    /// The way back from the client's code.
    var line: TunnelLine {
        TunnelLine(
            wake: { [weak self] in self?.wake() },
            resume: { [weak self] in self?.wake() },
            cancel: { [weak self] in self?.cancel() }
        )
    }

    /// Ends the tunnel as soon as the task runs again.
    func cancel() { wake { $0.isCancelled = true } }

    private func wake(_ change: (inout State) -> Void = { _ in }) {
        let sleeper = state.withLock { state in
            change(&state)
            if state.sleeper == nil { state.isWoken = true }
            return state.sleeper.take()
        }
        sleeper?.resume()
    }

    /// Passes bytes on until the tunnel ends; returns the failure, or `nil` if the peer closed it.
    func run(_ play: @escaping @Sendable (MockWebSocket) async -> Void) async -> (any Error)? {
        peer.open { [weak self] in self?.wake() }
        let script = Task { [peer] in await play(peer) }
        defer { script.cancel() }
        while true {
            if state.withLock({ $0.isCancelled }) || isOver() { return CancellationError() }
            switch deliver() {
            case .open: break
            case .closed: return nil
            case .dropped: return TransportError(.connectionLost)
            }
            await sleep()
        }
    }

    /// Ends the peer.
    func finish() { peer.ended() }

    private func sleep() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let goesOn = state.withLock { state in
                defer { state.isWoken = false }
                if !state.isWoken { state.sleeper = continuation }
                return state.isWoken
            }
            if goesOn { continuation.resume() }
        }
    }

    /// Passes on what the client sends, and returns whether it wants nothing more.
    private func isOver() -> Bool {
        withUnsafeTemporaryAllocation(byteCount: Self.pieceSize, alignment: 8) { buffer in
            while true {
                switch end.read(into: buffer) {
                case .bytes(let count): peer.arrived(buffer[..<count])
                case .none, .end: return false
                case .over: return true
                }
            }
        }
    }

    /// Passes on what the peer sends, as far as the client takes it.
    private func deliver() -> MockWebSocket.Connection {
        while true {
            let (piece, connection) = peer.next(Self.pieceSize)
            guard let piece else { return connection }
            switch piece.withUnsafeBytes({ end.received($0) }) {
            case .full: return .open
            case .taken: break
            case .answered: if isOver() { return .dropped }
            }
            peer.taken(piece.count)
        }
    }
}
#endif
