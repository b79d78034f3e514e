/// Tells a future, and those that wait for it, of the progress of one request.
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
    ///   - direction: What the request is mainly about.
    ///   - receiver: Who is told; held weakly.
    init(_ direction: TransferProgress.Direction, _ receiver: (any AnyFuture)?) {
        state = Locked(State(progress: TransferProgress(direction: direction)))
        self.receiver = { [weak receiver] in receiver }
    }

    /// What takes the changes down.
    var reporter: TransferReporter {
        TransferReporter { change in self.update(change) }
    }

    /// Bytes moved, or a length became known.
    ///
    /// - Parameter change: What changes; counts only grow.
    func update(_ change: (inout TransferProgress) -> Void) {
        let progress: TransferProgress? = state.withLock { state in
            guard state.progress.advance(change) else { return nil }
            state.hasTold = true
            return state.progress
        }
        if let progress { tell(progress, .running) }
    }

    /// The request has ended.
    func complete() {
        let progress = state.withLock { $0.hasTold ? $0.progress : nil }
        if let progress { tell(progress, .completed) }
    }

    private func tell(_ progress: TransferProgress, _ state: TransferTask.State) {
        receiver()?.tell(
            TransferTask(id: id, progress: progress, state: state, cancel: { [receiver] in receiver()?.core.cancel() })
        )
    }
}

extension Transfer {
    /// Runs the transfer.
    ///
    /// - Parameter teller: Who is told of its progress.
    /// - Returns: The response.
    /// - Throws: What ends the transfer otherwise.
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
