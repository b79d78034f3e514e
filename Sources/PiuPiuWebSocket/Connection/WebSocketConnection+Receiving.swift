// Messages for this side.
extension WebSocketConnection {
    /// Waits for the next message; returns `nil` at the end.
    func receive(isolation: isolated (any Actor)?) async throws -> WebSocketMessage? {
        try Task.checkCancellation()
        let (read, id) = state.withLock { state in
            let read = state.inbox.read()
            guard case .wait = read else { return (read, 0) }
            return (read, state.inbox.makeID())
        }
        guard case .wait = read else { return try take(read) }
        return try await receiveAfterWait(id, isolation: isolation)
    }

    private func take(_ read: MessageInbox<MessageWaiter>.Read) throws -> WebSocketMessage? {
        switch read {
        case .message(let message, let resumes):
            if resumes { state.withLock({ $0.line?.resume })?() }
            return message
        case .end, .wait: return nil
        case .fail(let error): throw error
        case .busy: throw WebSocketError(.alreadyReading)
        }
    }

    private func receiveAfterWait(_ id: Int, isolation: isolated (any Actor)?) async throws -> WebSocketMessage? {
        defer { if Task.isCancelled { state.withLock { $0.inbox.forget(id) } } }
        return try await withTaskCancellationHandler {
            try await withWaiter(isolation: isolation) { (waiter: MessageWaiter) in
                let read = state.withLock { $0.inbox.read(waiter, id) }
                if case .wait = read { return }
                waiter.resume(with: Result { try take(read) })
            }
        } onCancel: {
            state.withLock { $0.inbox.cancel(id) }?.resume(throwing: CancellationError())
        }
    }
}
