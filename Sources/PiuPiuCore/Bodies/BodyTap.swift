/// Keeps the beginning of a body while it passes, for the observers of an exchange.
///
/// The body of a request can be read several times, for example because its connection failed. Each reading is a pass, which
/// starts over; data from an older pass is ignored.
///
///     begin ─▶ take* ─▶ finish?
///       ▲                │
///       └────────────────┘
///
/// The body of a response passes once, and its reader knows where it ends.
package final class BodyTap: Sendable {
    private struct State {
        var beginning: BodyBeginning
        var pass = 0
        /// The declared number of bytes; `nil` if it is unknown.
        var length: Int64?
        var isFinished = false
    }

    private let state: Locked<State>

    /// Creates a tap on a body, with the maximum number of bytes to keep.
    init(limit: Int) {
        state = Locked(State(beginning: BodyBeginning(limit: limit)))
    }

    /// The bytes that have passed, and whether they are the whole body.
    ///
    /// A reader that knows the length may not ask for the end.
    var seen: (beginning: BodyBeginning, isComplete: Bool) {
        state.withLock { ($0.beginning, $0.isFinished || $0.length == Int64($0.beginning.size)) }
    }

    /// Starts a pass of a request's body with its declared length, and returns the number of the pass.
    func begin(length: Int64?) -> Int {
        state.withLock { state in
            state.beginning.restart()
            state.isFinished = false
            state.length = length
            state.pass += 1
            return state.pass
        }
    }

    /// Adds the next bytes of a pass.
    func take(_ bytes: UnsafeRawBufferPointer, in pass: Int) {
        state.withLock { if $0.pass == pass { $0.beginning.append(bytes) } }
    }

    /// Records that a pass reached the end.
    func finish(_ pass: Int) {
        state.withLock { if $0.pass == pass { $0.isFinished = true } }
    }

    /// Records a body that is sent in one piece.
    package func take(all data: Data) {
        let pass = begin(length: Int64(data.count))
        data.withUnsafeBytes { take($0, in: pass) }
    }
}

extension BodyTap: BodyObserver {
    package func observe(_ chunk: Data) {
        state.withLock { $0.beginning.append(chunk) }
    }

    package func finish() async throws {}

    package func fail(_ error: any Error) {}

    package func close() {}
}
