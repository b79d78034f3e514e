/// Decides what happens after a WebSocket ended, or could not be opened; a pure value.
///
/// | End | Then |
/// |---|---|
/// | closed by the server with 1000 or without a code, or by this side | the messages end |
/// | 1001, 1012, 1013, 1014, no close frame, no pong | it is opened again |
/// | another code, a violation, a message that is too large | the error |
/// | not opened: a failure of the network, or the status 408, 425, 429, 500, 502, 503 or 504 | it is tried again |
/// | not opened: another status, an error that no attempt can mend | the error |
struct WebSocketReconnectionPlan {
    /// How a WebSocket, or the attempt to open it, ended.
    enum Outcome {
        case closed(WebSocketClosure, after: Duration)
        case ended(WebSocketClosure, any Error, after: Duration)
        case notOpened(any Error)
    }

    /// The next step.
    enum Step: Equatable {
        case reconnect(after: Duration)
        case finish
        case fail
    }

    static let leastDelay = Duration.milliseconds(100)
    /// The longest delay, so that no clock overflows.
    static let longestDelay = Duration.seconds(1_000_000_000)

    private let options: WebSocketReconnection
    /// The attempts in a row that failed.
    private(set) var failures = 0
    /// The delay before the newest attempt.
    private var lastDelay: Duration

    init(_ options: WebSocketReconnection) {
        self.options = options
        lastDelay = .zero
    }

    /// Returns the next step; `fraction` is a random number from 0 to 1.
    mutating func next(after outcome: Outcome, fraction: Double) -> Step {
        var asked = Duration.zero
        switch outcome {
        case .closed(let closure, let time):
            guard closure.initiator == .server, closure.code == .goingAway else { return .finish }
            noteOpen(for: time)
        case .ended(let closure, let error, let time):
            guard Self.isTransient(error, closure) else { return .fail }
            noteOpen(for: time)
        case .notOpened(let error):
            guard Self.isTransient(error) else { return .fail }
            failures += 1
            if let most = options.maximumAttempts, failures >= most { return .fail }
            asked = Self.retryAfter(error) ?? .zero
        }
        let delay = nextDelay()
        lastDelay = delay
        let shortened = delay * (1 - max(0, min(1, fraction)) / 2)
        return .reconnect(after: min(max(Self.leastDelay, shortened, asked), Self.longestDelay))
    }

    /// Records how long a WebSocket was open; one that lasted begins the delays anew.
    private mutating func noteOpen(for time: Duration) {
        failures = 0
        if time > lastDelay { lastDelay = .zero }
    }

    private func nextDelay() -> Duration {
        let most = min(max(options.maximumDelay, Self.leastDelay), Self.longestDelay)
        let first = min(max(options.initialDelay, Self.leastDelay), most)
        return lastDelay == .zero ? first : min(max(first, lastDelay * 2), most)
    }

    private static func isTransient(_ error: any Error, _ closure: WebSocketClosure) -> Bool {
        guard let error = error as? WebSocketError else { return false }
        switch error.code {
        case .connectionLost, .pingTimeout: return true
        case .closed: return [.goingAway, .serviceRestart, .tryAgainLater, .badGateway].contains(closure.code)
        default: return false
        }
    }

    private static func isTransient(_ error: any Error) -> Bool {
        switch error {
        case let error as WebSocketError:
            guard error.code == .handshakeRejected else { return error.code == .connectionLost }
            return [408, 425, 429, 500, 502, 503, 504].contains(error.response?.statusCode.rawValue)
        case let error as TransportError:
            // After the shared deadline of the calls, no attempt can succeed.
            guard error.limit?.setting != TransportError.Limit.sharedDeadline else { return false }
            return switch error.code {
            case .invalidRequest, .invalidURL, .unsupportedScheme, .shutDown, .libraryUnavailable, .unsupported: false
            case .tooManyRedirects, .redirectLoop, .unsafeRedirect, .invalidRedirect, .forbiddenAddress: false
            default: true
            }
        default: return false
        }
    }

    private static func retryAfter(_ error: any Error) -> Duration? {
        (error as? WebSocketError)?.response?.retryAfter
    }
}
