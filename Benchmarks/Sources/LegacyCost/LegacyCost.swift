import Foundation
import LoadKit

/// What a GET costs through the futures of the older systems, beside one through `ResponseFuture`.
///
/// Usage: LegacyCost url=URL length=BYTES [count=N]
///
/// A line for each system: processor time of the process for a request, with eight requests in flight.
@main
struct LegacyCost {
    private static let inFlight = 8

    static func main() async throws {
        let arguments = Arguments(CommandLine.arguments.dropFirst())
        guard let url = URL(string: try arguments.text("url")) else { throw LoadError("url=… is no URL") }
        let length = try arguments.number("length", 0)
        let count = try arguments.number("count", 4000)
        let contestants: [any GetContestant] = [
            ResponseFutureGet(url), NetworkKitGet(url), ClassicGet(url), FuturisticsGet(url),
        ]
        // Not on the main thread, where each would wake two threads.
        try await Task.detached {
            for contestant in contestants { try await measure(contestant, 200, length) }
            // In turns, so that a disturbance meets all of them.
            var used = [Double](repeating: 0, count: contestants.count)
            let turns = 10
            for turn in 0..<turns {
                for place in contestants.indices {
                    let index = (place + turn) % contestants.count
                    used[index] += try await measure(contestants[index], count / turns, length)
                }
            }
            for (contestant, used) in zip(contestants, used) {
                Report().with("contestant", contestant.name).with("shape", "GET 500 B")
                    .with("cpu_us", used / Double(count / turns * turns) * 1e6).print()
            }
        }.value
    }

    /// Sends requests, and returns the processor time they took, in seconds.
    @discardableResult
    private static func measure(_ contestant: any GetContestant, _ count: Int, _ length: Int) async throws -> Double {
        let before = Usage.processorTime
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<inFlight {
                group.addTask {
                    for _ in 0..<max(1, count / inFlight) {
                        let received = try await contestant.get()
                        guard received == length else { throw LoadError("\(received) in place of \(length)") }
                    }
                }
            }
            try await group.waitForAll()
        }
        return Usage.processorTime - before
    }
}
