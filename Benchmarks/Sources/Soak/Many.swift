import LoadKit
import PiuPiuAsync

/// 100,000 requests one after the other, and 100,000 with 256 in flight: nothing may pile up.
struct Many {
    let server: ServerProcess

    func run() async throws -> [String] {
        try await measure("one after the other", workers: 1) + measure("256 at a time", workers: 256)
    }

    private func measure(_ name: String, workers: Int) async throws -> [String] {
        let dispatcher = Soak.dispatcher(perHost: 64)
        var memory: [Int] = []
        var descriptors: [Int] = []
        for _ in 0..<10 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<workers {
                    let share = 10_000 / workers + (worker < 10_000 % workers ? 1 : 0)
                    group.addTask {
                        for _ in 0..<share {
                            let response = try await dispatcher.data(from: server.url("/fast"))
                            guard response.data?.count == 491 else { throw Problem(text: "wrong body") }
                        }
                    }
                }
                try await group.waitForAll()
            }
            memory.append(Usage.residentBytes)
            descriptors.append(Usage.descriptors)
        }
        await dispatcher.shutdown()
        let growth = (memory.max() ?? 0) - memory[0]
        print(
            "100,000 requests, \(name): KiB after each tenth \(memory.map { $0 / 1024 }), descriptors \(descriptors)"
        )
        var failures: [String] = []
        if growth > 2 << 20 { failures.append("\(name): memory grew by \(growth / 1024) KiB after the first tenth") }
        if (descriptors.max() ?? 0) > descriptors[0] { failures.append("\(name): descriptors grew") }
        return failures
    }
}
