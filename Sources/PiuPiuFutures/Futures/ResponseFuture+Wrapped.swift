// For the modules with older APIs, whose futures are shells around the futures of this module.
extension ResponseFuture {
    /// Creates a future of an action that receives the shell of the future.
    ///
    /// - Parameters:
    ///   - action: The action; it runs where the action of ``init(action:)`` runs.
    ///   - shell: Returns the shell of a future.
    package convenience init<Shell: Sendable>(
        action: @escaping @isolated(any) @Sendable (Shell) throws -> Void,
        shell: @escaping @Sendable (ResponseFuture<Success>) -> Shell
    ) {
        self.init(
            .action(
                Callback(action).map { future, action in
                    if let future = future as? ResponseFuture<Success> { try action(shell(future)) }
                }
            )
        )
    }

    /// Creates a future that ends with the outcome of another future, which is made from a callback's result.
    ///
    /// - Parameters:
    ///   - callback: Called once, where the action of ``init(action:)`` is called. An error it throws ends the future.
    ///   - next: Makes the other future, in the same place; `nil` cancels the future.
    package convenience init<Input: Sendable>(
        from callback: @escaping @isolated(any) @Sendable () throws -> Input,
        next: @escaping @Sendable (Input) -> ResponseFuture<Success>?
    ) {
        self.init(
            .action(
                Callback(callback).map { future, callback in
                    guard let future = future as? ResponseFuture<Success> else { return }
                    if let next = next(try callback(())) { next.fulfill(future) } else { future.cancel() }
                }
            )
        )
    }
}
