import PiuPiuAsync

/// A function of the caller in a chain of futures.
///
/// One that belongs to no actor runs on the main actor in a chain that was started on the main thread, as the callbacks of
/// PiuPiu 1 did, and otherwise on the thread that does the chain's work.
@usableFromInline
typealias Callback = CallerFunction

extension CallerFunction {
    /// Whether the function may run on the current thread.
    ///
    /// - Parameter run: The run that the call is a part of.
    /// - Returns: `false` if the function belongs to an actor that the current thread does not run.
    func isCallableHere(_ run: FutureRun) -> Bool {
        guard let actor = actor ?? run.callbackActor else { return true }
        return actor === MainActor.shared && MainThread.isCurrent
    }

    /// Calls the function if it may run on the current thread.
    ///
    /// - Parameters:
    ///   - input: The argument.
    ///   - run: The run that the call is a part of.
    /// - Returns: The result of the call; `nil` if the function has to be called on another thread.
    func callHere(_ input: Input, _ run: FutureRun) -> Result<Output, any Error>? {
        isCallableHere(run) ? Result { try body(input) } : nil
    }

    /// Calls the function where it belongs.
    ///
    /// - Parameters:
    ///   - input: The argument.
    ///   - run: The run that the call is a part of.
    /// - Returns: The result of the function.
    /// - Throws: The error of the function; `CancellationError` if the task was cancelled before the call.
    func call(_ input: Input, _ run: FutureRun) async throws -> Output {
        try await call(input, orOn: run.callbackActor)
    }
}
