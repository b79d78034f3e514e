/// Reports the progress of one request to a future and to the futures that derive from it.
struct ProgressTeller: Sendable {
    private let task: TransferTask
    private let stages = Shared()

    /// The part that all copies share.
    private final class Shared: Sendable {
        let stages = Locked(ProgressStages())
    }

    private let receiver: @Sendable () -> (any AnyFuture)?

    /// Creates a teller that holds the future weakly.
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

    /// Applies a change: bytes moved, or a length became known; counts only grow.
    func update(_ change: (inout TransferProgress) -> Void) {
        tell(
            stages.stages.withLock { stages in
                let (old, new) = task.advance(change)
                return stages.change(from: old, to: new)
            }
        )
    }

    /// Reports that the request has ended, with or without a response, if any progress was reported.
    func complete(hasResponse: Bool) {
        task.complete()
        tell(stages.stages.withLock { $0.end(hasResponse: hasResponse) })
    }

    private func tell(_ update: ProgressStages.Update) {
        if update != .none { receiver()?.tell(task, isStage: update == .stage) }
    }
}

extension Transfer {
    /// Runs the transfer, reports its progress, and returns the response.
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
