extension ResponseFuture {
    /// The outcome; `nil` until the future has ended.
    ///
    /// The modules of older systems need it for a status that tells more than ``status``.
    package var currentOutcome: Result<Success, any Error>? {
        core.currentOutcome?.map { FutureBox.value(in: $0) }
    }
}
