import Foundation

/// Keeps a number of requests in flight for some time, and checks each answer.
struct Load {
    let kind: String
    let length: Int
    let inFlight: Int
    let duration: Duration
    let probe: String?

    init(_ kind: String, _ arguments: Arguments) throws {
        self.kind = kind
        length = try arguments.number("length", 0)
        inFlight = try arguments.number("in-flight", 1)
        duration = .seconds(try arguments.number("seconds", 1.0))
        probe = try? arguments.text("probe")
    }

    func run<Tested: Client>(_ client: Tested, _ address: Address) async throws -> Report {
        var spoken = "?"
        if let probe { spoken = try await client.text(Address(probe)) }
        _ = try await round(client, address, min(duration / 4, .milliseconds(250)))
        let processorTime = Usage.processorTime
        let start = ContinuousClock.now
        let count = try await round(client, address, duration)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let used = Usage.processorTime - processorTime
        try await client.shutdown()
        return Report().with("count", count).with("rate", Double(count) / seconds)
            .with("latency_us", seconds / Double(count) * Double(inFlight) * 1e6)
            .with("cpu_us", used / Double(count) * 1e6).with("protocol_spoken", spoken)
    }

    /// Keeps so many in flight until the time is over, and gives how many there were; each worker sends one at least.
    private func round<Tested: Client>(_ client: Tested, _ address: Address, _ time: Duration) async throws -> Int {
        let operation: @Sendable () async throws -> Int
        switch kind {
        case "get": operation = { try await client.get(address) }
        case "post": operation = { try await client.post(address) }
        case "decode": operation = { try await client.decode(address) }
        default: throw LoadError("kind=\(kind) is unknown")
        }
        let end = ContinuousClock.now + time
        let length = length
        let executors = client.executors
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for worker in 0..<inFlight {
                group.addTask(executorPreference: executors.isEmpty ? nil : executors[worker % executors.count]) {
                    var count = 0
                    repeat {
                        let received = try await operation()
                        guard received == length else { throw LoadError("\(received) in place of \(length)") }
                        count += 1
                    } while ContinuousClock.now < end
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
    }
}
