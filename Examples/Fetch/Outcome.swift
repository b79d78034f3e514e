/// How it ended; the raw value is the exit status.
enum Outcome: Int32 {
    case success = 0
    case failure = 1
    /// The arguments make no sense: `EX_USAGE`.
    case usage = 64
    /// Ctrl-C: 128 and the number of SIGINT.
    case cancelled = 130
}
