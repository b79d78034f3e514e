import PiuPiuAsync
import Synchronization

/// Sends messages over several sockets at once, several at a time, and compares the answers with what it sent.
struct Echo: Sendable {
    /// A message that is not the one that was sent.
    struct Different: Error, CustomStringConvertible {
        let description: String
    }

    /// The messages that came back.
    private struct Counts {
        var messages = 0
        var bytes = 0
        /// The longest time that a closing handshake took.
        var closing = Duration.zero
    }

    private let url: URL
    private let connector: Connector
    private let sockets: Int
    private let perSocket: Int
    private let window: Int
    private let limit: Duration
    private let messages: Messages

    init(_ arguments: Arguments, _ connector: Connector) {
        url = arguments.url
        self.connector = connector
        sockets = arguments.number("sockets", 50)
        perSocket = max(1, arguments.number("messages", 10_000) / sockets)
        window = arguments.number("window", 8)
        limit = .seconds(arguments.number("seconds", 300))
        let seed = UInt64(arguments.number("seed", 1))
        messages = Messages(seed: seed, maximum: arguments.number("maximum", 1 << 20))
    }

    func run() async -> Bool {
        let start = ContinuousClock.now
        let (counts, faults) = await withTaskGroup(of: (Counts, String?).self) { group in
            for number in 0..<sockets {
                group.addTask {
                    let progress = Progress()
                    do {
                        try await withTimeLimit(limit, "socket \(number)") { try await check(number, progress) }
                        return (progress.counts, nil)
                    } catch {
                        return (progress.counts, "socket \(number), after \(progress.counts.messages): \(error)")
                    }
                }
            }
            return await group.reduce(into: (Counts(), [String]())) { sum, each in
                sum.0.messages += each.0.messages
                sum.0.bytes += each.0.bytes
                sum.0.closing = max(sum.0.closing, each.0.closing)
                if let fault = each.1 { sum.1.append(fault) }
            }
        }
        for fault in faults { printLine("FAULT \(fault)") }
        let expected = perSocket * sockets
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        printLine(
            """
            echoed \(counts.messages) of \(expected) messages, \(counts.bytes) bytes, over \(sockets) sockets in \
            \(Self.text(seconds)) s, closed within \(Self.text(counts.closing / .seconds(1))) s, \(faults.count) faults
            """
        )
        return faults.isEmpty && counts.messages == expected
    }

    private static func text(_ seconds: Double) -> String { "\((seconds * 1000).rounded() / 1000)" }

    /// Counts that are known even if the socket fails.
    private final class Progress: Sendable {
        private let state = Mutex(Counts())

        var counts: Counts { state.withLock { $0 } }

        func add(_ message: WebSocketMessage) {
            state.withLock {
                $0.messages += 1
                $0.bytes += message.size
            }
        }

        func closed(after duration: Duration) {
            state.withLock { $0.closing = duration }
        }
    }

    private func check(_ number: Int, _ progress: Progress) async throws {
        let socket = try await connector.open(url)
        let (permits, permit) = AsyncStream.makeStream(of: Void.self)
        for _ in 0..<window { permit.yield() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var iterator = permits.makeAsyncIterator()
                for index in 0..<perSocket {
                    _ = await iterator.next()
                    try await socket.send(messages.message(index, of: number))
                }
            }
            group.addTask {
                for index in 0..<perSocket {
                    try await receive(index, from: socket, number, progress)
                    permit.yield()
                }
            }
            group.addTask { _ = try await socket.ping() }
            // `waitForAll` would wait for the sender although the receiver has failed.
            while try await group.next() != nil {}
        }
        let start = ContinuousClock.now
        let closure = try await socket.close()
        progress.closed(after: ContinuousClock.now - start)
        guard closure.isClean, closure.code == .normalClosure else {
            throw Different(description: "the closure is \(closure)")
        }
    }

    private func receive(_ index: Int, from socket: WebSocket, _ number: Int, _ progress: Progress) async throws {
        guard let message = try await socket.receive() else {
            throw Different(description: "closed before message \(index)")
        }
        let expected = messages.message(index, of: number)
        guard message == expected else {
            throw Different(description: "message \(index) is \(message.summary), not \(expected.summary)")
        }
        progress.add(message)
    }
}
