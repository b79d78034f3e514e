import Dispatch
import LoadKit

/// Callbacks that go to a queue for the work of each step, and to the main queue for its result.
///
/// Futures of PiuPiu 1 did the same. These are only the hops, without the objects around them.
struct QueueContestant: ChainContestant {
    let name = "main queue hops"

    func chain(_ number: Int, thens: Int) async throws -> Int {
        try await withCheckedThrowingContinuation { hop(number, thens, $0) }
    }

    func join(_ count: Int) async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            let sum = Sum(count, continuation)
            for number in 0..<count {
                DispatchQueue.global().async {
                    let result = Result { try ChainStep.next(number) }
                    DispatchQueue.main.async { MainActor.assumeIsolated { sum.add(result) } }
                }
            }
        }
    }

    private func hop(_ value: Int, _ left: Int, _ continuation: CheckedContinuation<Int, any Error>) {
        DispatchQueue.global().async {
            let result = Result { try ChainStep.next(value) }
            DispatchQueue.main.async {
                switch result {
                case .success(let value) where left > 0: hop(value, left - 1, continuation)
                case let result: continuation.resume(with: result)
                }
            }
        }
    }

    @MainActor
    private final class Sum {
        private var left: Int
        private var sum = 0
        private let continuation: CheckedContinuation<Int, any Error>

        nonisolated init(_ count: Int, _ continuation: CheckedContinuation<Int, any Error>) {
            left = count
            self.continuation = continuation
        }

        func add(_ result: Result<Int, any Error>) {
            left -= 1
            if case .success(let value) = result { sum += value }
            if left == 0 { continuation.resume(returning: sum) }
        }
    }
}
