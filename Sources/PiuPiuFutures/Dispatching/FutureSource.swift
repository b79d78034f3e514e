/// Where the request of a future goes: a dispatcher that the future does not keep alive.
struct FutureSource<Dispatcher: AnyObject & Sendable>: Sendable {
    private let reference: Weak<Dispatcher>
    /// What a dispatcher of ours shares with its work, so that releasing it cancels what is under way; `nil` for others,
    /// which are held while they work.
    let core: DispatcherCore?

    init(_ dispatcher: Dispatcher) {
        reference = Weak(dispatcher)
        core = (dispatcher as? any CoreDispatching)?.core
    }

    /// The dispatcher, as long as somebody else keeps it.
    var dispatcher: Dispatcher? { reference.value }

    /// Makes a future that is cancelled where the dispatcher is gone.
    ///
    /// - Parameters:
    ///   - direction: What the request is mainly about.
    ///   - operation: Does the work, and tells a reporter of its progress.
    /// - Returns: The future.
    func future<Success: Sendable>(
        _ direction: TransferProgress.Direction = .receiving,
        _ operation: @escaping @Sendable (FutureSource, ProgressTeller) async throws -> Success
    ) -> ResponseFuture<Success> {
        ResponseFuture(
            reporting: { future in
                guard dispatcher != nil else { throw CancellationError() }
                let teller = ProgressTeller(direction, future)
                defer { teller.complete() }
                return try await operation(self, teller)
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
