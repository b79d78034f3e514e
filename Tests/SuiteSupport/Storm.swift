import PiuPiuAsync
import PiuPiuTesting
import TestSupport

extension URLRequestDispatcher {
    /// How many exchanges the transport has in flight or waiting.
    package func exchangeCount() async throws -> Int {
        #if os(Linux)
        await (core.transport as? SocketTransport)?.statistics().exchanges ?? 0
        #else
        0
        #endif
    }
}

/// Sends requests and cancels each at a random moment, except for each tenth, which has to succeed.
///
/// - Parameters:
///   - count: How many.
///   - seed: What makes the moments and the choice of URLs the same each time.
///   - dispatcher: The dispatcher that sends them.
///   - urls: The URLs to choose from.
///   - cancelsAll: Whether each tenth is cancelled too, because some of the URLs never get a response.
/// - Returns: What ended in any other way than with its response or with `CancellationError`.
package func storm(
    _ count: Int,
    seed: Int,
    of dispatcher: URLRequestDispatcher,
    to urls: [URL],
    cancelsAll: Bool = false
) async -> [String] {
    var random = SeededRandom(seed: UInt64(seed))
    return await withTaskGroup(of: String?.self) { group in
        for number in 0..<count {
            guard let url = urls.randomElement(using: &random) else { break }
            let yields = Int.random(in: 0..<300, using: &random)
            group.addTask {
                let request = Task { try await dispatcher.data(from: url) }
                let isCancelled = cancelsAll || number % 10 > 0
                if isCancelled {
                    for _ in 0..<yields { await Task.yield() }
                    request.cancel()
                }
                do {
                    return try await request.value.data == nil ? "no data of \(url.path)" : nil
                } catch is CancellationError where isCancelled {
                    return nil
                } catch {
                    return String(reflecting: error)
                }
            }
        }
        return await group.reduce(into: []) { if let text = $1 { $0.append(text) } }
    }
}
