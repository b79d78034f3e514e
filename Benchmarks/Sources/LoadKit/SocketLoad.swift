import Foundation
import Synchronization

/// Keeps a message in flight on each of some WebSockets for some time.
struct SocketLoad {
    let length: Int
    let sockets: Int
    let duration: Duration
    /// Of the server, whose processor time is to be told, too.
    let server: Int?

    init(_ arguments: Arguments) throws {
        length = try arguments.number("length", 125)
        sockets = try arguments.number("sockets", 1)
        duration = .seconds(try arguments.number("seconds", 1.0))
        server = arguments.has("server") ? try arguments.number("server", 0) : nil
    }

    func run<Tested: SocketClient>(_ client: Tested, _ address: Address) async throws -> Report {
        let message = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
        let warmUp = min(duration / 4, .milliseconds(250))
        let clock = Clock(server: server)
        let opened = Barrier(sockets)
        let warm = Barrier(sockets) { clock.start() }
        let finished = Barrier(sockets) { clock.stop() }
        let duration = duration
        let executors = client.executors
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<sockets {
                group.addTask(executorPreference: executors.isEmpty ? nil : executors[number % executors.count]) {
                    try await client.withSocket(address) { socket in
                        var end = await opened.pass() + warmUp
                        _ = try await client.echo(message, on: socket, until: end)
                        end = await warm.pass() + duration
                        let count = try await client.echo(message, on: socket, until: end)
                        await finished.pass()
                        return count
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        let elapsed = clock.elapsed
        let seconds = elapsed.time
        try await client.shutdown()
        return Report().with("count", count).with("rate", Double(count) / seconds)
            .with("latency_us", seconds / Double(count) * Double(sockets) * 1e6)
            .with("cpu_us", elapsed.used / Double(count) * 1e6)
            .with("load", elapsed.used / seconds).with("server_load", elapsed.server / seconds)
    }
}

/// Time and processor time between two moments, in seconds.
private final class Clock: Sendable {
    typealias Moment = (time: Double, used: Double, server: Double)
    private let begin = Mutex<Moment>((0, 0, 0))
    private let end = Mutex<Moment>((0, 0, 0))
    private let server: Int?
    private let origin = ContinuousClock.now

    init(server: Int?) { self.server = server }

    func start() { begin.withLock { $0 = now } }
    func stop() { end.withLock { $0 = now } }

    var elapsed: Moment {
        let (begin, end) = (begin.withLock { $0 }, end.withLock { $0 })
        return (end.time - begin.time, end.used - begin.used, end.server - begin.server)
    }

    private var now: Moment {
        (
            (ContinuousClock.now - origin) / .seconds(1), Usage.processorTime,
            server.map { Usage.processorTime(ofMainThreadOf: $0) } ?? 0
        )
    }
}
