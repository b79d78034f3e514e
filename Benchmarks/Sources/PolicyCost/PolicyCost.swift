import Foundation
import LoadKit
import PiuPiuAsync
import Synchronization

/// What policies and observers add to the cost of a GET, beside a dispatcher without policies.
///
/// Usage: PolicyCost url=URL length=BYTES [count=N] [turns=N] [only=NUMBER,…] [first=NUMBER]
///
/// `only` measures some of the sets, counted from 0, and `first` begins with one of them: the set that begins costs less than
/// it would later, by up to one hundredth. With more turns, a disturbance is shared more evenly.
///
/// A line for each set of policies: processor time of the process for a request, with eight requests in flight.
@main
struct PolicyCost {
    private static let inFlight = 8

    private struct Contestant {
        let name: String
        let dispatcher: URLRequestDispatcher

        init(
            _ name: String,
            _ interceptors: [any Interceptor] = [],
            _ adapters: [any URLRequestAdapter] = [],
            observers: [any ExchangeObserver] = []
        ) {
            self.name = name
            var configuration = URLRequestDispatcher.Configuration()
            configuration.observers = observers
            configuration.transport.proxy = .none
            dispatcher = URLRequestDispatcher(
                configuration: configuration,
                interceptors: interceptors,
                requestAdapters: adapters
            )
        }
    }

    /// The least that an interceptor can do.
    private struct PassThrough: Interceptor {
        func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
            try await next(request)
        }
    }

    /// Counts the events by nothing but their number.
    private final class Counter: ExchangeObserver {
        let count = Atomic<Int>(0)

        func observe(_ event: ExchangeEvent) { count.add(1, ordering: .relaxed) }
    }

    static func main() async throws {
        let arguments = Arguments(CommandLine.arguments.dropFirst())
        guard let url = URL(string: try arguments.text("url")) else { throw LoadError("url=… is no URL") }
        let length = try arguments.number("length", 0)
        let count = try arguments.number("count", 4000)
        // Not on the main thread, where each would wake two threads.
        try await Task.detached {
            var contestants = try contestants(url)
            if arguments.has("only") {
                let only = try arguments.text("only").split(separator: ",").compactMap { Int($0) }
                contestants = only.filter(contestants.indices.contains).map { contestants[$0] }
            }
            let first = try arguments.number("first", 0) % max(1, contestants.count)
            contestants = Array(contestants[first...] + contestants[..<first])
            for contestant in contestants { try await measure(contestant, url, 200, length) }
            // In turns, so that a disturbance meets all of them.
            var used = [Double](repeating: 0, count: contestants.count)
            let turns = try arguments.number("turns", 10)
            for turn in 0..<turns {
                for place in contestants.indices {
                    let index = (place + turn) % contestants.count
                    used[index] += try await measure(contestants[index], url, count / turns, length)
                }
            }
            for (contestant, used) in zip(contestants, used) {
                Report().with("contestant", contestant.name).with("shape", "GET 500 B")
                    .with("cpu_us", used / Double(count / turns * turns) * 1e6).print()
            }
        }.value
    }

    private static func contestants(_ url: URL) throws -> [Contestant] {
        [
            Contestant("no policy"),
            Contestant("an interceptor that does nothing", [PassThrough()]),
            Contestant("RetryPolicy", [RetryPolicy()]),
            Contestant("an observer that counts", observers: [Counter()]),
            Contestant("BearerToken", [], [try BearerToken("s3cret", origins: [url])]),
            Contestant("RateLimit", [RateLimit(1_000_000)]),
            Contestant(
                "retry, bearer token and rate limit",
                [RetryPolicy(), RateLimit(1_000_000)],
                [try BearerToken("s3cret", origins: [url])]
            ),
        ]
    }

    /// Sends requests, and returns the processor time they took, in seconds.
    @discardableResult
    private static func measure(
        _ contestant: Contestant,
        _ url: URL,
        _ count: Int,
        _ length: Int
    ) async throws -> Double {
        let before = Usage.processorTime
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<inFlight {
                group.addTask {
                    for _ in 0..<max(1, count / inFlight) {
                        let request = URLRequest(url: url, method: .get)
                        let received = try await contestant.dispatcher.data(for: request).data?.count ?? 0
                        guard received == length else { throw LoadError("\(received) in place of \(length)") }
                    }
                }
            }
            try await group.waitForAll()
        }
        return Usage.processorTime - before
    }
}
