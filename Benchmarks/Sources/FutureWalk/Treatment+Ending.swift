import PiuPiuFutures

extension Treatment {
    /// Waits for the end of a future whose handlers the stage watches.
    ///
    /// - Parameters:
    ///   - stage: The stage.
    ///   - expected: The handlers of which one has to run, before completion.
    ///   - isUpdated: Whether an update has to come first.
    /// - Returns: What was not as expected.
    func ending(_ stage: Stage, _ expected: [String], isUpdated: Bool = false) async -> String? {
        await stage.completions.reach(1)
        var log = stage.log
        if isUpdated, log.first != "updated" { return "\(log)" }
        // Requests tell of their progress by themselves.
        log.removeAll { $0 == "updated" }
        return expected.contains { log == [$0, "completion"] } ? nil : "\(log)"
    }

    /// Cancels a future that was not sent.
    func cancelUnsent<Success: Sendable>(_ stage: Stage, _ future: ResponseFuture<Success>) async -> String? {
        future.cancel()
        // Neither has any effect now.
        future.send()
        future.cancel()
        do {
            _ = try await future.fetchResult()
            return "it has a value"
        } catch {
            guard error is CancellationError else { return "\(error)" }
        }
        if let flaw = await ending(stage, ["cancellation"]) { return flaw }
        return future.status == .cancelled ? nil : "it is \(future.status)"
    }

    /// Waits for the value of a future, and cancels it then.
    func fetch<Success: Sendable>(
        _ future: ResponseFuture<Success>,
        _ value: (Success) throws -> Int
    ) async -> String? {
        let first = await result(future, value)
        future.cancel()
        future.send()
        let second = await result(future, value)
        // A handler that has not returned yet leaves the status at started.
        guard first == second, future.status != .cancelled else { return "\(first), and later \(second)" }
        return first == (self == .failing ? "failed" : "\(Stage.value)") ? nil : first
    }

    private func result<Success: Sendable>(
        _ future: ResponseFuture<Success>,
        _ value: (Success) throws -> Int
    ) async -> String {
        do {
            return "\(try value(try await future.fetchResult()))"
        } catch {
            return error is WalkError ? "failed" : "\(error)"
        }
    }
}

extension Stage {
    /// Lets all futures through.
    func openGates() {
        gate.open()
        otherGate.open()
    }
}
