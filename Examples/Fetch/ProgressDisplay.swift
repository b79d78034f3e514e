import PiuPiuAsync

/// Shows the progress of one transfer on standard error: in place on a terminal, in lines elsewhere.
struct ProgressDisplay {
    private let isTerminal = Terminal.isThere
    private let start = ContinuousClock.now
    private var pace = PlainPace()
    private var steps = 0
    private var latest: TransferProgress?
    private var isLatestShown = true

    /// How long it has been there.
    var elapsed: Duration { start.duration(to: .now) }
    /// The progress that was shown last.
    var progress: TransferProgress? { latest }

    /// Shows a progress.
    mutating func show(_ progress: TransferProgress) {
        latest = progress
        if isTerminal {
            Terminal.replaceLine(ProgressLine.bar(progress, width: Terminal.width, step: steps))
            steps += 1
        } else {
            isLatestShown = pace.isDue(progress, at: elapsed)
            if isLatestShown { Output.note(ProgressLine.plain(progress)) }
        }
    }

    /// Leaves the last progress where it is, whatever comes next.
    mutating func end() {
        guard let latest else { return }
        if isTerminal {
            // Once more: the terminal may have shown a ^C in it.
            show(latest)
            Output.write("\n", to: STDERR_FILENO)
        } else if !isLatestShown {
            Output.note(ProgressLine.plain(latest))
        }
    }
}
