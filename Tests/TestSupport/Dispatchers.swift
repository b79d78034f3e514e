import PiuPiuAsync

extension Duration {
    /// The limit that ends a request which hangs, well before the time limit of its test.
    package static let generous = Duration.seconds(300)
}

extension URLRequestDispatcher.Configuration {
    /// The configuration of a dispatcher for tests, before a test changes it.
    package static var forTests: Self {
        var configuration = Self()
        configuration.transport.proxy = .none
        configuration.transport.http2 = .always
        configuration.timeouts = Timeouts(queue: .generous, connect: .generous, idle: .generous, total: .generous)
        configuration.connections = ConnectionLimits(perHost: 64, total: 256)
        return configuration
    }
}

extension URLRequestDispatcher {
    /// A dispatcher for tests: no proxy, HTTP/2, and nothing lasts forever.
    package static func forTests(
        interceptors: [any Interceptor] = [],
        _ configure: (inout Configuration) -> Void = { _ in }
    ) -> URLRequestDispatcher {
        var configuration = Configuration.forTests
        configure(&configuration)
        return URLRequestDispatcher(configuration: configuration, interceptors: interceptors)
    }
}

/// Runs a trial of a limit that must not be reached, and repeats it with longer times if it was reached.
///
/// All times of a trial are multiples of its scale. A fault is one at every scale, so that it fails the last trial too. A
/// machine that is slow, or stands still for a moment, reaches the limit only at the small scales.
///
/// - Parameter trial: Given the scale; only a `TransportError` about time leads to another trial.
/// - Throws: What the last trial throws.
package func atSomeScale(_ trial: (_ scale: Int) async throws -> Void) async throws {
    for scale in [1, 4, 16] {
        do {
            return try await trial(scale)
        } catch let error as TransportError where error.code.timeoutPhase != nil {}
    }
    try await trial(64)
}
