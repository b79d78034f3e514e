/// Decides what happens after a connection of server-sent events ends.
///
/// The rules are those of the
/// [HTML standard](https://html.spec.whatwg.org/multipage/server-sent-events.html#sse-processing-model): a stream that
/// ended or broke off is opened again; a response that is not an event stream is final.
struct ReconnectionPlan {
    /// The way in which a connection, or the attempt to open it, ended.
    enum Outcome {
        /// The stream ended normally.
        case ended
        /// The server asks the client not to reconnect: status code 204.
        case stopped
        /// The connection failed, or could not be opened.
        case failed(any Error)
    }

    /// The next step.
    enum Step: Equatable {
        /// Reconnect after a delay.
        case reconnect(after: Duration)
        /// There are no more events.
        case finish
        /// Throw the error to the caller.
        case fail
    }

    /// The minimum delay, so that no server can keep a client busy, with or without events.
    static let leastDelay = Duration.milliseconds(100)
    /// The maximum delay, the largest value of a `retry` field, so that no clock overflows.
    static let longestDelay = Duration.milliseconds(Int32.max)

    private let options: ServerSentEventReconnection
    /// Whether the request may be sent any number of times: its method is `GET` or `HEAD`.
    private let isRepeatable: Bool
    private var failures = 0

    /// Creates a plan for the first connection; by default, only the methods `GET` and `HEAD` are sent again.
    init(_ options: ServerSentEventReconnection, method: String) {
        self.options = options
        isRepeatable = method == "GET" || method == "HEAD"
    }

    /// Records that an event arrived.
    mutating func eventArrived() {
        failures = 0
    }

    /// Returns the next step after a connection ended; `reconnectionTime` is the value of the server's last `retry` field.
    mutating func next(after outcome: Outcome, reconnectionTime: Duration?) -> Step {
        let delay = max(Self.leastDelay, reconnectionTime ?? options.initialDelay)
        switch outcome {
        case .stopped: return .finish
        case .ended:
            // The server has answered the request, and might act on a second one again.
            guard isRepeatable else { return .finish }
            failures = 0
            return .reconnect(after: min(delay, Self.longestDelay))
        case .failed(let error):
            guard isRepeatable || options.repeatsOtherMethods, Self.isTransient(error) else { return .fail }
            failures += 1
            if let most = options.maximumAttempts, failures >= most { return .fail }
            return .reconnect(after: min(grown(delay), Self.longestDelay))
        }
    }

    /// Returns the delay after the current number of failures, doubled for each failure but the first.
    private func grown(_ delay: Duration) -> Duration {
        let most = min(options.maximumDelay, Self.longestDelay)
        var (delay, rest) = (delay, failures - 1)
        while rest > 0, delay < most {
            delay = min(delay * 2, most)
            rest -= 1
        }
        return delay
    }

    /// Whether another attempt may succeed; `true` only for network errors.
    private static func isTransient(_ error: any Error) -> Bool {
        // After the shared deadline of the calls, no attempt can succeed.
        guard let error = error as? TransportError, error.limit?.setting != TransportError.Limit.sharedDeadline else {
            return false
        }
        return switch error.code {
        case .invalidRequest, .invalidURL, .unsupportedScheme, .shutDown, .libraryUnavailable: false
        case .tooManyRedirects, .redirectLoop, .unsafeRedirect, .invalidRedirect, .forbiddenAddress: false
        default: true
        }
    }
}
