/// A synchronous function of the caller, and the actor it belongs to.
///
/// A function that was written in the code of an actor belongs to that actor. Other functions belong to none. In a chain
/// that was started on the main thread they run on the main actor, as the callbacks of PiuPiu 1 did, and otherwise on
/// the thread that does the chain's work.
@usableFromInline
struct Callback<Input: Sendable, Output: Sendable>: Sendable {
    /// The actor of the function; `nil` if it belongs to none.
    private let actor: (any Actor)?
    private let body: @Sendable (Input) throws -> Output

    /// Creates a callback.
    ///
    /// - Parameter function: The function, with its isolation.
    init(_ function: @escaping @isolated(any) @Sendable (Input) throws -> Output) {
        let function = CallerFunction(function)
        actor = function.actor
        body = function.body
    }

    private init(_ actor: (any Actor)?, _ body: @escaping @Sendable (Input) throws -> Output) {
        self.actor = actor
        self.body = body
    }

    /// Creates a callback that transforms the input and the output of this one, and runs where this one runs.
    ///
    /// - Parameter transform: Calls the function it receives.
    /// - Returns: The callback.
    func map<NewInput: Sendable, NewOutput: Sendable>(
        _ transform: @escaping @Sendable (NewInput, (Input) throws -> Output) throws -> NewOutput
    ) -> Callback<NewInput, NewOutput> {
        Callback<NewInput, NewOutput>(actor) { [body] input in try transform(input, body) }
    }

    /// Whether the function may run on the current thread.
    ///
    /// - Parameter run: The run that the call is a part of.
    /// - Returns: `false` if the function belongs to an actor that the current thread does not run.
    func isCallableHere(_ run: FutureRun) -> Bool {
        guard let actor = actor(run) else { return true }
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
        if let actor = actor(run) { return try await Self.call(body, input, on: actor) }
        return try body(input)
    }

    private static func call(
        _ body: @Sendable (Input) throws -> Output,
        _ input: Input,
        on actor: isolated any Actor
    ) async throws -> Output {
        // The actor may have been busy for a long time.
        try Task.checkCancellation()
        return try body(input)
    }

    private func actor(_ run: FutureRun) -> (any Actor)? {
        actor ?? run.callbackActor
    }
}
