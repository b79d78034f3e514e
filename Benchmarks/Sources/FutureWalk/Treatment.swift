import PiuPiuFutures

/// What is done to a future, and how it has to end.
enum Treatment: String, CaseIterable {
    case droppedUnsent = "dropped unsent"
    case droppedWithHandlers = "dropped unsent, with handlers"
    case cancelledUnsent = "cancelled before it is sent"
    case failedUnsent = "failed before it is sent"
    case sentAndCancelled = "sent and cancelled at once"
    case cancelledWhileItRuns = "cancelled while its source waits"
    case cancelledBetweenStages = "cancelled while the added future waits"
    case sourceCancelled = "its source cancelled while it waits"
    case taskCancelled = "the task that waits for it cancelled"
    case racing = "cancelled on another thread"
    case sentAndDropped = "the last reference dropped while it runs"
    case dispatcherDropped = "the dispatcher dropped while it runs"
    case sentAndAwaited = "sent and awaited"
    case sentOnMain = "sent on the main actor"
    case cancelledOnMain = "sent and cancelled on the main actor"
    case fetched = "fetched, and cancelled after its end"
    case failing = "fetched, with a source that fails"
    case updated = "told of progress while it runs"

    /// What the treatments call.
    static let walked: [PublicAPI] = [.send, .start, .cancel, .fail, .update, .fetchResult]

    /// What a future must have for the treatment.
    var needs: Set<Feature> {
        switch self {
        case .cancelledWhileItRuns, .taskCancelled, .updated: [.waits]
        case .sourceCancelled: [.waits, .cancellableSource]
        case .cancelledBetweenStages: [.other]
        case .dispatcherDropped: [.waits, .dispatcher]
        case .failing: [.fails]
        default: []
        }
    }
}

/// What a future has that is treated.
enum Feature {
    /// Its source waits at the gate.
    case waits
    /// Its source can fail.
    case fails
    /// Its source is cancelled by ``Stage/cancelSource()``.
    case cancellableSource
    /// A dispatcher sends its request.
    case dispatcher
    /// An operator adds a future, which waits at the other gate.
    case other
}

extension Treatment {
    /// Treats a future.
    ///
    /// - Parameters:
    ///   - stage: The stage of the future, with both gates closed.
    ///   - make: Makes the future. Nothing else refers to it.
    ///   - value: What the source succeeded with, read from the future's value.
    /// - Returns: What was not as expected.
    func apply<Success: Sendable>(
        on stage: Stage,
        _ make: () -> ResponseFuture<Success>,
        value: (Success) throws -> Int
    ) async -> String? {
        switch self {
        case .droppedUnsent:
            _ = make()
            return stage.log.isEmpty ? nil : "\(stage.log)"
        case .droppedWithHandlers:
            _ = stage.watch(make())
            return stage.log.isEmpty ? nil : "\(stage.log)"
        case .cancelledUnsent: return await cancelUnsent(stage, stage.watch(make()))
        case .failedUnsent:
            let future = stage.watch(make())
            future.fail(with: WalkError())
            return await ending(stage, ["error"])
        case .fetched, .failing:
            stage.openGates()
            return await fetch(make(), value)
        default: return await send(stage, make)
        }
    }

    private func send<Success: Sendable>(_ stage: Stage, _ make: () -> ResponseFuture<Success>) async -> String? {
        switch self {
        case .sentAndAwaited:
            stage.openGates()
            stage.watch(make()).send()
            return await ending(stage, ["success"])
        case .sentOnMain:
            stage.openGates()
            let future = stage.watch(make())
            await MainActor.run { future.send() }
            return await ending(stage, ["success"])
        case .cancelledOnMain:
            let future = stage.watch(make())
            await MainActor.run {
                future.send()
                future.cancel()
            }
            return await ending(stage, ["success", "cancellation"])
        case .sentAndDropped:
            do { stage.watch(make()).send() }
            stage.openGates()
            return await ending(stage, ["success"])
        case .sentAndCancelled:
            let future = stage.watch(make())
            future.send()
            future.cancel()
            return await ending(stage, ["success", "cancellation"])
        case .racing:
            stage.openGates()
            let future = stage.watch(make())
            Task.detached { future.cancel() }
            future.start()
            return await ending(stage, ["success", "cancellation"])
        default: return await sendAndWait(stage, stage.watch(make()))
        }
    }

    private func sendAndWait<Success: Sendable>(
        _ stage: Stage,
        _ future: ResponseFuture<Success>
    ) async -> String? {
        if self == .cancelledBetweenStages { stage.gate.open() }
        let waiting = self == .taskCancelled ? Task { _ = try await future.fetchResult() } : nil
        if waiting == nil { future.send() }
        await (self == .cancelledBetweenStages ? stage.otherGate : stage.gate).arrival()
        switch self {
        case .updated:
            future.update(with: TransferTask(progress: TransferProgress(direction: .receiving, bytesReceived: 1)))
            stage.openGates()
            return await ending(stage, ["success"], isUpdated: true)
        case .dispatcherDropped:
            stage.letGo()
            stage.openGates()
            // The error says that the dispatcher was shut down.
            return await ending(stage, ["success", "error"])
        case .sourceCancelled: stage.cancelSource()
        case .taskCancelled: waiting?.cancel()
        default: future.cancel()
        }
        return await ending(stage, ["cancellation"])
    }
}
