import Dispatch
import LoadKit
import OpenCombine
import OpenCombineDispatch

/// OpenCombine's futures: the work is done on a global queue, and the result is delivered on a queue.
struct OpenCombineContestant: ChainContestant {
    let name = "OpenCombine"
    private let queue = DispatchQueue(label: "delivery")

    func chain(_ number: Int, thens: Int) async throws -> Int {
        var publisher = future(number).eraseToAnyPublisher()
        for _ in 0..<thens { publisher = publisher.tryMap { try ChainStep.next($0) }.eraseToAnyPublisher() }
        return try await value(publisher)
    }

    func join(_ count: Int) async throws -> Int {
        let futures = Publishers.Sequence<[Future<Int, any Error>], any Error>(sequence: (0..<count).map(future))
        return try await value(futures.flatMap { $0 }.reduce(0, +).eraseToAnyPublisher())
    }

    private func future(_ number: Int) -> Future<Int, any Error> {
        Future { promise in
            nonisolated(unsafe) let promise = promise
            DispatchQueue.global().async { promise(Result { try ChainStep.next(number) }) }
        }
    }

    private func value(_ publisher: AnyPublisher<Int, any Error>) async throws -> Int {
        let holder = Holder()
        defer { holder.subscription = nil }
        return try await withCheckedThrowingContinuation { continuation in
            nonisolated(unsafe) var received = 0
            holder.subscription = publisher.receive(on: queue.ocombine).sink(
                receiveCompletion: { completion in
                    switch completion {
                    case .finished: continuation.resume(returning: received)
                    case .failure(let error): continuation.resume(throwing: error)
                    }
                },
                receiveValue: { received = $0 }
            )
        }
    }

    // Set before and cleared after the waiting, by the one who waits.
    private final class Holder {
        nonisolated(unsafe) var subscription: AnyCancellable?
    }
}
