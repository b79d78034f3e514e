/// A synchronous function of the caller, and the actor it belongs to.
///
/// A function that was written in the code of an actor belongs to that actor; other functions belong to none.
@frozen
@usableFromInline
package struct CallerFunction<Input: Sendable, Output: Sendable>: Sendable {
    /// The actor of the function; `nil` if it belongs to none.
    @usableFromInline package let actor: (any Actor)?
    /// The function without its isolation; it may be called only on ``actor``.
    @usableFromInline package let body: @Sendable (Input) throws -> Output

    /// Separates a function from its isolation.
    @inlinable
    package init(_ function: @escaping @isolated(any) @Sendable (Input) throws -> Output) {
        actor = function.isolation
        // The actor is stored next to the function, which is called only on that actor. The types differ only in the
        // isolation, and have the same representation; `MainActor.assumeIsolated` removes the isolation in the same way.
        body = unsafeBitCast(function, to: (@Sendable (Input) throws -> Output).self)
    }

    private init(_ actor: (any Actor)?, _ body: @escaping @Sendable (Input) throws -> Output) {
        self.actor = actor
        self.body = body
    }

    /// Creates a function that transforms the input and the output of this one, and runs where this one runs.
    package func map<NewInput: Sendable, NewOutput: Sendable>(
        _ transform: @escaping @Sendable (NewInput, (Input) throws -> Output) throws -> NewOutput
    ) -> CallerFunction<NewInput, NewOutput> {
        CallerFunction<NewInput, NewOutput>(actor) { [body] input in try transform(input, body) }
    }

    /// Calls the function on its actor, or on ``CallerIsolation/actor`` if it belongs to none.
    ///
    /// Throws the error of the function, or `CancellationError` if the task was cancelled before the call.
    package func callAsFunction(_ input: Input) async throws -> Output {
        try await call(input, orOn: CallerIsolation.actor)
    }

    /// Calls the function on its actor.
    ///
    /// `other` is the actor for a function that belongs to none; `nil` stands for the thread that does the work. Throws the
    /// error of the function, or `CancellationError` if the task was cancelled before the call.
    package func call(_ input: Input, orOn other: (any Actor)?) async throws -> Output {
        guard let actor = actor ?? other else { return try body(input) }
        return try await Self.call(body, input, on: actor)
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
}

/// The actor for functions of the caller that belong to no actor.
///
/// Futures that were started on the main thread set it to the main actor, because the callbacks of PiuPiu 1 ran there.
/// All code that calls functions of the caller during a request respects it.
package enum CallerIsolation {
    /// The actor; `nil` if such functions run where the work is done.
    @TaskLocal package static var actor: (any Actor)?

    /// Runs work during which functions of the caller run on an actor; `nil` changes nothing.
    ///
    /// The work itself does not run on the actor.
    package static func run<Success: Sendable>(
        on actor: (any Actor)?,
        _ operation: @Sendable () async throws -> Success
    ) async throws -> Success {
        // A request during another one may belong to a chain that was started elsewhere.
        guard actor !== self.actor else { return try await operation() }
        return try await $actor.withValue(actor, operation: operation)
    }
}
