import Foundation

/// Measures what each of many idle WebSockets costs in memory.
struct IdleSockets {
    let count: Int
    let batch = 50
    /// Whether a task waits for a message on each.
    let waiting: Bool

    init(_ arguments: Arguments) throws {
        count = try arguments.number("count", 1000)
        waiting = arguments.has("waiting")
    }

    /// Ends the process, because closing so many is not what is measured.
    func run<Tested: SocketClient>(_ client: Tested, _ address: Address) async throws -> Never {
        // What a process pays once is no socket's.
        for _ in 0..<20 {
            try await client.withSocket(address) { socket in
                _ = try await client.echo(message, on: socket, until: .now)
            }
        }
        let before = try await Self.settled
        let used = Usage.processorTime
        let (opened, echoed) = try await waiting ? withTasks(client, address) : alone(client, address)
        let report = Report().with("count", count).with("memory_bytes", Double(opened - before) / Double(count))
            .with("echoed_memory_bytes", Double(echoed - before) / Double(count))
            .with("cpu_us", (Usage.processorTime - used) / Double(count) * 1e6)
        report.print()
        exit(0)
    }

    private func alone<Tested: SocketClient>(
        _ client: Tested,
        _ address: Address
    ) async throws -> (opened: Int, echoed: Int) {
        var sockets: [Tested.Socket] = []
        while sockets.count < count {
            let opened = try await withThrowingTaskGroup(of: Tested.Socket?.self) { group in
                for _ in 0..<min(batch, count - sockets.count) {
                    group.addTask { try await client.open(address) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for case let socket? in opened { sockets.append(socket) }
            guard !opened.contains(where: { $0 == nil }) else {
                throw LoadError("needs a task for each socket")
            }
        }
        let opened = try await Self.settled
        for first in stride(from: 0, to: count, by: batch) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for socket in sockets[first..<min(first + batch, count)] {
                    group.addTask { _ = try await client.echo(message, on: socket, until: .now) }
                }
                try await group.waitForAll()
            }
        }
        let echoed = try await Self.settled
        // A client may close what nothing refers to.
        withExtendedLifetime(sockets) {}
        return (opened, echoed)
    }

    private func withTasks<Tested: SocketClient>(
        _ client: Tested,
        _ address: Address
    ) async throws -> (opened: Int, echoed: Int) {
        let executors = client.executors
        let all = Barrier(count + 1)
        for first in stride(from: 0, to: count, by: batch) {
            let size = min(batch, count - first)
            let open = Barrier(size + 1)
            for number in first..<(first + size) {
                let executor = executors.isEmpty ? nil : executors[number % executors.count]
                Task(executorPreference: executor) {
                    do {
                        try await client.withSocket(address) { socket in
                            await open.pass()
                            _ = try await client.echo(message, on: socket, until: .now)
                            await all.pass()
                            try await client.wait(socket)
                            throw LoadError("a socket was closed")
                        }
                    } catch {
                        FileHandle.standardError.write(Data("FAILED: \(error)\n".utf8))
                        exit(1)
                    }
                }
            }
            await open.pass()
        }
        await all.pass()
        let settled = try await Self.settled
        return (settled, settled)
    }

    private var message: [UInt8] { [UInt8](repeating: 1, count: 125) }

    /// Resident memory when nothing happens any more.
    private static var settled: Int {
        get async throws {
            try await Task.sleep(for: .seconds(1))
            return Usage.residentBytes
        }
    }
}
