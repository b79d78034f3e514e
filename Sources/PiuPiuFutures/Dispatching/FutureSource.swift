/// Where the request of a future goes: a dispatcher that the future does not keep alive.
struct FutureSource<Dispatcher: AnyObject & Sendable>: Sendable {
    private let reference: Weak<Dispatcher>
    /// What a dispatcher of ours shares with its work, so that releasing it cancels what is under way; `nil` for others,
    /// which are held while they work.
    let core: DispatcherCore?

    init(_ dispatcher: Dispatcher) {
        reference = Weak(dispatcher)
        core = (dispatcher as? URLRequestDispatcher)?.core
    }

    /// The dispatcher, as long as somebody else keeps it.
    var dispatcher: Dispatcher? { reference.value }

    /// Makes a future that is cancelled where the dispatcher is gone.
    ///
    /// - Parameter operation: Does the work, and tells a reporter of its progress.
    /// - Returns: The future.
    func future<Success: Sendable>(
        _ operation: @escaping @Sendable (FutureSource, TransferReporter) async throws -> Success
    ) -> ResponseFuture<Success> {
        ResponseFuture(
            .operation { context in
                guard dispatcher != nil else { throw CancellationError() }
                return try await operation(self, context.reporter)
            }
        )
    }
}

/// A weak reference that can be stored in a constant.
private struct Weak<Value: AnyObject & Sendable>: Sendable {
    private let box: Locked<Box>

    private struct Box {
        weak var value: Value?
    }

    init(_ value: Value) {
        box = Locked(Box(value: value))
    }

    var value: Value? { box.withLock { $0.value } }
}

extension FutureContext {
    /// Tells the future, and those that wait for it, of progress.
    var reporter: TransferReporter {
        let progress = Locked(TransferProgress(direction: .receiving))
        return TransferReporter { [weak receiver] change in
            guard let receiver else { return }
            let now = progress.withLock { progress in
                change(&progress)
                return progress
            }
            receiver.tell(TransferTask(progress: now, cancel: { [weak receiver] in receiver?.cancel() }))
        }
    }
}

extension UpdateReceiver {
    /// Tells somebody of progress, and all who want to know of it.
    func tell(_ task: TransferTask) {
        // Chains can be long, and every link wants to know.
        var rest: [any UpdateReceiver] = [self]
        while let receiver = rest.popLast() { receiver.receive(task).forEach { rest.append($0) } }
    }
}
