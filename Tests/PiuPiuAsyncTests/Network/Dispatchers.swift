import LoopbackServer
import PiuPiuAsync
import TestSupport

extension Duration {
    /// The limit that ends a request which hangs, well before the time limit of its test.
    static let generous = Duration.seconds(300)
}

extension URLRequestDispatcher {
    /// A dispatcher for tests: no proxy, HTTP/2 with every libcurl, and nothing lasts for ever.
    static func forTests(
        interceptors: [any Interceptor] = [],
        _ configure: (inout Configuration) -> Void = { _ in }
    ) -> URLRequestDispatcher {
        var configuration = Configuration()
        configuration.transport.proxy = .none
        configuration.transport.http2 = .always
        configuration.timeouts = Timeouts(queue: .generous, connect: .generous, idle: .generous, total: .generous)
        configuration.connections = ConnectionLimits(perHost: 64, total: 256)
        configure(&configuration)
        return URLRequestDispatcher(configuration: configuration, interceptors: interceptors)
    }
}

/// Runs a trial of a limit that must not be reached, again with longer times where it was reached.
///
/// All times of a trial are multiples of its scale. A fault is one at every scale, so that it fails the last trial too. A
/// machine that is slow, or stands still for a moment, reaches the limit only at the small scales.
///
/// - Parameter trial: Given the scale; only a `TransportError` about time leads to another trial.
/// - Throws: What the last trial throws.
func atSomeScale(_ trial: (_ scale: Int) async throws -> Void) async throws {
    for scale in [1, 4, 16] {
        do {
            return try await trial(scale)
        } catch let error as TransportError where error.code.timeoutPhase != nil {}
    }
    try await trial(64)
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
