import LoadKit
import PiuPiuFutures

struct PiuPiuContestant: ChainContestant {
    let name = "PiuPiu"

    func chain(_ number: Int, thens: Int) async throws -> Int {
        var future = ResponseFuture { try await ChainStep.first(number) }
        for _ in 0..<thens { future = future.then { try ChainStep.next($0) } }
        return try await future.fetchResult()
    }

    func join(_ count: Int) async throws -> Int {
        let futures = (0..<count).map { number in ResponseFuture { try await ChainStep.first(number) } }
        return try await ResponseFuture<[Int]>(childFutures: futures).fetchResult().reduce(0, +)
    }
}
