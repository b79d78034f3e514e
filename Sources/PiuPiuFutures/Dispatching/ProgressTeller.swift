/// Reports the progress of one request to a future and to the futures that derive from it.
struct ProgressTeller: Sendable {
    private let task: TransferTask
    private let stages = Shared()

    /// What all copies of a teller share.
    private final class Shared: Sendable {
        let stages = Locked(ProgressStages())
    }

    private let receiver: @Sendable () -> (any AnyFuture)?

    /// Creates a teller.
    ///
    /// - Parameters:
    ///   - direction: The main direction of the request.
    ///   - receiver: The future that receives the progress; held weakly.
    init(_ direction: TransferProgress.Direction, _ receiver: (any AnyFuture)?) {
        let future: @Sendable () -> (any AnyFuture)? = { [weak receiver] in receiver }
        self.receiver = future
        let progress = TransferProgress(direction: direction)
        task = TransferTask(progress: progress, cancel: { future().map { $0.core.cancel($0) } })
    }

    /// The reporter that passes changes to ``update(_:)``.
    var reporter: TransferReporter {
        TransferReporter { change in self.update(change) }
    }

    /// Reports that the request begins.
    func begin() { tell(stages.stages.withLock { $0.begin() }) }

    /// Records that bytes moved, or that a length became known.
    ///
    /// - Parameter change: Changes the progress; counts only grow.
    func update(_ change: (inout TransferProgress) -> Void) {
        tell(
            stages.stages.withLock { stages in
                let (old, new) = task.advance(change)
                return stages.change(from: old, to: new)
            }
        )
    }

    /// Reports that the request has ended, if any progress was reported.
    ///
    /// - Parameter hasResponse: Whether there is a response.
    func complete(hasResponse: Bool) {
        task.complete()
        tell(stages.stages.withLock { $0.end(hasResponse: hasResponse) })
    }

    private func tell(_ update: ProgressStages.Update) {
        if update != .none { receiver()?.tell(task, isStage: update == .stage) }
    }
}

extension Transfer {
    /// Runs the transfer.
    ///
    /// - Parameter teller: Receives the progress.
    /// - Returns: The response.
    /// - Throws: The error that ends the transfer.
    func response(_ teller: ProgressTeller) async throws -> Response<Body> {
        for try await event in self {
            switch event {
            case .progress(let progress): teller.update { $0 = progress }
            case .finished(let response): return response
            }
        }
        throw CancellationError()
    }
}
