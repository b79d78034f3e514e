extension LoopbackServer {
    /// Waits until the server has recorded a number of requests.
    ///
    /// - Parameters:
    ///   - count: The number of requests.
    ///   - path: The path of the requests, or `nil` for any.
    /// - Returns: `true` when there are that many; `false` if the task is cancelled or the server stops first.
    @discardableResult
    public func waitForRequests(_ count: Int, path: String? = nil) async -> Bool {
        await core.wait(for: .requests(count, path: path))
    }

    /// Waits until the number of open connections equals a count.
    ///
    /// - Parameter count: The number of connections.
    /// - Returns: `true` when there are that many; `false` if the task is cancelled or the server stops first.
    @discardableResult
    public func waitForOpenConnections(_ count: Int) async -> Bool {
        await core.wait(for: .openConnections(count...count))
    }

    /// Waits until at most a number of connections are open.
    ///
    /// - Parameter count: The number of connections.
    /// - Returns: `true` when there are that few; `false` if the task is cancelled.
    @discardableResult
    public func waitForOpenConnections(atMost count: Int) async -> Bool {
        await core.wait(for: .openConnections(Int.min...count))
    }

    /// Waits until connections are waiting at a gate.
    ///
    /// - Parameters:
    ///   - gate: The name given to ``Step/hold(_:)``.
    ///   - count: The number of connections.
    /// - Returns: `true` when there are that many; `false` if the task is cancelled or the server stops first.
    @discardableResult
    public func waitUntilHeld(_ gate: String, count: Int = 1) async -> Bool {
        await core.wait(for: .held(gate, count: count))
    }

    /// Opens a gate for all connections that wait at it, and for all later ones.
    ///
    /// - Parameter gate: The name given to ``Step/hold(_:)``.
    public func release(_ gate: String) {
        if core.update({ $0.open(gate) }) {
            core.wakeUp()
        }
    }
}
