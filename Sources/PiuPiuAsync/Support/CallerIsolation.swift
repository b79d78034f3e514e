/// The actor on which functions of the caller run that belong to no actor.
///
/// Futures that were started on the main thread set it to the main actor, because the callbacks of PiuPiu 1 ran there.
/// Whatever calls functions of the caller during a request respects it.
package enum CallerIsolation {
    /// The actor; `nil` if such functions run where the work is done.
    @TaskLocal package static var actor: (any Actor)?

    /// Runs work during which functions of the caller run on an actor.
    ///
    /// - Parameters:
    ///   - actor: The actor; `nil` changes nothing.
    ///   - operation: The work, which does not itself run on the actor.
    /// - Returns: The result of the work.
    /// - Throws: The error of the work.
    package static func run<Success: Sendable>(
        on actor: (any Actor)?,
        _ operation: @Sendable () async throws -> Success
    ) async throws -> Success {
        // A request during another one may belong to a chain that was started elsewhere.
        guard actor !== self.actor else { return try await operation() }
        return try await $actor.withValue(actor, operation: operation)
    }
}
