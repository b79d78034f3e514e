// The end of a WebSocket, from either side.
extension WebSocketConnection {
    /// The maximum size of the reason in a close frame, in bytes (RFC 6455 §5.5).
    static let maximumReason = 123

    /// Begins to close from this side; does nothing if it is not open.
    func beginClosing(_ code: WebSocketCloseCode, _ reason: String) {
        let (wake, waiters) = state.withLock { state -> ((@Sendable () -> Void)?, [SendWaiter]) in
            guard let frame = state.closing.close(CloseMachine.Frame(code: code, reason: reason)) else {
                return (nil, [])
            }
            state.add(frame)
            return (state.announcement(), state.outbox.removeLine())
        }
        wake?()
        resume(waiters)
        startTimer()
    }

    /// Closes from this side, and waits for the end.
    func close(_ code: WebSocketCloseCode, _ reason: String) async throws -> WebSocketClosure {
        guard code.mayBeSent else {
            throw WebSocketError(.invalidArgument, reason: "A client may not send the close code \(code)")
        }
        guard reason.utf8.count <= Self.maximumReason else {
            throw WebSocketError(.invalidArgument, reason: "A close reason has at most \(Self.maximumReason) bytes")
        }
        beginClosing(code, reason)
        return await waitForEnd(cutsOffIfCancelled: true)
    }

    /// Waits until the connection has ended.
    func waitForEnd(cutsOffIfCancelled: Bool) async -> WebSocketClosure {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let closure: WebSocketClosure? = state.withLock { state in
                    guard state.closing.phase == .over else {
                        state.closeWaiters.append(waiter)
                        return nil
                    }
                    return state.closing.closure
                }
                if let closure { waiter.resume(returning: closure) }
            }
        } onCancel: {
            if cutsOffIfCancelled { cutOff() }
        }
    }

    /// How it was closed; `nil` while it is open.
    var closure: WebSocketClosure? {
        state.withLock { $0.closing.phase == .over ? $0.closing.closure : nil }
    }

    /// Closes because nobody uses the WebSocket any more: sends a close frame, and cuts the connection off.
    func abandon(_ code: WebSocketCloseCode) {
        let (wake, dropped) = state.withLock { state -> ((@Sendable () -> Void)?, [WebSocketMessage]) in
            let frame = state.closing.abandon(CloseMachine.Frame(code: code, reason: ""))
            if let frame { state.add(frame) }
            let dropped = state.inbox.removeAll()
            return (state.closing.phase == .abandoned ? state.announcement(isEnd: true) : nil, dropped)
        }
        wake?()
        withExtendedLifetime(dropped) {}
        startTimer()
    }

    package func leave() {
        state.withLock { $0.isLeaving = true }
        beginClosing(.goingAway, "")
    }

    /// Ends the connection at once.
    func cutOff() {
        let cancel = state.withLock { $0.line?.cancel }
        cancel?()
    }

    /// Ends the connection because of a failure, after a close frame.
    func fail(_ fault: WebSocketError.Fault, _ code: WebSocketCloseCode) {
        let (wake, reader, waiters) = state.withLock {
            state -> ((@Sendable () -> Void)?, MessageWaiter?, [SendWaiter]) in
            guard state.closing.mayReceive else { return (nil, nil, []) }
            if let frame = state.closing.fail(fault, code) { state.add(frame) }
            let reader = state.inbox.finish(WebSocketError(fault))
            return (state.announcement(isEnd: true), reader, state.outbox.removeLine())
        }
        wake?()
        reader?.resume(throwing: WebSocketError(fault))
        resume(waiters)
        startTimer()
    }

    /// Records the server's close frame.
    func closeArrived(_ code: WebSocketCloseCode?, _ reason: String) {
        let (reader, error, waiters) = state.withLock { state -> (MessageWaiter?, WebSocketError?, [SendWaiter]) in
            if let frame = state.closing.closeArrived(code, reason) { state.add(frame) }
            let error = state.closing.closure.flatMap { $0.endsQuietly ? nil : WebSocketError(.closed, closure: $0) }
            return (state.inbox.finish(error), error, state.outbox.removeLine())
        }
        if let error { reader?.resume(throwing: error) } else { reader?.resume(returning: nil) }
        resume(waiters)
        startTimer()
    }

    /// Takes the end of the connection.
    package func ended(_ failure: (any Error)?) {
        let body = state.withLock { $0.body }
        let wasCutOff = state.withLock { $0.closing.phase != .open && $0.closing.phase != .handshake }
        var failure = failure
        // The dispatcher says why it ended the call.
        if failure is CancellationError, !wasCutOff { failure = body?.reader.fail(CancellationError()) ?? failure }
        let end = state.withLock { $0.end(failure) }
        guard let end else { return }
        if let error = end.error { end.reader?.resume(throwing: error) } else { end.reader?.resume(returning: nil) }
        resume(end.senders)
        for waiter in end.pings { waiter.resume(throwing: closedError) }
        for waiter in end.closers { waiter.resume(returning: end.closure) }
        end.timer?.cancel()
        end.keepAlive?.cancel()
        report(end.closure)
        finish(end.body, end.error)
    }

    /// Keeps the body of the response until the end, which may have come already.
    func attach(_ body: ResponseBody) {
        let (isOver, error) = state.withLock { state in
            state.body = body
            return (state.closing.phase == .over, state.error)
        }
        if isOver { finish(body, error) }
        startKeepAlive()
    }

    private func finish(_ body: ResponseBody?, _ error: (any Error)?) {
        guard let body else { return }
        if let error {
            _ = body.reader.fail(error)
        } else {
            // The transport has ended it. Reading tells everybody around it, such as observers and interceptors.
            Task { for try await _ in body {} }
        }
        // The body keeps the call, and the call keeps the dispatcher.
        let kept = state.withLock { $0.body.take() }
        withExtendedLifetime(kept) {}
    }

    /// Why nothing can be sent any more.
    var closedError: any Error {
        state.withLock { $0.closedError }
    }

    func resume(_ waiters: [SendWaiter]) {
        guard !waiters.isEmpty else { return }
        let error = closedError
        for waiter in waiters { waiter.resume(throwing: error) }
    }

    /// Limits the time until the connection ends.
    private func startTimer() {
        let needsTimer = state.withLock { state in
            state.timer == nil && state.line != nil && ![.open, .over].contains(state.closing.phase)
        }
        guard needsTimer else { return }
        let timer = Task { [weak self, clock, limit = options.closeTimeout] in
            try? await clock.sleep(for: max(.zero, limit))
            if !Task.isCancelled { self?.cutOff() }
        }
        let isOver = state.withLock { state in
            // Starting a task only enqueues it.
            if state.timer == nil, state.closing.phase != .over { state.timer = timer } else { return true }
            return false
        }
        if isOver { timer.cancel() }
    }
}

extension WebSocketConnection.State {
    /// Everybody whom the end concerns.
    struct End {
        let closure: WebSocketClosure
        let error: (any Error)?
        let reader: WebSocketConnection.MessageWaiter?
        let senders: [WebSocketConnection.SendWaiter]
        let pings: [CheckedContinuation<Duration, any Error>]
        let closers: [CheckedContinuation<WebSocketClosure, Never>]
        let timer: Task<Void, Never>?
        let keepAlive: Task<Void, Never>?
        let body: ResponseBody?
    }

    /// The call to tell the transport of bytes, or of the end after them; `nil` if it knows.
    mutating func announcement(isEnd: Bool = false) -> (@Sendable () -> Void)? {
        outbox.announces(isEnd: isEnd) ? line?.wake : nil
    }

    /// Ends everything; `nil` if it has ended before.
    mutating func end(_ cause: (any Error)?) -> End? {
        let wasAbandoned = closing.phase == .abandoned
        guard let closure = closing.end() else { return nil }
        error = wasAbandoned ? nil : Self.error(closing, closure, cause)
        let end = End(
            closure: closure,
            error: error,
            reader: inbox.finish(error),
            senders: outbox.removeLine(),
            pings: pings.removeAll(),
            closers: closeWaiters,
            timer: timer,
            keepAlive: keepAlive,
            body: body
        )
        outbox.removeAll()
        (closeWaiters, timer, keepAlive, line) = ([], nil, nil, nil)
        return end
    }

    private static func error(
        _ closing: CloseMachine,
        _ closure: WebSocketClosure,
        _ cause: (any Error)?
    ) -> (any Error)? {
        if let fault = closing.failure {
            var error = WebSocketError(fault)
            error.closure = closure
            return error
        }
        if closure.endsQuietly { return nil }
        if closure.isClean { return WebSocketError(.closed, closure: closure) }
        switch cause {
        case let cause as TransportError where cause.code != .shutDown:
            let reason = WebSocketError.Code.connectionLost.text
            let details = cause.underlyingDescription.map { ": \($0)" } ?? ""
            return WebSocketError(.connectionLost, reason: reason + details, closure: closure)
        case let cause?: return cause
        case nil: return WebSocketError(.connectionLost, closure: closure)
        }
    }

    /// Why nothing can be sent any more.
    var closedError: any Error {
        if let error { return error }
        if let fault = closing.failure { return WebSocketError(fault) }
        return WebSocketError(.closed, closure: closing.closure)
    }
}
