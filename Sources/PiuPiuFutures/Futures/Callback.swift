import PiuPiuAsync

/// A caller's function in a chain of futures.
///
/// A function that belongs to no actor runs on the main actor in a chain that was started on the main thread, as the
/// callbacks of PiuPiu 1 did, and otherwise on the thread that does the chain's work.
@usableFromInline
typealias Callback = CallerFunction

extension CallerFunction {
    /// Whether the function may run on the current thread; `false` if it belongs to an actor that the thread does not run.
    func isCallableHere(_ run: FutureRun) -> Bool {
        guard let actor = actor ?? run.callbackActor else { return true }
        return actor === MainActor.shared && MainThread.isCurrent
    }

    /// Calls the function if it may run on the current thread, and returns its result; otherwise returns `nil`.
    func callHere(_ input: Input, _ run: FutureRun) -> Result<Output, any Error>? {
        isCallableHere(run) ? Result { try body(input) } : nil
    }

    /// Calls the function on its actor or thread.
    ///
    /// It throws the error of the function, or `CancellationError` if the task was cancelled before the call.
    func call(_ input: Input, _ run: FutureRun) async throws -> Output {
        try await call(input, orOn: run.callbackActor)
    }
}
