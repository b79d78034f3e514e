extension Statistics {
    /// The statistics at a point in time.
    public struct Snapshot: Sendable, Hashable {
        /// The statistics of all calls.
        public internal(set) var calls = Calls()
        /// The statistics of exchanges by origin: the scheme, host and port in lower case, such as `https://example.com:443`.
        public internal(set) var origins: [String: Exchanges] = [:]
        /// The statistics of exchanges with all other origins, and with URLs to which no request can be sent.
        public internal(set) var other = Exchanges()

        /// The statistics of all exchanges together.
        public var total: Exchanges { origins.values.reduce(into: other) { $0.add($1) } }

        /// The statistics by name, sorted; those of all other exchanges come last, if there are any.
        var rows: [(name: String, exchanges: Exchanges)] {
            let rows = origins.sorted { $0.key < $1.key }.map { (name: $0.key, exchanges: $0.value) }
            return other == Exchanges() ? rows : rows + [(name: "other", exchanges: other)]
        }
    }
}

extension Statistics.Snapshot: CustomStringConvertible {
    /// The statistics as readable text: a line for the calls, and a few for each origin.
    public var description: String {
        let calls =
            "calls: \(calls.started) started, \(calls.inProgress) in progress, \(calls.responses) answered, "
            + "\(calls.failures) failed, \(calls.cancelled) cancelled"
        return ([calls] + rows.map { "\($0.name): \($0.exchanges)" }).joined(separator: "\n")
    }
}

extension Statistics.Exchanges: CustomStringConvertible {
    /// The statistics as readable text, in a few lines.
    public var description: String {
        let answers = StatusCodeType.inOrder.compactMap { type in responses[type].map { "\(type.label) \($0)" } }
        let faults = failures.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        var lines: [String] = []
        lines.append("\(started) exchanges, \(inFlight) in flight, \(waiting) waiting")
        lines.append("responses: " + (answers.isEmpty ? "none" : answers.joined(separator: ", ")))
        let failed = faults.isEmpty ? "none" : faults.joined(separator: ", ")
        lines.append("failures: \(failed); cancelled: \(cancelled)")
        lines.append("retries: \(retries); redirects: \(redirects)")
        let state = "\(openConnections) open, \(idleConnections) of them idle"
        lines.append("connections: \(state); \(openedConnections) opened, \(reusedConnections) reused")
        lines.append("bytes: \(bytesSent) sent, \(bytesReceived) received")
        if messagesSent + messagesReceived > 0 {
            let (sent, received) = ("\(messagesSent) sent", "\(messagesReceived) received")
            lines.append("messages: \(sent) (\(messageBytesSent) bytes), \(received) (\(messageBytesReceived) bytes)")
        }
        for (name, histogram) in [("duration", duration), ("first byte", firstByte), ("queued", queued)] {
            lines.append("\(name): \(histogram)")
        }
        return lines.joined(separator: "\n  ")
    }
}

extension Statistics.Histogram: CustomStringConvertible {
    /// The mean and estimates of two percentiles, in milliseconds.
    public var description: String {
        guard let mean, let median = quantile(0.5), let tail = quantile(0.95) else { return "none" }
        return "mean \(mean.milliseconds) ms, 50 % within \(median.milliseconds) ms, "
            + "95 % within \(tail.milliseconds) ms"
    }
}

extension StatusCodeType {
    /// All classes.
    static let inOrder: [Self] = [.informational, .success, .redirect, .clientError, .serverError, .invalid]

    /// The usual form of the class, such as `2xx`.
    var label: String {
        switch self {
        case .informational: "1xx"
        case .success: "2xx"
        case .redirect: "3xx"
        case .clientError: "4xx"
        case .serverError: "5xx"
        case .invalid: "invalid"
        }
    }
}

extension Statistics {
    /// The statistics of calls.
    public struct Calls: Sendable, Hashable {
        /// The calls that began.
        public internal(set) var started = 0
        /// The calls that ended with a response, whatever its status code.
        public internal(set) var responses = 0
        /// The calls that ended with an error.
        ///
        /// A status code that a function such as `get` throws is not a failure here: its response arrived, and counts as one of
        /// ``responses``. ``Exchanges/responses`` contains the classes of status codes.
        public internal(set) var failures = 0
        /// The calls that were cancelled before their end.
        public internal(set) var cancelled = 0

        /// The calls that ended.
        public var ended: Int { responses + failures + cancelled }
        /// The calls that have begun but not ended.
        public var inProgress: Int { started - ended }
    }
}
