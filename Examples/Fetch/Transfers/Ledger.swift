import PiuPiuAsync

/// Keeps what happened in each job, and tells of connections, redirects and attempts while they happen.
final class Ledger: ExchangeObserver {
    /// What is known of a job.
    struct Entry: Sendable {
        /// The exchanges that are over, oldest first.
        var exchanges: [ExchangeSummary] = []
        var attempts = 0
        var redirects = 0
    }

    private struct State {
        var jobs: [Int: Int] = [:]
        var entries: [Int: Entry] = [:]
    }

    private let screen: Screen
    private let isVerbose: Bool
    private let state = Locked(State())

    /// Creates a ledger.
    ///
    /// - Parameters:
    ///   - screen: Where it tells what happens.
    ///   - isVerbose: Whether it tells everything.
    init(screen: Screen, isVerbose: Bool) {
        self.screen = screen
        self.isVerbose = isVerbose
    }

    /// Returns what is known of a job so far.
    func entry(_ job: Int) -> Entry { state.withLock { $0.entries[job] ?? Entry() } }

    func observe(_ event: ExchangeEvent) {
        switch event.kind {
        case .callStarted:
            // The task of the caller, who works for a job.
            guard let job = Job.current else { return }
            state.withLock { $0.jobs[event.call.id] = job }
        case .exchangeStarted:
            update(event) { $0.attempts += event.exchange?.redirectCount == 0 ? 1 : 0 }
        case .connectionTaken(let connection) where isVerbose: note(Talk.text(of: connection))
        case .restarted where isVerbose: note("Again on another connection")
        case .informational(let code) where isVerbose: note("Interim response: \(Summary.status(code))")
        case .redirected(let code, let location):
            update(event) { $0.redirects += 1 }
            if isVerbose { note("\(Summary.status(code)): on to \(location)") }
        case .retryPlanned(let cause, let delay):
            let pause = Amounts.elapsed(delay)
            screen.note("Attempt \(entry(of: event).attempts) failed (\(Summary.cause(cause))). Again in \(pause).")
        case .exchangeEnded(let summary):
            update(event) { $0.exchanges.append(summary) }
        default: break
        }
    }

    private func note(_ text: String) { screen.note("* \(text)", isImportant: true) }

    private func entry(of event: ExchangeEvent) -> Entry {
        state.withLock { state in state.jobs[event.call.id].flatMap { state.entries[$0] } ?? Entry() }
    }

    private func update(_ event: ExchangeEvent, _ change: (inout Entry) -> Void) {
        state.withLock { state in
            guard let job = state.jobs[event.call.id] else { return }
            change(&state.entries[job, default: Entry()])
        }
    }
}
