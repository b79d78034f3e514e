/// Reports the progress of one request to a future and to the futures that derive from it.
final class ProgressTeller: Sendable {
    private struct State {
        var progress: TransferProgress
        var hasTold = false
    }

    private let id = UUID()
    private let state: Locked<State>
    private let receiver: @Sendable () -> (any AnyFuture)?

    /// Creates a teller.
    ///
    /// - Parameters:
    ///   - direction: The main direction of the request.
    ///   - receiver: The future that receives the progress; held weakly.
    init(_ direction: TransferProgress.Direction, _ receiver: (any AnyFuture)?) {
        state = Locked(State(progress: TransferProgress(direction: direction)))
        self.receiver = { [weak receiver] in receiver }
    }

    /// The reporter that passes changes to ``update(_:)``.
    var reporter: TransferReporter {
        TransferReporter { change in self.update(change) }
    }

    /// Records that bytes moved, or that a length became known.
    ///
    /// - Parameter change: Changes the progress; counts only grow.
    func update(_ change: (inout TransferProgress) -> Void) {
        let progress: TransferProgress? = state.withLock { state in
            guard state.progress.advance(change) else { return nil }
            state.hasTold = true
            return state.progress
        }
        if let progress { tell(progress, .running) }
    }

    /// Reports that the request has ended.
    func complete() {
        let progress = state.withLock { $0.hasTold ? $0.progress : nil }
        if let progress { tell(progress, .completed) }
    }

    private func tell(_ progress: TransferProgress, _ state: TransferTask.State) {
        receiver()?.tell(
            TransferTask(id: id, progress: progress, state: state, cancel: { [receiver] in receiver().map { $0.core.cancel($0) } })
        )
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
