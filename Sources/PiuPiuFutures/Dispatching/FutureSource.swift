/// The sender of a future's request: a dispatcher that the future does not keep alive.
struct FutureSource<Dispatcher: AnyObject & Sendable>: Sendable {
    private let reference: Weak<Dispatcher>
    /// The core of a PiuPiu dispatcher; `nil` for other dispatchers, which are retained during their work.
    ///
    /// The dispatcher shares its core with its work, so that releasing the dispatcher ends the work.
    let core: DispatcherCore?

    init(_ dispatcher: Dispatcher) {
        reference = Weak(dispatcher)
        core = (dispatcher as? any CoreDispatching)?.core
    }

    /// The dispatcher; `nil` if it was released.
    var dispatcher: Dispatcher? { reference.value }

    /// Creates a future that fails if the dispatcher was released.
    func future<Success: Sendable>(
        _ direction: TransferProgress.Direction = .receiving,
        _ operation: @escaping @Sendable (FutureSource, ProgressTeller) async throws -> Success
    ) -> ResponseFuture<Success> {
        ResponseFuture(reporting: { context in
            guard dispatcher != nil else { throw TransportError.dispatcherReleased }
            return try await run(direction, context, operation)
        })
    }

    /// Creates a future that fails if the dispatcher was released, and is cancelled if a callback makes no request.
    func future<Request: Sendable, Success: Sendable>(
        _ direction: TransferProgress.Direction = .receiving,
        from callback: @escaping @isolated(any) @Sendable () throws -> Request?,
        _ operation: @escaping @Sendable (FutureSource, Request, ProgressTeller) async throws -> Success
    ) -> ResponseFuture<Success> {
        ResponseFuture(
            reporting: Callback(callback).map { (_: FutureContext, callback) in
                guard dispatcher != nil else { throw TransportError.dispatcherReleased }
                guard let request = try callback(()) else { throw CancellationError() }
                return { context in
                    try await run(direction, context) { source, teller in try await operation(source, request, teller) }
                }
            }
        )
    }

    private func run<Success: Sendable>(
        _ direction: TransferProgress.Direction,
        _ context: FutureContext,
        _ operation: @Sendable (FutureSource, ProgressTeller) async throws -> Success
    ) async throws -> Success {
        let teller = ProgressTeller(direction, context.future)
        // Other dispatchers may report nothing.
        if core != nil { teller.begin() }
        var hasResponse = false
        defer { teller.complete(hasResponse: hasResponse) }
        let response = try await CallerIsolation.run(on: context.run.callbackActor) {
            try await operation(self, teller)
        }
        hasResponse = true
        return response
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
