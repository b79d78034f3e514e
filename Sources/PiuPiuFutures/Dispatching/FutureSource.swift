/// The sender of a future's request: a dispatcher that the future does not keep alive.
struct FutureSource<Dispatcher: AnyObject & Sendable>: Sendable {
    private let reference: Weak<Dispatcher>
    /// The core of a PiuPiu dispatcher; `nil` for other dispatchers, which are retained while they work.
    ///
    /// The dispatcher shares its core with its work, so that releasing the dispatcher cancels the work.
    let core: DispatcherCore?

    init(_ dispatcher: Dispatcher) {
        reference = Weak(dispatcher)
        core = (dispatcher as? any CoreDispatching)?.core
    }

    /// The dispatcher; `nil` if it was released.
    var dispatcher: Dispatcher? { reference.value }

    /// Creates a future that is cancelled if the dispatcher was released.
    ///
    /// - Parameters:
    ///   - direction: The main direction of the request.
    ///   - operation: Does the work, and reports its progress.
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
