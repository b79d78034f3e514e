import PiuPiuFutures

/// Statements as users write them, which the optimiser sees whole: the other walks go through closures.
enum PlainStatements {
    static let all: [(name: String, run: @Sendable () async -> String?)] = [
        ("a chain is dropped", dropped),
        ("a chain is cancelled before it is sent", cancelledUnsent),
        ("a chain is sent and cancelled", sentAndCancelled),
        ("a join is dropped", droppedJoin),
        ("a join is cancelled before it is sent", cancelledJoin),
        ("a join is sent and cancelled", sentAndCancelledJoin),
        ("variables are assigned", assigned),
    ]

    @Sendable private static func dropped() async -> String? {
        _ = ResponseFuture<Int>(result: 1).then { $0 }
        _ = ResponseFuture<Int>(result: 1).then { $0 }.then { "\($0)" }.map(Int.self) { $0.count }
        return nil
    }

    @Sendable private static func cancelledUnsent() async -> String? {
        let future = ResponseFuture<Int>(result: 1).then { $0 }.then { $0 + 1 }
        future.cancel()
        return future.status == .cancelled ? nil : "it is \(future.status)"
    }

    @Sendable private static func sentAndCancelled() async -> String? {
        let future = ResponseFuture<Int>(result: 1).then { $0 }.then { $0 + 1 }
        future.send()
        future.cancel()
        return future.status == .cancelled || future.status == .success ? nil : "it is \(future.status)"
    }

    @Sendable private static func droppedJoin() async -> String? {
        _ = ResponseFuture<Int>(result: 1).then { $0 }.parallelJoin(Int.self) { ResponseFuture(result: 2).then { $0 } }
        return nil
    }

    @Sendable private static func cancelledJoin() async -> String? {
        let future = ResponseFuture<Int>(result: 1).then { $0 }.parallelJoin(Int.self) {
            ResponseFuture(result: 2).then { $0 }
        }
        future.cancel()
        return future.status == .cancelled ? nil : "it is \(future.status)"
    }

    @Sendable private static func sentAndCancelledJoin() async -> String? {
        let future = ResponseFuture<Int>(result: 1).then { $0 }.parallelJoin(Int.self) {
            ResponseFuture(result: 2).then { $0 }
        }
        future.send()
        future.cancel()
        do {
            return try await future.fetchResult() == (1, 2) ? nil : "it has another value"
        } catch {
            return error is CancellationError ? nil : "\(error)"
        }
    }

    @Sendable private static func assigned() async -> String? {
        var future: ResponseFuture<Int>? = ResponseFuture(result: 1)
        for _ in 0..<100 { future = future?.then { $0 + 1 } }
        future = nil
        var futures = (0..<100).map { number in ResponseFuture(result: number).then { $0 } }
        futures.removeAll()
        return futures.isEmpty && future == nil ? nil : "something is left"
    }
}
