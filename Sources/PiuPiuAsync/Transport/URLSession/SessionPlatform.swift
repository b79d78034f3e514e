/// What differs between Foundation's `URLSession` on Linux and the one of Apple systems.
///
/// Each of these is a guard against a fault that `Tests/FoundationCanaries` shows.
enum SessionPlatform {
    #if canImport(Darwin)
    /// Whether a task that is suspended holds the server up.
    static let canSuspend = true

    /// How an authentication challenge is met that comes when the whole response is there.
    static let challengeEndsResponse = false

    /// Whether a redirect must be answered after the task was cancelled.
    static let answersAlways = true

    /// Whether requests of any method may be sent again on their own when a connection turns out to be dead.
    static let repeatsRequests = false

    static func configure(_ session: URLSessionConfiguration, _ configuration: TransportConfiguration) {
        session.timeoutIntervalForResource = SessionRequest.patience
        session.waitsForConnectivity = false
        if configuration.proxy == .none { session.connectionProxyDictionary = [:] }
    }

    static func withoutInventedFields(_ request: inout URLRequest) {}

    static func refusal(_ configuration: TransportConfiguration, _ target: RequestTarget) -> SessionFailure? { nil }
    #else
    /// Suspending takes the request back, and resuming sends it again (swift-corelibs-foundation #3204).
    static let canSuspend = false

    /// A 401 that names Basic never ends (swift-corelibs-foundation #5456), but all its parts have come by then.
    static let challengeEndsResponse = true

    /// Foundation traps on such an answer.
    static let answersAlways = false

    /// libcurl sends again whatever got no response on a connection that was used before.
    static let repeatsRequests = true

    static func configure(_ session: URLSessionConfiguration, _ configuration: TransportConfiguration) {}

    /// Takes back the fields that Foundation adds.
    ///
    /// A blank value becomes "Name:  " for libcurl, which takes that for "leave it out".
    static func withoutInventedFields(_ request: inout URLRequest) {
        for name in ["User-Agent", "Accept-Language", "Content-Type"] {
            if request.value(forHTTPHeaderField: name) == nil { request.setValue(" ", forHTTPHeaderField: name) }
        }
    }

    /// libcurl takes proxies from the environment, and Foundation has no way to say otherwise.
    static func refusal(_ configuration: TransportConfiguration, _ target: RequestTarget) -> SessionFailure? {
        guard configuration.proxy == .none,
            ProxyEnvironment(ProcessInfo.processInfo.environment).hasProxy(for: target)
        else { return nil }
        return SessionFailure(.unsupported, reason: "URLSession on Linux cannot do without the environment's proxy")
    }
    #endif
}
