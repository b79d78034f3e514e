import PiuPiuAsync
import PiuPiuFutures
import TestSupport

/// What futures told their handlers, in order.
final class FutureEvents: Sendable {
    private let events = Locked<[String]>([])
    private let calls = Locked<[String]>([])
    private let ends = Tally()

    /// Where callbacks ran, in order.
    var places: [String] { calls.withLock { $0 } }

    /// Notes that a callback runs, and whether the main thread runs it.
    func place(_ callback: String) {
        let place = DispatchQueue.isMain ? "on main" : "elsewhere"
        calls.withLock { $0.append("\(callback) \(place)") }
    }

    /// Everything so far.
    var all: [String] { events.withLock { $0 } }

    /// Starts a future, and returns what its handlers were told when it has completed.
    static func all<Success: Sendable>(of future: ResponseFuture<Success>) async -> [String] {
        let events = FutureEvents()
        events.record(future).send()
        await events.completions()
        return events.all
    }

    /// Notes something.
    func add(_ event: String) {
        events.withLock { $0.append(event) }
    }

    /// Sets every handler of a future.
    ///
    /// - Parameters:
    ///   - future: The future.
    ///   - name: What each event begins with.
    ///   - token: What the handlers keep alive.
    /// - Returns: The future.
    func record<Success: Sendable>(
        _ future: ResponseFuture<Success>,
        _ name: String = "",
        token: LifeToken? = nil
    ) -> ResponseFuture<Success> {
        future
            .updated { self.add("\(name)updated \($0.countOfBytesReceived)") }
            .success {
                _ = token
                self.add("\(name)success \($0)")
            }
            .error { self.add("\(name)error \($0)") }
            .cancellation { self.add("\(name)cancellation") }
            .completion {
                _ = token
                self.add("\(name)completion")
                self.ends.add()
            }
    }

    /// Returns when futures have completed.
    ///
    /// - Parameter count: How many.
    func completions(of count: Int = 1) async {
        await ends.reach(count)
        await MainActor.drain()
    }
}

/// Counts what is alive.
final class Lives: Sendable {
    private let made = Locked(0)
    fileprivate let ended = Tally()

    /// How many tokens were released.
    var endedCount: Int { ended.count }

    /// Returns a token that counts until it is released.
    func token() -> LifeToken {
        made.withLock { $0 += 1 }
        return LifeToken(self)
    }

    /// Returns when nothing is alive any more.
    func end() async {
        await ended.reach(made.withLock { $0 })
    }
}

final class LifeToken: Sendable {
    private let lives: Lives

    fileprivate init(_ lives: Lives) {
        self.lives = lives
    }

    deinit {
        lives.ended.add()
    }
}

/// An error that tests tell apart by its number.
struct Failure: Error, Equatable, CustomStringConvertible {
    var number = 0

    var description: String { "\(number)" }
}

/// Work that goes on until it is cancelled or let through.
final class HangingWork: Sendable {
    let gate = Gate()
    let cancels = Tally()
    let starts = Tally()

    /// A future of 7 that does the work as an asynchronous function.
    func future() -> ResponseFuture<Int> {
        ResponseFuture { [self] in
            starts.add()
            do {
                try await gate.wait()
            } catch {
                cancels.add()
                throw error
            }
            return 7
        }
    }
}
