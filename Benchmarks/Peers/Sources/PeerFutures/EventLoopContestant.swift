import LoadKit
import NIOCore
import NIOPosix

/// NIO's futures: everything happens on one event loop.
struct EventLoopContestant: ChainContestant {
    let name = "EventLoopFuture"
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    func chain(_ number: Int, thens: Int) async throws -> Int {
        var future = loop.submit { try ChainStep.next(number) }
        for _ in 0..<thens { future = future.flatMapThrowing { try ChainStep.next($0) } }
        return try await future.get()
    }

    func join(_ count: Int) async throws -> Int {
        let futures = (0..<count).map { number in loop.submit { try ChainStep.next(number) } }
        return try await EventLoopFuture.whenAllSucceed(futures, on: loop).get().reduce(0, +)
    }
}
