import CMalloc
import LoadKit
import PiuPiuFutures

/// What futures cost in time and memory.
///
/// Usage: FutureCost seconds=S            times, beside a task and beside hops through the main queue
///        FutureCost memory=COUNT         memory of so many futures in flight
///        FutureCost futures|tasks COUNT  only runs so many with three thens, to count instructions
@main
struct FutureCost {
    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        let arguments = Arguments(words)
        if words.count == 2, ["futures", "tasks"].contains(words[0]), let count = Int(words[1]) {
            let contestant: any ChainContestant = words[0] == "futures" ? PiuPiuContestant() : TaskContestant()
            // Not on the main thread, where each would wake two threads.
            try await Task.detached {
                for number in 0..<count { _ = try await contestant.chain(number, thens: 3) }
            }.value
        } else if arguments.has("memory") {
            let count = try arguments.number("memory", 10_000)
            for thens in [0, 3] {
                let bytes = try await memory(of: count, thens: thens)
                Report().with("contestant", "PiuPiu").with("shape", "\(thens) thens").with("memory_kib", bytes / 1024)
                    .print()
            }
        } else {
            try await ChainProgram([TaskContestant(), PiuPiuContestant(), QueueContestant()])
                .run(seconds: arguments.number("seconds", 0.3))
        }
    }

    private static func memory(of count: Int, thens: Int) async throws -> Double {
        // The first ones pay for what the runtime keeps.
        _ = try await hold(100, thens)
        return try await hold(count, thens)
    }

    private static func hold(_ count: Int, _ thens: Int) async throws -> Double {
        let (stream, continuation) = AsyncStream.makeStream(of: CheckedContinuation<Void, Never>.self)
        cm_trim()
        let before = cm_allocated()
        var futures: [ResponseFuture<Int>] = []
        futures.reserveCapacity(count)
        for number in 0..<count {
            var future = ResponseFuture {
                await withCheckedContinuation { _ = continuation.yield($0) }
                return try await ChainStep.first(number)
            }
            for _ in 0..<thens { future = future.then { try ChainStep.next($0) } }
            future.send()
            futures.append(future)
        }
        var waiters: [CheckedContinuation<Void, Never>] = []
        waiters.reserveCapacity(count)
        var arrivals = stream.makeAsyncIterator()
        while waiters.count < count, let waiter = await arrivals.next() { waiters.append(waiter) }
        let after = cm_allocated()
        for waiter in waiters { waiter.resume() }
        for (number, future) in futures.enumerated() {
            guard try await future.fetchResult() == number + 1 + thens else { throw LoadError("a wrong value") }
        }
        return Double(after - before) / Double(count)
    }
}
