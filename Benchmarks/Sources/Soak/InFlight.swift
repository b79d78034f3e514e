import CMalloc
import PiuPiuAsync

/// Thousands of requests in flight at once against a server that answers after two seconds.
struct InFlight {
    let server: ServerProcess

    func run() async throws -> [String] {
        var failures: [String] = []
        var costs: [Double] = []
        let counts = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
        for count in counts.isEmpty ? [500, 1000, 2000, 4000] : counts {
            let (memory, cost) = try await measure(count)
            costs.append(cost)
            print(
                "in flight \(count): all succeeded, \((memory / 1024).short) KiB and \((cost * 1e6).short) µs CPU each"
            )
            if count == 4000, memory > 20 * 1024 { failures.append("memory per request in flight over 20 KiB") }
        }
        guard costs.count == 4 else { return failures }
        let growth = costs[3] / costs[1]
        print("CPU per request, 4000 against 1000 in flight: \(growth.short)")
        if growth > 1.5 { failures.append("CPU does not grow linearly") }
        return failures
    }

    private func measure(_ count: Int) async throws -> (memory: Double, cost: Double) {
        let dispatcher = Soak.dispatcher(perHost: 4096)
        for _ in 0..<20 { _ = try await dispatcher.data(from: server.url("/fast")) }
        // Or what earlier measurements left to be used again would not be counted.
        cm_trim()
        let memoryBefore = Usage.residentBytes
        let timeBefore = Usage.processorTime
        let sampler = Task {
            var most = 0
            while !Task.isCancelled {
                most = max(most, Usage.residentBytes)
                try? await Task.sleep(for: .milliseconds(100))
            }
            return most
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    let response = try await dispatcher.data(from: server.url("/two-seconds"))
                    guard response.data?.count == 491 else { throw Problem(text: "wrong body") }
                }
            }
            try await group.waitForAll()
        }
        let time = Usage.processorTime - timeBefore
        sampler.cancel()
        let memory = await sampler.value - memoryBefore
        await dispatcher.shutdown()
        return (Double(memory) / Double(count), time / Double(count))
    }
}
