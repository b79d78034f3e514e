import PiuPiuAsync

/// Opens sockets, prints `open`, and prints how each ends while the server or a proxy goes away.
///
///     open 20
///     socket 3 echoed 17, ended connectionLost
///     socket 4 echoed 17, closed 1001 clean
///
/// With `--reopen`, a further socket has to echo a message when all have ended. With `--until N`, each socket closes after
/// N messages, unless it has ended.
struct Hold: Sendable {
    private let url: URL
    private let connector: Connector
    private let sockets: Int
    private let reopens: Bool
    private let until: Int
    private let limit: Duration

    init(_ arguments: Arguments, _ connector: Connector) {
        url = arguments.url
        self.connector = connector
        sockets = arguments.number("sockets", 20)
        reopens = arguments.has("reopen")
        until = arguments.number("until", .max)
        limit = .seconds(arguments.number("seconds", 60))
    }

    func run() async -> Bool {
        do {
            var open: [WebSocket] = []
            for _ in 0..<sockets { open.append(try await connector.open(url)) }
            printLine("open \(open.count)")
            let isRight = await withTaskGroup(of: Bool.self) { group in
                for (number, socket) in open.enumerated() { group.addTask { await hold(socket, number) } }
                return await group.allSatisfy { $0 }
            }
            if reopens { try await reopen() }
            return isRight
        } catch {
            printLine("error \(error)")
            return false
        }
    }

    /// Returns whether the socket ended in time.
    ///
    /// Half of the sockets wait for a message, half send one ten times a second.
    private func hold(_ socket: WebSocket, _ number: Int) async -> Bool {
        do {
            let text = try await withTimeLimit(limit, "socket \(number)") {
                number.isMultiple(of: 2) ? await wait(socket) : await chat(socket)
            }
            printLine("socket \(number) \(text)")
            return true
        } catch {
            printLine("socket \(number) error \(error)")
            return false
        }
    }

    private func wait(_ socket: WebSocket) async -> String {
        if until < .max { return await chat(socket) }
        do {
            while try await socket.receive() != nil {}
            return "echoed 0, \(await end(of: socket))"
        } catch {
            return "echoed 0, \(await end(of: socket, error))"
        }
    }

    private func chat(_ socket: WebSocket) async -> String {
        var count = 0
        do {
            while count < until {
                try await socket.send("message \(count)")
                guard let message = try await socket.receive() else { break }
                guard message == .text("message \(count)") else { return "echoed \(count), got \(message.summary)" }
                count += 1
                try await Task.sleep(for: .milliseconds(100))
            }
            if count == until { _ = try await socket.close() }
            return "echoed \(count), \(await end(of: socket))"
        } catch {
            return "echoed \(count), \(await end(of: socket, error))"
        }
    }

    /// Describes the end; an error other than `closed` is the end itself.
    private func end(of socket: WebSocket, _ error: (any Error)? = nil) async -> String {
        if let error {
            guard let failure = error as? WebSocketError else { return "ended \(error)" }
            if failure.code != .closed { return "ended \(failure.code)" }
        }
        let closure = await socket.waitForClosure()
        return "closed \(closure.code.rawValue) \(closure.isClean ? "clean" : "unclean")"
    }

    private func reopen() async throws {
        let deadline = ContinuousClock.now + .seconds(15)
        while true {
            do {
                let socket = try await connector.open(url)
                try await socket.send("again")
                let message = try await socket.receive()
                printLine(message == .text("again") ? "reopened" : "error reopening: \(message?.summary ?? "closed")")
                _ = try await socket.close()
                return
            } catch {
                printLine("reopening: \(error)")
                if ContinuousClock.now > deadline { throw error }
                try await Task.sleep(for: .milliseconds(200))
            }
        }
    }
}
