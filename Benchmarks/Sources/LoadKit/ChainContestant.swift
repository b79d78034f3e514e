import Foundation

/// A kind of future to be measured: what every one of them has to do for the same loop.
package protocol ChainContestant: Sendable {
    var name: String { get }
    /// Makes ``ChainStep/first(_:)`` a future, adds so many `then`s with ``ChainStep/next(_:)``, starts it, and waits.
    func chain(_ number: Int, thens: Int) async throws -> Int
    /// Makes so many futures of ``ChainStep/first(_:)``, starts them side by side, and gives the sum of their values.
    func join(_ count: Int) async throws -> Int
}

package enum ChainStep {
    @inline(never) package static func first(_ number: Int) async throws -> Int { try next(number) }

    @inline(never) package static func next(_ number: Int) throws -> Int {
        if number < 0 { throw LoadError("a negative number") }
        return number + 1
    }
}

/// Measures contestants in turns, each shape for so many seconds, and prints a line for each.
package struct ChainProgram {
    let contestants: [any ChainContestant]

    package init(_ contestants: [any ChainContestant]) { self.contestants = contestants }

    /// Measures each contestant for so many seconds for each shape.
    package func run(seconds: Double) async throws {
        for thens in [0, 1, 3, 10] {
            for contestant in contestants {
                try await measure(contestant, "\(thens) thens", seconds) { number in
                    try await contestant.chain(number, thens: thens) == number + 1 + thens
                }
            }
        }
        for contestant in contestants {
            try await measure(contestant, "join of 100", seconds) { _ in
                try await contestant.join(100) == 5050
            }
        }
    }

    private func measure(
        _ contestant: any ChainContestant,
        _ shape: String,
        _ seconds: Double,
        _ operation: @escaping @Sendable (Int) async throws -> Bool
    ) async throws {
        // Not on the main thread, where each would wake two threads.
        let report = try await Task.detached {
            _ = try await repeated(seconds / 5, operation)
            let processorTime = Usage.processorTime
            let start = ContinuousClock.now
            let count = try await repeated(seconds, operation)
            let wall = (ContinuousClock.now - start) / .microseconds(1)
            let used = Usage.processorTime - processorTime
            return Report().with("wall_us", wall / Double(count)).with("cpu_us", used / Double(count) * 1e6)
        }.value
        report.with("contestant", contestant.name).with("shape", shape).print()
    }
}

private func repeated(_ seconds: Double, _ operation: (Int) async throws -> Bool) async throws -> Int {
    let end = ContinuousClock.now + .seconds(seconds)
    var count = 0
    repeat {
        for _ in 0..<20 {
            guard try await operation(count) else { throw LoadError("a wrong value") }
            count += 1
        }
    } while ContinuousClock.now < end
    return count
}

/// What Swift has for it: the least that can be done.
package struct TaskContestant: ChainContestant {
    package let name = "Task"

    package init() {}

    package func chain(_ number: Int, thens: Int) async throws -> Int {
        try await Task {
            var value = try await ChainStep.first(number)
            for _ in 0..<thens { value = try ChainStep.next(value) }
            return value
        }.value
    }

    package func join(_ count: Int) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<count { group.addTask { try await ChainStep.first(number) } }
            return try await group.reduce(0, +)
        }
    }
}
