import Dispatch
import Foundation

/// Does work that is cancelled when the process is asked to end: by Ctrl-C, by `docker stop`, or by systemd.
///
/// The work decides what a cancellation means: to stop at once, or to finish what it has begun.
///
/// - Parameter work: The work.
/// - Returns: What the work returns, also after a cancellation.
/// - Throws: What the work throws.
public func withInterruption<Success: Sendable>(
    _ work: @escaping @Sendable () async throws -> Success
) async throws -> Success {
    let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
    let sources = [SIGINT, SIGTERM].map { number in
        // Otherwise, the signal would end the process before it is seen here.
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { continuation.yield() }
        source.resume()
        return source
    }
    defer { for source in sources { source.cancel() } }

    return try await withThrowingTaskGroup(of: Success?.self) { group in
        group.addTask { try await work() }
        group.addTask {
            for await _ in signals { break }
            return nil
        }
        while let result = try await group.next() {
            // Either the work is done and nobody has to wait for signals, or there was one and the work is to end.
            group.cancelAll()
            if let result { return result }
        }
        throw CancellationError()
    }
}
