import LoopbackServer
import PiuPiuAsync
import TestSupport

extension URLRequestDispatcher {
    /// A dispatcher for tests: no proxy, and nothing lasts longer than a minute.
    static func forTests(
        interceptors: [any Interceptor] = [],
        _ configure: (inout Configuration) -> Void = { _ in }
    ) -> URLRequestDispatcher {
        var configuration = Configuration()
        configuration.transport.proxy = .none
        configuration.timeouts.total = .seconds(60)
        configuration.connections = ConnectionLimits(perHost: 64, total: 256)
        configure(&configuration)
        return URLRequestDispatcher(configuration: configuration, interceptors: interceptors)
    }
}

/// Runs an operation and returns the error it ends with.
func failure<T>(of operation: () async throws -> T) async throws -> any Error {
    do {
        let value = try await operation()
        throw UnexpectedSuccess(value: "\(value)")
    } catch let error as UnexpectedSuccess {
        throw error
    } catch {
        return error
    }
}

/// An operation succeeded that had to fail.
struct UnexpectedSuccess: Error {
    let value: String
}

extension URLRequest {
    /// A request with a method, a body and header fields.
    init(_ method: String, _ url: URL, body: String? = nil, headers: [String: String] = [:]) {
        self.init(url: url)
        httpMethod = method
        httpBody = body.map { Data($0.utf8) }
        for (name, value) in headers { setValue(value, forHTTPHeaderField: name) }
    }
}

extension URLRequestDispatcher {
    /// How many exchanges the transport has in flight or waiting.
    func exchangeCount() async throws -> Int {
        #if os(Linux)
        await (core.transport as? CurlTransport)?.statistics().exchanges ?? 0
        #else
        0
        #endif
    }
}

/// Sends requests and cancels each at a random moment.
///
/// - Parameters:
///   - count: How many.
///   - seed: What makes the moments and the choice of URLs the same each time.
///   - dispatcher: Who sends them.
///   - urls: Where to.
/// - Returns: For each, whether it ended with its response or with `CancellationError`.
func storm(
    _ count: Int,
    seed: Int,
    of dispatcher: URLRequestDispatcher,
    to urls: [URL]
) async -> [Bool] {
    var random = SeededRandom(seed: UInt64(seed))
    return await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<count {
            guard let url = urls.randomElement(using: &random) else { break }
            let yields = Int.random(in: 0..<300, using: &random)
            group.addTask {
                let request = Task { try await dispatcher.data(from: url) }
                for _ in 0..<yields { await Task.yield() }
                request.cancel()
                do {
                    return try await request.value.data != nil
                } catch {
                    return error is CancellationError
                }
            }
        }
        return await group.reduce(into: [Bool]()) { $0.append($1) }
    }
}
