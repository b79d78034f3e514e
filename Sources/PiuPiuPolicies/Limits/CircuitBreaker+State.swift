extension CircuitBreaker {
    /// The state of a circuit.
    public enum State: String, Sendable, Hashable {
        /// Requests pass and count.
        case closed
        /// The circuit breaker refuses requests.
        case open
        /// A few requests pass as probes.
        case halfOpen
    }

    /// A change of a circuit's state.
    public struct StateChange: Sendable, Hashable {
        /// The key of the circuit: the origin, the key of ``LimitScope/key(_:)``, or an empty string.
        public let key: String
        /// The scheme, host and port of the request that caused the change.
        public let origin: String
        /// The previous state.
        public let from: State
        /// The new state.
        public let to: State
    }

    /// An error thrown if the circuit is open; nothing was sent.
    public struct OpenError: Error, Sendable, Hashable {
        /// The scheme, host and port of the request that was refused.
        public let origin: String
        /// The time after which a request may pass again.
        public let retryAfter: Duration
        /// The method and the URL of the request, without user information, query and fragment; `nil` if it has no URL.
        public let target: String?
    }

    /// The circuits, and the changes that were not delivered yet.
    struct Core {
        var machine: CircuitBreakerMachine
        /// Oldest first.
        private var changes: [StateChange] = []
        private var isDelivering = false

        init(_ machine: CircuitBreakerMachine) {
            self.machine = machine
        }

        /// Adds a change; returns `true` if the caller delivers the changes, and `false` if another thread does.
        mutating func begin(_ change: StateChange) -> Bool {
            // A handler that blocks must not make the list grow without limit.
            if changes.count >= 1000 { changes.removeFirst() }
            changes.append(change)
            defer { isDelivering = true }
            return !isDelivering
        }

        /// Removes the change to deliver next; `nil` ends the delivery.
        mutating func next() -> StateChange? {
            guard !changes.isEmpty else {
                isDelivering = false
                return nil
            }
            return changes.removeFirst()
        }
    }
}

extension CircuitBreaker.State: CustomStringConvertible {
    /// The state's name, such as `halfOpen`.
    public var description: String { rawValue }
}

extension CircuitBreaker.StateChange: Redacted {
    /// The origin and the states, without the key, which may be a secret.
    package var shown: KeyValuePairs<String, Any> { ["origin": origin, "from": from, "to": to] }
}

extension CircuitBreaker.OpenError: ExplainedError {
    /// The error as a sentence, with the method and the URL of the request up to its query.
    public var description: String {
        "The circuit for \(origin) is open after too many failures; a request may pass in \(ErrorText.text(retryAfter))"
            + ErrorText.context([target])
    }

    package var explanation: ErrorExplanation { Self.explanation }

    package static let explanation = ErrorExplanation(
        1,
        "Too many of the last requests to the server failed, so that the circuit breaker spares it for a while.",
        "Find out why the server fails; until then, use an older response, or do without one.",
        setting: "CircuitBreaker.openTime"
    )

    package var failingURL: String? { target.map { String($0.drop { $0 != " " }.dropFirst()) } }
}
