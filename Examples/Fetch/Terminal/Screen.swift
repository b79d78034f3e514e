import PiuPiuAsync

/// Standard error: bars that are redrawn in place on a terminal, lines at a steady pace elsewhere, and notes between them.
///
/// It may be called from any thread.
final class Screen: Sendable {
    private struct State {
        var board: ProgressBoard
        /// The widths of the lines of bars above the cursor, in columns.
        var drawn: [Int] = []
        var lastDraw: Duration?
        /// Whether the bars were taken away for good.
        var isClosed = false
        var paces: [Int: PlainPace] = [:]
        var starts: [Int: ContinuousClock.Instant] = [:]
    }

    /// The shortest time between two drawings: a person sees no more.
    private static let interval = Duration.milliseconds(50)

    let colours: Colours
    private let isTerminal: Bool
    private let isSilent: Bool
    private let start = ContinuousClock.now
    private let state: Locked<State>

    /// Creates a screen.
    ///
    /// - Parameters:
    ///   - count: How many transfers there are.
    ///   - isSilent: Whether neither progress nor notes are shown.
    ///   - colours: Whether there are colours.
    init(count: Int, isSilent: Bool, colours: Colours) {
        isTerminal = Terminal.isThere(STDERR_FILENO)
        self.isSilent = isSilent
        self.colours = colours
        state = Locked(State(board: ProgressBoard(count: count)))
        guard isTerminal, !isSilent else { return }
        Signals.watch(SIGWINCH, on: DispatchQueue(label: "Fetch.Screen")) { [weak self] in self?.redraw() }
    }

    /// Draws the bars again, because the terminal has another size.
    private func redraw() { state.withLock { draw(&$0, isUrgent: true) } }

    /// Shows that a transfer begins.
    ///
    /// - Parameters:
    ///   - index: The transfer.
    ///   - name: What it is called beside its bar.
    ///   - text: What is said about it, unless there is a bar with its name.
    func begin(_ index: Int, name: String, _ text: String? = nil) {
        state.withLock { state in
            if let text, !isSilent, !isTerminal || state.board.count == 1 { write(text) }
            state.board.begin(index, name: name)
            state.starts[index] = .now
            state.paces[index] = PlainPace()
            draw(&state)
        }
    }

    /// Shows a progress.
    func show(_ index: Int, _ progress: TransferProgress) {
        state.withLock { state in
            state.board.update(index, progress)
            if isTerminal {
                draw(&state)
            } else if !isSilent, progress.done > 0 || progress.total != nil,
                state.paces[index]?.isDue(progress, at: start.duration(to: .now)) == true
            {
                let name = state.board.name(index).map { "\($0): " } ?? ""
                Output.note(name + ProgressLine.plain(progress))
            }
        }
    }

    /// Takes the bar of a transfer away, and says what became of it.
    ///
    /// - Parameters:
    ///   - index: The transfer.
    ///   - isSuccess: Whether it succeeded.
    ///   - text: Makes the text from the last progress and the time it took; `nil` for none.
    func end(_ index: Int, isSuccess: Bool, _ text: (TransferProgress?, Duration) -> String?) {
        state.withLock { state in
            let elapsed = state.starts[index].map { $0.duration(to: .now) } ?? .zero
            let text = text(state.board.progress(index), elapsed)
            erase(&state)
            // A single bar stays, to be compared with what is said about it.
            if state.board.count == 1, isTerminal, !isSilent, state.board.progress(index) != nil {
                let size = Terminal.size
                for line in state.board.lines(width: size.width, height: size.height, step: 0) {
                    _ = Output.write(Array((painted(line) + "\n").utf8), to: STDERR_FILENO)
                }
            }
            state.board.end(index, isSuccess: isSuccess)
            if let text, !isSilent { write(text, begins: isSuccess ? .good : .bad) }
            draw(&state, isUrgent: true)
        }
    }

    /// Shows lines, above the bars.
    ///
    /// - Parameters:
    ///   - text: The lines, which may come from a server.
    ///   - isImportant: Whether they are shown even if nothing else is.
    func note(_ text: String, isImportant: Bool = false) {
        guard !isSilent || isImportant else { return }
        state.withLock { state in
            erase(&state)
            write(text)
            draw(&state, isUrgent: true)
        }
    }

    /// Shows lines that have colours; the caller has made everything in them safe.
    func styled(_ text: String) {
        state.withLock { state in
            erase(&state)
            _ = Output.write(Array((text + "\n").utf8), to: STDERR_FILENO)
            draw(&state, isUrgent: true)
        }
    }

    /// Shows a failure, above the bars.
    func problem(_ failure: FetchError) {
        state.withLock { state in
            erase(&state)
            let text = SafeText.lines(failure.text).replacing(#/\s*\n\s*/#, with: " ")
            let advice = failure.advice.map { "\n       " + SafeText.lines($0) } ?? ""
            let line = colours.paint("Fetch:", .bad) + " \(text)\(advice)\n"
            _ = Output.write(Array(line.utf8), to: STDERR_FILENO)
            draw(&state, isUrgent: true)
        }
    }

    /// The number of transfers that succeeded, that of all transfers, and all bytes.
    var result: (saved: Int, count: Int, bytes: Int64, elapsed: Duration) {
        state.withLock { ($0.board.saved, $0.board.count, $0.board.total.done, start.duration(to: .now)) }
    }

    /// Takes all bars away.
    func close() {
        state.withLock { state in
            erase(&state)
            state.isClosed = true
        }
    }

    /// Writes a line, whose first word has a colour if it has one.
    private func write(_ text: String, begins kind: Colours.Kind? = nil) {
        guard let kind, colours.isOn else { return Output.note(text) }
        let safe = SafeText.lines(text)
        let word = safe.prefix { $0 != " " }
        let line = colours.paint(String(word), kind) + safe.dropFirst(word.count) + "\n"
        _ = Output.write(Array(line.utf8), to: STDERR_FILENO)
    }

    /// A bar with its full part in a colour.
    private func painted(_ line: String) -> String {
        guard colours.isOn else { return line }
        return line.replacing(#/\[(#+)/#, maxReplacements: 1) { "[" + colours.paint(String($0.1), .good) }
    }

    private func erase(_ state: inout State) {
        guard !state.drawn.isEmpty else { return }
        let height = Columns.height(state.drawn, columns: Terminal.size.width + 1)
        _ = Output.write(Array("\u{1B}[\(height)A\r\u{1B}[J".utf8), to: STDERR_FILENO)
        state.drawn = []
    }

    private func draw(_ state: inout State, isUrgent: Bool = false) {
        guard isTerminal, !isSilent, !state.isClosed, !state.board.isIdle else { return }
        let now = start.duration(to: .now)
        if !isUrgent, let last = state.lastDraw, now - last < Self.interval { return }
        state.lastDraw = now
        let size = Terminal.size
        let step = Int(now / .milliseconds(100))
        let lines = state.board.lines(width: size.width, height: size.height - 1, step: step)
        // One write, so that nothing flickers.
        let height = Columns.height(state.drawn, columns: size.width + 1)
        var text = height > 0 ? "\u{1B}[\(height)A\r" : "\r"
        for line in lines { text += painted(line) + "\u{1B}[K\n" }
        if lines.count < height { text += "\u{1B}[J" }
        state.drawn = lines.map { Columns.width($0) }
        _ = Output.write(Array(text.utf8), to: STDERR_FILENO)
    }
}
