// Messages and pings from this side.
extension WebSocketConnection {
    /// The size from which a message is masked outside the lock.
    private static let largeSize = 32 * 1024

    /// Adds a message if there is room; returns `false` if the sender has to wait.
    func sendAtOnce(_ opcode: FrameOpcode, _ bytes: UnsafeRawBufferPointer) throws -> Bool {
        let isCompressed = deflater != nil && bytes.count >= options.compression.minimumSize && !bytes.isEmpty
        if isCompressed || bytes.count > Self.largeSize {
            guard try state.withLock({ try $0.takeTurn() }) else { return false }
            try sendInTurn(opcode, bytes, isCompressed: isCompressed)
            return true
        }
        let result = try state.withLock { state -> (@Sendable () -> Void)?? in
            try state.checkOpen()
            guard state.outbox.isFree else { return nil }
            let key = state.masks.next()
            state.outbox.add(bytes.count + FrameWriter.maximumHeaderSize) { output in
                FrameWriter.appendFrame(bytes, opcode: opcode, key: key, to: &output)
            }
            return .some(state.announcement())
        }
        guard let wake = result else { return false }
        wake?()
        report(.sent, isText: opcode == .text, bytes)
        return true
    }

    /// Waits for the turn, and adds a message.
    func sendLater(_ opcode: FrameOpcode, _ data: Data) async throws {
        try await takeTurn()
        let isCompressed = deflater != nil && data.count >= options.compression.minimumSize && !data.isEmpty
        try data.withUnsafeBytes { try sendInTurn(opcode, $0, isCompressed: isCompressed) }
    }

    /// Adds a message, and gives the turn back.
    private func sendInTurn(_ opcode: FrameOpcode, _ bytes: UnsafeRawBufferPointer, isCompressed: Bool) throws {
        let piece: [UInt8]
        do {
            piece = try makeFrame(opcode, bytes, isCompressed: isCompressed)
        } catch {
            giveTurn()
            // What the compressor's window holds is unknown.
            fail(WebSocketError.Fault(.connectionLost, error.text), error.closeCode)
            throw closedError
        }
        try add(piece, givesTurn: true)
        report(.sent, isText: opcode == .text, bytes)
    }

    private func makeFrame(
        _ opcode: FrameOpcode,
        _ bytes: UnsafeRawBufferPointer,
        isFinal: Bool = true,
        isCompressed: Bool
    ) throws(WebSocketViolation) -> [UInt8] {
        let key = state.withLock { $0.masks.next() }
        var piece: [UInt8] = []
        guard isCompressed, let deflater else {
            piece.reserveCapacity(bytes.count + FrameWriter.maximumHeaderSize)
            FrameWriter.appendFrame(bytes, opcode: opcode, isFinal: isFinal, key: key, to: &piece)
            return piece
        }
        var payload: [UInt8] = []
        try deflater.compress(bytes, into: &payload)
        piece.reserveCapacity(payload.count + FrameWriter.maximumHeaderSize)
        payload.withUnsafeBytes {
            FrameWriter.appendFrame($0, opcode: opcode, isCompressed: true, key: key, to: &piece)
        }
        return piece
    }

    private func add(_ piece: [UInt8], givesTurn: Bool) throws {
        let (wake, next, error) = state.withLock { state -> ((@Sendable () -> Void)?, SendWaiter?, (any Error)?) in
            let isOpen = state.closing.maySend
            if isOpen { state.outbox.add(piece) }
            return (state.announcement(), givesTurn ? state.outbox.giveTurn() : nil, isOpen ? nil : state.closedError)
        }
        wake?()
        next?.resume()
        if let error { throw error }
    }

    private func giveTurn() {
        state.withLock { $0.outbox.giveTurn() }?.resume()
    }

    /// Waits for the turn.
    private func takeTurn() async throws {
        if try state.withLock({ try $0.takeTurn() }) { return }
        try await wait { state, waiter, id in
            try state.checkOpen()
            return state.outbox.takeTurn(waiter, id).map { !$0 }
        }
    }

    /// Lets a sender wait until it is resumed; `begin` returns whether it has to wait, and `nil` if it was cancelled.
    private func wait(_ begin: @escaping @Sendable (inout State, SendWaiter, Int) throws -> Bool?) async throws {
        let id = state.withLock { $0.outbox.makeID() }
        defer { state.withLock { $0.outbox.forget(id) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: SendWaiter) in
                let result = Result { try state.withLock { try begin(&$0, waiter, id) } }
                switch result {
                case .success(true?): break
                case .success(false?): waiter.resume()
                case .success(nil): waiter.resume(throwing: CancellationError())
                case .failure(let error): waiter.resume(throwing: error)
                }
            }
        } onCancel: {
            state.withLock { $0.outbox.cancel(id) }?.resume(throwing: CancellationError())
        }
    }

    /// Sends a message in fragments, one for each part.
    func send<Parts: AsyncSequence>(
        _ opcode: FrameOpcode,
        parts: Parts,
        isolation: isolated (any Actor)?,
        bytes: (Parts.Element) -> Data
    ) async throws {
        try await takeTurn()
        var next = opcode
        var hasTurn = true
        var size = 0
        do {
            for try await part in parts {
                let data = bytes(part)
                guard !data.isEmpty else { continue }
                let piece = try data.withUnsafeBytes { try makeFrame(next, $0, isFinal: false, isCompressed: false) }
                try add(piece, givesTurn: false)
                next = .continuation
                size += data.count
                try await wait { state, waiter, id in
                    try state.checkOpen()
                    return state.outbox.waitForRoom(waiter, id)
                }
            }
            let last = try makeFrame(next, UnsafeRawBufferPointer(start: nil, count: 0), isCompressed: false)
            hasTurn = false
            try add(last, givesTurn: true)
            reportParts(isText: opcode == .text, size)
        } catch {
            if hasTurn { giveTurn() }
            // The server waits for the rest of the message.
            if next == .continuation { beginClosing(.internalError, "") }
            throw error
        }
    }

    private func reportParts(isText: Bool, _ size: Int) {
        call?.report(.webSocketMessage(ObservedMessage(.sent, isText: isText, byteCount: size)))
    }

    // MARK: Pings

    /// Sends a ping, and waits for its pong.
    func ping() async throws -> Duration {
        let number = state.withLock { $0.pings.makeNumber() }
        defer { state.withLock { $0.pings.forget(number) } }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Duration, any Error>) in
                if let error = sendPing(number, waiter) { waiter.resume(throwing: error) }
            }
        } onCancel: {
            state.withLock { $0.pings.cancel(number) }?.resume(throwing: CancellationError())
        }
    }

    /// Sends a ping; returns the error if that is impossible.
    @discardableResult
    private func sendPing(_ number: UInt64, _ waiter: CheckedContinuation<Duration, any Error>?) -> (any Error)? {
        let (wake, error) = state.withLock { state -> ((@Sendable () -> Void)?, (any Error)?) in
            guard state.closing.maySend else { return (nil, state.closedError) }
            guard state.pings.add(number, waiter, now: .now) else { return (nil, CancellationError()) }
            state.add(.ping, PingList<Void>.payload(number))
            return (state.announcement(), nil)
        }
        wake?()
        return error
    }

    func pongArrived(_ payload: [UInt8]) {
        let answered = state.withLock { $0.pings.pongArrived(payload, now: .now) }
        for (waiter, time) in answered { waiter.resume(returning: time) }
    }

    /// Begins to send pings at regular intervals, if the options ask for it.
    func startKeepAlive() {
        guard let setting = options.keepAlive else { return }
        let rest = max(.milliseconds(1), setting.interval - setting.timeout)
        let task = Task { [weak self, clock] in
            while !Task.isCancelled {
                try? await clock.sleep(for: rest)
                guard !Task.isCancelled, let number = self?.keepAlive() else { return }
                try? await clock.sleep(for: max(.milliseconds(1), setting.timeout))
                guard !Task.isCancelled else { return }
                self?.endUnlessAnswered(number)
            }
        }
        let isOver = state.withLock { state in
            guard state.closing.phase != .over else { return true }
            state.keepAlive = task
            return false
        }
        if isOver { task.cancel() }
    }

    /// Sends a ping that nobody waits for, and returns its number; `nil` after the end.
    private func keepAlive() -> UInt64? {
        let number = state.withLock { $0.pings.makeNumber() }
        return sendPing(number, nil) == nil ? number : nil
    }

    private func endUnlessAnswered(_ number: UInt64) {
        // While messages wait for the program to read them, the pong may be behind them.
        guard state.withLock({ $0.pings.awaits(number) && !$0.inbox.isStopped }) else { return }
        fail(WebSocketError.Fault(.pingTimeout), .goingAway)
    }
}

extension WebSocketConnection.State {
    /// Throws if nothing can be sent any more.
    func checkOpen() throws {
        guard closing.maySend else { throw closedError }
    }

    /// Takes the turn to send; returns `false` if that is impossible without waiting.
    mutating func takeTurn() throws -> Bool {
        try checkOpen()
        return outbox.takeTurn()
    }
}
