import PiuPiuAsync
import PiuPiuTesting

/// A connection of a ``RawServer``.
///
/// Only the script reads; any thread may write and end the connection.
public final class RawConnection: Sendable {
    private enum Ending {
        case close, reset
    }

    private struct State {
        var ending: Ending?
        var hasFinishedSending = false
        var isReleased = false
    }

    /// The serial number of the connection; the first one is 1.
    public let number: Int
    private let socket: Int32
    private let wakeReader: Int32
    private let patience: Duration
    private let state = Locked(State())
    private let unread = Locked([UInt8]())

    init(_ number: Int, _ socket: Int32, _ wakeReader: Int32, _ patience: Duration) {
        self.number = number
        self.socket = socket
        self.wakeReader = wakeReader
        self.patience = patience
    }

    /// Reads what is there, and waits if nothing is.
    ///
    /// - Returns: At least one byte.
    /// - Throws: ``RawServer/Failure``.
    public func read() throws -> [UInt8] {
        let early = unread.withLock { unread in
            defer { unread = [] }
            return unread
        }
        guard early.isEmpty else { return early }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            if state.withLock({ $0.ending != nil }) { throw RawServer.Failure.closed }
            switch Sockets.receive(from: socket, into: &buffer) {
            case .bytes(let count): return Array(buffer.prefix(count))
            case .end: throw RawServer.Failure.ended
            case .failed: throw RawServer.Failure.closed
            case .wouldBlock: try wait(for: .readable)
            }
        }
    }

    /// Reads a number of bytes.
    ///
    /// - Parameter count: How many.
    /// - Returns: That many.
    /// - Throws: ``RawServer/Failure``.
    public func read(_ count: Int) throws -> [UInt8] {
        // Otherwise what was read before would be forgotten.
        guard count > 0 else { return [] }
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += try read() }
        let rest = Array(bytes.dropFirst(count))
        unread.withLock { $0 = rest }
        return Array(bytes.prefix(count))
    }

    /// Writes bytes, as one write if the system takes them.
    ///
    /// What is written after the end is dropped.
    ///
    /// - Parameter bytes: The bytes.
    public func write(_ bytes: [UInt8]) {
        state.withLock { state in
            guard state.ending == nil, !state.hasFinishedSending, !state.isReleased else { return }
            var offset = 0
            while offset < bytes.count {
                switch Sockets.transmit(bytes, from: offset, to: socket) {
                case .bytes(let count): offset += count
                case .wouldBlock: guard (try? wait(for: .writable)) != nil else { return }
                case .end, .failed: return
                }
            }
        }
    }

    /// Ends the sending direction.
    public func finishSending() {
        state.withLock { state in
            guard !state.hasFinishedSending, !state.isReleased else { return }
            state.hasFinishedSending = true
            Sockets.finishSending(socket)
        }
    }

    /// Closes the connection in an orderly way; the script finds it closed when it reads.
    public func close() {
        finishSending()
        end(with: .close)
    }

    /// Closes the connection with a reset (RST).
    public func reset() {
        end(with: .reset)
    }

    private func end(with ending: Ending) {
        state.withLock { state in
            guard state.ending == nil, !state.isReleased else { return }
            state.ending = ending
            Sockets.finishReceiving(socket)
        }
    }

    /// Releases the socket, after the script.
    func end() {
        finishSending()
        let ending = state.withLock { $0.ending }
        if ending != .reset {
            // Unread bytes would make a reset of the close, which can take from the client what it has not read yet.
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            discarding: while true {
                switch Sockets.receive(from: socket, into: &buffer) {
                case .bytes: continue
                case .wouldBlock where ending == nil:
                    let isReady = RawServer.isReady(socket, .readable, unless: wakeReader, for: .seconds(2))
                    guard isReady == true else { break discarding }
                default: break discarding
                }
            }
        }
        state.withLock { state in
            state.isReleased = true
            Sockets.end(socket, reset: state.ending == .reset)
        }
    }

    private func wait(for readiness: Poller.Readiness) throws {
        switch RawServer.isReady(socket, readiness, unless: wakeReader, for: patience) {
        case true?: return
        case false?: throw RawServer.Failure.closed
        case nil: throw RawServer.Failure.timeout
        }
    }
}
