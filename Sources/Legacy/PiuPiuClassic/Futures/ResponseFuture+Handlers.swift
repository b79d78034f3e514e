import PiuPiuFutures

// There is one handler for each event; setting another one replaces it. All of them run on the main actor, and are
// released after the completion handler has run.
extension ResponseFuture {
    /// Sets the handler that receives the value.
    ///
    /// - Parameter handler: Runs on the main actor. An error it throws is passed to the error handler.
    /// - Returns: This future.
    @preconcurrency public func success(_ handler: @escaping @MainActor @Sendable (T) throws -> Void) -> Self {
        _ = underlying.success(handler)
        return self
    }

    /// Sets the handler that receives the value; the same as ``success(_:)``.
    ///
    /// - Parameter handler: Runs on the main actor. An error it throws is passed to the error handler.
    /// - Returns: This future.
    @preconcurrency public func response(_ handler: @escaping @MainActor @Sendable (T) throws -> Void) -> Self {
        success(handler)
    }

    /// Sets the handler that receives any error, including one that another callback of the chain threw.
    ///
    /// - Parameter handler: Runs on the main actor. It does not run if the future is cancelled.
    /// - Returns: This future.
    @preconcurrency public func error(_ handler: @escaping @MainActor @Sendable (any Error) -> Void) -> Self {
        _ = underlying.error(handler)
        return self
    }

    /// Sets the handler that runs last, after success, error and cancellation.
    ///
    /// - Parameter handler: Runs on the main actor, once.
    /// - Returns: This future.
    @preconcurrency public func completion(_ handler: @escaping @MainActor @Sendable () -> Void) -> Self {
        _ = underlying.completion(handler)
        return self
    }

    /// Sets the handler that runs if the future was cancelled.
    ///
    /// - Parameter handler: Runs on the main actor.
    /// - Returns: This future.
    @preconcurrency public func cancellation(_ handler: @escaping @MainActor @Sendable () -> Void) -> Self {
        _ = underlying.cancellation(handler)
        return self
    }

    /// Sets the handler that receives the progress of the requests in this chain.
    ///
    /// All parts of a chain have the same weight: the first request, and each future of a `join` or a `replace`.
    ///
    /// - Parameter callback: Runs on the main actor with numbers from 0 to 1 that never decrease. A request of unknown
    ///   length reports nothing before its end.
    /// - Returns: This future.
    @preconcurrency public func progress(_ callback: @escaping @MainActor @Sendable (Float) -> Void) -> Self {
        let sum = Locked(ProgressSum(parts: parts))
        _ = underlying.updated { task in
            if let progress = sum.withLock({ $0.update(task) }) { callback(progress) }
        }
        return self
    }

    /// Reports the progress of the work, for futures that were created from an action.
    ///
    /// - Parameter progress: The completed part, from 0 to 1.
    public func update(progress: Float) {
        guard progress.isFinite else { return }
        let bytes = Int64(min(1, max(0, progress)) * 1_000_000)
        let units = TransferProgress(direction: .receiving, bytesReceived: bytes, bytesToReceive: 1_000_000)
        underlying.update(with: TransferTask(id: progressID ?? ProgressSum.unknownID, progress: units))
    }
}
