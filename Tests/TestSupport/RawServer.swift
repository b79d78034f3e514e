import Foundation
import PiuPiuAsync
import PiuPiuTesting

/// A server on 127.0.0.1 that knows no protocol: a closure reads and writes the bytes of each connection.
///
/// For HTTP/1.1, broken or not, `LoopbackServer` is simpler; this is for what it cannot parse. Every connection has a
/// thread of its own, and nothing waits longer than the server's patience.
public final class RawServer: Sendable {
    /// Why reading did not succeed.
    public enum Failure: Error {
        /// Nothing came for too long.
        case timeout
        /// The client ended its sending direction before.
        case ended
        /// The connection was closed or reset, or the server was stopped.
        case closed
    }

    /// What a connection is served with; the connection is closed when it returns or throws.
    public typealias Script = @Sendable (RawConnection) throws -> Void

    private struct State {
        var threads = 0
        var accepted = 0
        var isStopped = false
    }

    /// The port the system chose.
    public let port: Int
    private let listener: Int32
    private let wakeReader: Int32
    private let wakeWriter: Int32
    private let patience: Duration
    private let state = Observed(State())

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - patience: How long reading or writing may take.
    ///   - script: Serves a connection, on its thread.
    /// - Throws: An error if the system refuses a socket.
    public init(patience: Duration = .seconds(60), _ script: @escaping Script) throws {
        Sockets.raiseDescriptorLimit()
        let pipe = try Sockets.makePipe()
        (wakeReader, wakeWriter) = (pipe.reader, pipe.writer)
        (listener, port) = try Sockets.listen(backlog: 4096)
        self.patience = patience
        let context = (listener: listener, wakeReader: wakeReader, patience: patience, state: state)
        state.update { $0.threads += 1 }
        Self.startThread("RawServer", state) {
            // A signal can interrupt the wait: only the server's end ends it.
            while Self.isReady(context.listener, .readable, unless: context.wakeReader, for: nil) != false {
                while case .socket(let socket) = Sockets.acceptConnection(from: context.listener) {
                    let number = context.state.update { state in
                        state.threads += 1
                        state.accepted += 1
                        return state.accepted
                    }
                    let connection = RawConnection(number, socket, context.wakeReader, context.patience)
                    Self.startThread("RawServer \(number)", context.state) {
                        try? script(connection)
                        connection.end()
                    }
                }
            }
        }
    }

    deinit {
        stop()
    }

    /// How many connections were accepted.
    public var acceptedConnections: Int { state.value.accepted }

    /// Waits until connections were accepted.
    ///
    /// - Parameter count: How many.
    /// - Returns: `false` if the task is cancelled before.
    @discardableResult
    public func waitForConnections(_ count: Int) async -> Bool {
        await state.wait { $0.accepted >= count }
    }

    /// Closes everything and returns when all threads have ended; later calls do nothing.
    ///
    /// A script must not call it.
    public func stop() {
        let wasStopped = state.update { state in
            defer { state.isStopped = true }
            return state.isStopped
        }
        guard !wasStopped else { return }
        // The other end becomes readable for every thread, for good.
        Sockets.end(wakeWriter)
        _ = state.block(for: .seconds(30)) { $0.threads == 0 }
        Sockets.end(listener)
        Sockets.end(wakeReader)
    }

    private static func startThread(_ name: String, _ state: Observed<State>, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread {
            body()
            state.update { $0.threads -= 1 }
        }
        thread.name = name
        thread.stackSize = 512 << 10
        thread.start()
    }

    /// Waits for a socket; `nil` if that takes too long, `false` if the server was stopped.
    static func isReady(
        _ socket: Int32,
        _ readiness: Poller.Readiness,
        unless wakeReader: Int32,
        for patience: Duration?
    ) -> Bool? {
        var poller = Poller()
        poller.append(socket, readiness)
        poller.append(wakeReader, .readable)
        let ready = poller.wait(milliseconds: patience.map { Int32($0 / .milliseconds(1)) } ?? -1)
        if ready.contains(where: { $0.slot == 1 }) { return false }
        return ready.isEmpty ? nil : true
    }
}
