/// Decides what follows on the end of a connection of server-sent events.
///
/// The rules are those of the
/// [HTML standard](https://html.spec.whatwg.org/multipage/server-sent-events.html#sse-processing-model): a stream that
/// ended or broke off is opened again, an answer that is no such stream is final.
struct ReconnectionPlan {
    /// How a connection, or the attempt to open it, came to an end.
    enum Outcome {
        /// The stream ended in order.
        case ended
        /// The server does not want to be asked again: status code 204.
        case stopped
        /// There is no connection, or none any more.
        case failed(any Error)
    }

    /// What to do.
    enum Step: Equatable {
        /// Connect again after a while.
        case reconnect(after: Duration)
        /// There are no more events.
        case finish
        /// The error is the caller's.
        case fail
    }

    /// The least delay where no event came, so that a server cannot keep a client busy with nothing.
    static let leastDelay = Duration.milliseconds(100)
    /// The longest delay, so that no clock is asked for more than it can count: what fits into a field `retry`.
    static let longestDelay = Duration.milliseconds(Int32.max)

    private let options: ServerSentEventReconnection
    private var failures = 0
    private var hasEvent = false

    /// Creates a plan for connecting for the first time.
    ///
    /// - Parameter options: How often and how late to connect again.
    init(_ options: ServerSentEventReconnection) {
        self.options = options
    }

    /// Takes note of an event.
    mutating func eventArrived() {
        hasEvent = true
        failures = 0
    }

    /// Decides.
    ///
    /// - Parameters:
    ///   - outcome: How the connection came to an end.
    ///   - reconnectionTime: What the server's last field `retry` said.
    /// - Returns: What to do.
    mutating func next(after outcome: Outcome, reconnectionTime: Duration?) -> Step {
        let hadEvent = hasEvent
        hasEvent = false
        let delay = max(hadEvent ? .zero : Self.leastDelay, reconnectionTime ?? options.initialDelay)
        switch outcome {
        case .stopped: return .finish
        case .ended:
            failures = 0
            return .reconnect(after: min(delay, Self.longestDelay))
        case .failed(let error):
            guard Self.isTransient(error) else { return .fail }
            failures += 1
            if let most = options.maximumAttempts, failures >= most { return .fail }
            return .reconnect(after: min(grown(delay), Self.longestDelay))
        }
    }

    /// The delay after some failures, doubled for each but the first.
    private func grown(_ delay: Duration) -> Duration {
        let most = min(options.maximumDelay, Self.longestDelay)
        var (delay, rest) = (delay, failures - 1)
        while rest > 0, delay < most {
            delay = min(delay * 2, most)
            rest -= 1
        }
        return delay
    }

    /// Whether another attempt may do better: only the network's errors pass.
    private static func isTransient(_ error: any Error) -> Bool {
        guard let code = (error as? TransportError)?.code else { return false }
        return switch code {
        case .invalidRequest, .invalidURL, .unsupportedScheme, .shutDown, .libraryUnavailable: false
        case .tooManyRedirects, .redirectLoop, .unsafeRedirect, .invalidRedirect: false
        default: true
        }
    }
}
