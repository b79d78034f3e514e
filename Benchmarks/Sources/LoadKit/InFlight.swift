import Foundation

/// Measures what each of many requests at once costs, against a server that answers late.
struct InFlight {
    let length: Int
    let count: Int
    let batches: Int

    init(_ arguments: Arguments) throws {
        length = try arguments.number("length", 0)
        count = try arguments.number("count", 100)
        batches = try arguments.number("batches", 1)
    }

    /// Each batch has a client of its own, so that each opens its connections.
    ///
    /// Memory is that of the first; the time of the others is counted, because what a process gets from the system for
    /// the first time costs more the more of it there is.
    func run<Tested: Client>(_ type: Tested.Type, _ settings: ClientSettings, _ address: Address) async throws -> Report
    {
        var settings = settings
        settings.connections = count
        let quick = try Address(address.text.replacing(/[0-9]+$/, with: "0"))
        // What a process pays once is no request's.
        let first = try type.init(settings)
        for _ in 0..<20 { _ = try await first.get(quick) }
        try await first.shutdown()
        Usage.resetPeak()
        let memoryBefore = Usage.residentBytes
        var memory = 0
        var used = 0.0
        for batch in 0...batches {
            let before = Usage.processorTime
            let client = try type.init(settings)
            try await self.batch(client, address)
            if batch == 0 {
                memory = Usage.peakBytes - memoryBefore
            } else {
                used += Usage.processorTime - before
            }
            try await client.shutdown()
        }
        return Report().with("count", count).with("batches", batches)
            .with("memory_kib", Double(memory) / 1024 / Double(count))
            .with("cpu_us", used / Double(count * batches) * 1e6)
    }

    private func batch<Tested: Client>(_ client: Tested, _ address: Address) async throws {
        let length = length
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    let received = try await client.get(address)
                    guard received == length else { throw LoadError("\(received) in place of \(length)") }
                }
            }
            try await group.waitForAll()
        }
    }
}
