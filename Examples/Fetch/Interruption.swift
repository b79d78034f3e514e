import PiuPiuAsync

/// Turns Ctrl-C and SIGTERM into a cancellation, and a second one into the end of the process.
///
/// Before anything was sent, the first one ends the process too: nothing is lost then, and what is waited for, such as a
/// password, would not end otherwise.
final class Interruption: Sendable {
    /// How long the process may take to end after a cancellation, which something may ignore: a pipe that nobody reads.
    private static let patience = DispatchTimeInterval.seconds(5)

    private let state: Locked<State>

    private struct State {
        var isFirst = true
        /// Cancels what is under way; `nil` if nothing is.
        var cancel: (@Sendable () -> Void)?
    }

    /// Takes over the signals.
    init() {
        let queue = DispatchQueue(label: "Fetch.Interruption")
        let state = Locked(State())
        self.state = state
        // Said to be sendable, so that it belongs to no actor: it runs on the queue.
        let handle: @Sendable () -> Void = {
            let (wasFirst, cancel) = state.withLock { state in
                defer { state.isFirst = false }
                return (state.isFirst, state.cancel)
            }
            guard wasFirst, let cancel else { Self.end(wasFirst ? "Cancelled." : nil) }
            cancel()
            let give: @Sendable () -> Void = { Self.end("Cancelled. Something did not end in time.") }
            queue.asyncAfter(deadline: .now() + Self.patience, execute: give)
        }
        for number in [SIGINT, SIGTERM] { Signals.watch(number, on: queue, handle) }
    }

    /// Does work that an interruption cancels.
    ///
    /// - Parameter work: The work.
    /// - Returns: How it ended.
    func cancelling(_ work: @escaping @Sendable () async -> ExitCode) async -> ExitCode {
        let task = Task { await work() }
        state.withLock { $0.cancel = { task.cancel() } }
        return await task.value
    }

    private static func end(_ note: String?) -> Never {
        PasswordPrompt.show()
        if let note { Output.note(note) }
        _exit(ExitCode.cancelled.rawValue)
    }
}
