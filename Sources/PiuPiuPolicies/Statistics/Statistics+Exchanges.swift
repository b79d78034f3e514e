extension Statistics {
    /// The statistics of the exchanges with one origin.
    public struct Exchanges: Sendable, Hashable {
        /// The number of failures that are counted by name; the others count as ``otherFailures``.
        static let maximumFailures = 64

        /// The name of the failures beyond the limit of separately counted names.
        public static let otherFailures = "other"

        /// The exchanges that began.
        public internal(set) var started = 0
        /// The exchanges that ended: the sum of ``responses``, ``failures`` and ``cancelled``.
        public internal(set) var ended = 0
        /// The exchanges that currently wait for a connection.
        public internal(set) var waiting = 0
        /// The complete responses, by the class of their status codes.
        public internal(set) var responses: [StatusCodeType: Int] = [:]
        /// The exchanges that failed, by the name of the failure; see ``ObservedOutcome/failureName``.
        public internal(set) var failures: [String: Int] = [:]
        /// The exchanges that were cancelled before their end.
        public internal(set) var cancelled = 0
        /// The retries that a ``RetryPolicy`` planned after an exchange with the origin.
        ///
        /// Two kinds of repetition are not retries: a request that is sent again with new credentials is another exchange, and
        /// a request that the transport sends again on another connection is the same exchange.
        ///
        /// Retries before the first exchange of their call are counted in ``Snapshot/other``, and so are redirects.
        public internal(set) var retries = 0
        /// The redirects from the origin that were followed, to any origin.
        public internal(set) var redirects = 0
        /// The number of connections opened for an exchange.
        public internal(set) var openedConnections = 0
        /// The number of times an exchange got an open connection; an exchange that is sent again counts each time.
        public internal(set) var reusedConnections = 0
        /// The currently open connections, with and without exchanges; 0 unless the transport reports them.
        ///
        /// The transport for Linux does.
        public internal(set) var openConnections = 0
        /// The currently open connections without exchanges.
        public internal(set) var idleConnections = 0
        /// The bytes of requests that have ended, as in ``ExchangeMetrics/bytesSent``.
        public internal(set) var bytesSent = 0
        /// The bytes of responses that have ended, as in ``ExchangeMetrics/bytesReceived``.
        public internal(set) var bytesReceived = 0
        /// The messages that were sent over WebSockets.
        public internal(set) var messagesSent = 0
        /// The messages that arrived over WebSockets.
        public internal(set) var messagesReceived = 0
        /// The bytes of the content of ``messagesSent``, without compression.
        public internal(set) var messageBytesSent = 0
        /// The bytes of the content of ``messagesReceived``, after decompression.
        public internal(set) var messageBytesReceived = 0
        /// The time from the start of an exchange to its end.
        public internal(set) var duration = Histogram()
        /// The time from the end of the queue to the first byte of the response, for exchanges with a response.
        public internal(set) var firstByte = Histogram()
        /// The time in the queue, for exchanges whose transport measures it.
        public internal(set) var queued = Histogram()

        /// The exchanges that have begun and not ended, including ``waiting``.
        public var inFlight: Int { started - ended }

        /// Adds the numbers of other exchanges.
        mutating func add(_ other: Exchanges) {
            started += other.started
            ended += other.ended
            waiting += other.waiting
            responses.merge(other.responses) { $0 + $1 }
            for (name, count) in other.failures { addFailure(name, count) }
            cancelled += other.cancelled
            retries += other.retries
            redirects += other.redirects
            openedConnections += other.openedConnections
            reusedConnections += other.reusedConnections
            openConnections += other.openConnections
            idleConnections += other.idleConnections
            bytesSent.addBytes(other.bytesSent)
            bytesReceived.addBytes(other.bytesReceived)
            messagesSent += other.messagesSent
            messagesReceived += other.messagesReceived
            messageBytesSent.addBytes(other.messageBytesSent)
            messageBytesReceived.addBytes(other.messageBytesReceived)
            duration.add(other.duration)
            firstByte.add(other.firstByte)
            queued.add(other.queued)
        }

        /// Counts a message of a WebSocket.
        mutating func add(_ direction: ObservedMessage.Direction, byteCount: Int) {
            switch direction {
            case .sent:
                messagesSent += 1
                messageBytesSent.addBytes(byteCount)
            case .received:
                messagesReceived += 1
                messageBytesReceived.addBytes(byteCount)
            }
        }

        /// Counts the end of an exchange.
        mutating func add<ID>(_ end: StatisticsTable<ID>.End) {
            ended += 1
            switch end.result {
            case .response(let type): responses[type, default: 0] += 1
            case .failure(let name): addFailure(name, 1)
            case .cancelled: cancelled += 1
            }
            bytesSent.addBytes(end.bytesSent)
            bytesReceived.addBytes(end.bytesReceived)
            duration.add(end.duration)
            if let time = end.firstByte { firstByte.add(time) }
            if let time = end.queued { queued.add(time) }
        }

        private mutating func addFailure(_ name: String, _ count: Int) {
            let isKnown = failures[name] != nil || failures.count < Self.maximumFailures
            failures[isKnown ? name : Self.otherFailures, default: 0] += count
        }
    }
}

extension Int {
    /// Adds a number of bytes, which may be wrong: the result never decreases, and stays at its maximum.
    fileprivate mutating func addBytes(_ count: Int) {
        let (sum, isOverflow) = addingReportingOverflow(Swift.max(0, count))
        self = isOverflow ? .max : sum
    }
}
