import CMalloc
import PiuPiuFutures

/// What futures cost in time and memory, against bare tasks in the same run.
///
/// Usage: FutureCost [ROUNDS]
///        FutureCost futures|tasks COUNT     only runs so many, for whoever counts instructions
@main
struct FutureCost {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        if let kind = arguments.first, Int(kind) == nil {
            guard let count = arguments.last.flatMap({ Int($0) }), ["futures", "tasks"].contains(kind) else {
                print("Usage: FutureCost [ROUNDS] or FutureCost futures|tasks COUNT")
                exit(2)
            }
            // Not on the main thread, where each would wake two threads.
            try await Task.detached {
                for number in 0..<count { try await kind == "futures" ? runFuture(number) : runTask(number) }
            }.value
            return
        }
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 41
        var failures: [String] = []
        let (future, task) = try await time(rounds)
        let ratio = future / task
        print("a future with three thens: \(text(future)) µs, a task: \(text(task)) µs, ratio \(text(ratio))")
        if ratio > 3 { failures.append("a future costs more than three tasks") }
        let memory = try await memory(of: 10_000, thens: 0)
        let chain = try await Self.memory(of: 10_000, thens: 3)
        print("10,000 in flight: \(text(memory / 1024)) KiB each, \(text(chain / 1024)) KiB with three thens")
        if memory > 4096 { failures.append("a future in flight needs more than 4 KiB") }
        for failure in failures { print("FAILED: \(failure)") }
        if !failures.isEmpty { exit(1) }
    }

    // MARK: Time

    private static func time(_ rounds: Int) async throws -> (future: Double, task: Double) {
        let count = 2000
        let clock = ContinuousClock()
        var futures: [Double] = []
        var tasks: [Double] = []
        // In turns, so that whatever slows the machine slows both.
        for round in 0..<(rounds + 3) {
            let future = try await clock.measure {
                for number in 0..<count { try await runFuture(number) }
            }
            let task = try await clock.measure {
                for number in 0..<count { try await runTask(number) }
            }
            guard round >= 3 else { continue }
            futures.append(future / .microseconds(count))
            tasks.append(task / .microseconds(count))
        }
        return (median(futures), median(tasks))
    }

    private static func runFuture(_ number: Int) async throws {
        let future = ResponseFuture { try await step(number) }
            .then { try check($0) }
            .then { try check($0) }
            .then { try check($0) }
        guard try await future.fetchResult() == number + 4 else { throw Problem() }
    }

    private static func runTask(_ number: Int) async throws {
        let first: @Sendable () async throws -> Int = { try await step(number) }
        let second: @Sendable (Int) async throws -> Int = { try check($0) }
        let third: @Sendable (Int) async throws -> Int = { try check($0) }
        let fourth: @Sendable (Int) async throws -> Int = { try check($0) }
        let task = Task { try await fourth(third(second(first()))) }
        guard try await task.value == number + 4 else { throw Problem() }
    }

    @inline(never) private static func step(_ number: Int) async throws -> Int { try check(number) }

    @inline(never) private static func check(_ number: Int) throws -> Int {
        if number < 0 { throw Problem() }
        return number + 1
    }

    // MARK: Memory

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
                return try await step(number)
            }
            for _ in 0..<thens { future = future.then { try check($0) } }
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
            guard try await future.fetchResult() == number + 1 + thens else { throw Problem() }
        }
        return Double(after - before) / Double(count)
    }

    // MARK: Numbers

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    private static func text(_ value: Double) -> String { String(format: "%.2f", value) }
}

struct Problem: Error {}
