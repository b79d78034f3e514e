extension ResponseFuture {
    /// The outcome; `nil` until the future has ended.
    ///
    /// The modules with older APIs need it for a status that is more detailed than ``status``.
    package var currentOutcome: Result<Success, any Error>? {
        core.currentOutcome?.map { FutureBox.value(in: $0) }
    }
}
