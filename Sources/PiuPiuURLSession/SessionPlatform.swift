/// The differences between Foundation's `URLSession` on Linux and on Apple systems.
///
/// Each of these is a workaround for a fault that `Tests/FoundationCanaries` demonstrates.
enum SessionPlatform {
    #if canImport(Darwin)
    /// Whether suspending a task applies back pressure to the server.
    static let canSuspend = true

    /// Whether an authentication challenge means that the whole response has arrived, and completes the exchange.
    static let challengeEndsResponse = false

    /// Whether a redirect must be answered even after the task was cancelled.
    static let answersAlways = true

    /// Whether requests of any method may be resent automatically if a connection turns out to be dead.
    static let repeatsRequests = false

    static func configure(_ session: URLSessionConfiguration, _ configuration: TransportConfiguration) {
        session.timeoutIntervalForResource = SessionRequest.patience
        session.waitsForConnectivity = false
        if configuration.proxy == .none { session.connectionProxyDictionary = [:] }
    }

    static func withoutInventedFields(_ request: inout URLRequest) {}

    static func refusal(_ configuration: TransportConfiguration, _ target: RequestTarget) -> ExchangeFailure? { nil }
    #else
    /// `false`: suspending takes the request back, and resuming sends it again (swift-corelibs-foundation #3204).
    static let canSuspend = false

    /// `true`: a 401 that names Basic never completes (swift-corelibs-foundation #5456), but has arrived by then.
    static let challengeEndsResponse = true

    /// `false`: Foundation traps on such an answer.
    static let answersAlways = false

    /// libcurl resends any request that got no response on a reused connection.
    static let repeatsRequests = true

    static func configure(_ session: URLSessionConfiguration, _ configuration: TransportConfiguration) {}

    /// Removes the fields that Foundation adds.
    ///
    /// For libcurl, a blank value becomes "Name:  ", which means "omit the field".
    static func withoutInventedFields(_ request: inout URLRequest) {
        for name in ["User-Agent", "Accept-Language", "Content-Type"] {
            if request.value(forHTTPHeaderField: name) == nil { request.setValue(" ", forHTTPHeaderField: name) }
        }
    }

    /// Refuses a request that would use a proxy of the environment although the configuration excludes it.
    ///
    /// libcurl takes proxies from the environment, and Foundation offers no way to prevent that.
    static func refusal(_ configuration: TransportConfiguration, _ target: RequestTarget) -> ExchangeFailure? {
        guard configuration.proxy == .none,
            ProxyEnvironment(ProcessInfo.processInfo.environment).hasProxy(for: target)
        else { return nil }
        return ExchangeFailure(.unsupported, reason: "URLSession on Linux cannot ignore the environment's proxy")
    }
    #endif
}
