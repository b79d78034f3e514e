import PiuPiuAsync

extension Runner {
    /// Sends each line of standard input as a message, and writes the messages of the server, until either side closes.
    ///
    /// - Parameter job: The job.
    /// - Throws: What went wrong.
    func talk(_ job: Job) async throws {
        let start = ContinuousClock.now
        try await dispatcher.withWebSocket(for: job.request, options: webSocketOptions) { socket in
            if arguments.showsHead { try write(HeadText.bytes(socket.response, colours)) }
            let sending = Sending(socket)
            // Not a child task, because the end of the WebSocket does not wait for a keyboard.
            let input = Task { await sending.sendLines() }
            let limit = arguments.maximumTime.map { time in
                Task { await sending.giveUp(at: start + time) }
            }
            defer {
                input.cancel()
                limit?.cancel()
            }
            let isTerminal = Terminal.isThere(STDOUT_FILENO)
            for try await message in socket.messages { try write(message, isTerminal: isTerminal) }
            if let failure = sending.failure { throw failure }
            if arguments.isVerbose { screen.note("Closed: \(await socket.waitForClosure().code)", isImportant: true) }
        }
    }

    private var webSocketOptions: WebSocketOptions {
        var options = WebSocketOptions()
        options.subprotocols = arguments.subprotocols
        options.keepAlive = arguments.pingInterval.map { WebSocketOptions.KeepAlive(interval: $0, timeout: $0) }
        switch arguments.version {
        case .http1?: options.http2 = .never
        case .http2?: options.http2 = .preferred
        default: break
        }
        return options
    }

    /// Writes a message: a text as a line, and bytes as they are, or their size if a person reads.
    private func write(_ message: WebSocketMessage, isTerminal: Bool) throws {
        let isFiltered = isTerminal && !arguments.isRaw
        switch message {
        case .text(let text): try write(Array(((isFiltered ? SafeText.lines(text) : text) + "\n").utf8))
        case .binary(let data) where isFiltered: screen.note("(binary: \(Amounts.size(Int64(data.count))))")
        case .binary(let data): try write(data)
        }
    }
}

/// Sends the lines of standard input.
private struct Sending: Sendable {
    private let socket: WebSocket
    private let state = Locked<FetchError?>(nil)

    init(_ socket: WebSocket) { self.socket = socket }

    /// Why it ended early; `nil` if it did not.
    var failure: FetchError? { state.withLock { $0 } }

    /// Sends the lines, and closes the WebSocket after the last one.
    func sendLines() async {
        do {
            for try await line in StandardInput().lines(limit: .max) { try await socket.send(line) }
            try await socket.close()
        } catch is CancellationError {
            // The WebSocket has ended.
        } catch is WebSocketError {
            // The reader of the messages is told, too.
        } catch {
            await end(FetchError(error), .internalError)
        }
    }

    /// Closes the WebSocket at the limit of the user.
    func giveUp(at deadline: ContinuousClock.Instant) async {
        do {
            try await Task.sleep(until: deadline, clock: .continuous)
            let text = "The WebSocket was open until the time limit."
            await end(FetchError(.timeout, text, advice: "Give it more time with --max-time."), .normalClosure)
        } catch {
            // It ended before.
        }
    }

    private func end(_ error: FetchError, _ code: WebSocketCloseCode) async {
        state.withLock { $0 = $0 ?? error }
        _ = try? await socket.close(code: code)
    }
}
