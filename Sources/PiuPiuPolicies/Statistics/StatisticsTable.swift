/// The data of ``Statistics``, as a value without locks and clocks.
///
/// It ignores events of calls and exchanges whose start it has not seen.
struct StatisticsTable<ID: Hashable & Sendable>: Sendable {
    /// The data that is counted when an exchange ends.
    struct End {
        /// How it ended.
        enum Result {
            case response(StatusCodeType)
            /// With the name of the failure.
            case failure(String)
            case cancelled
        }

        var result: Result
        var duration: Duration
        /// The time to the first byte; `nil` if there was none, or it was not measured.
        var firstByte: Duration?
        /// The time in the queue; `nil` if it was not measured.
        var queued: Duration?
        var bytesSent = 0
        var bytesReceived = 0
    }

    private struct Exchange {
        let position: Int
        var isWaiting = false
    }

    /// The position of exchanges without an origin, or with one beyond the limit.
    private let other = 0
    private let maximumOrigins: Int
    private var positions: [String: Int] = [:]
    private var exchanges: [ID: Exchange] = [:]
    /// The position of the last exchange of each call in progress.
    private var lastPositions: [ID: Int] = [:]

    /// The statistics of all calls.
    private(set) var calls = Statistics.Calls()
    /// The origins, in the order in which they were first seen.
    private(set) var names: [String] = []
    /// The statistics of all other exchanges, followed by those of each origin.
    private(set) var counts = [Statistics.Exchanges()]

    /// Creates an empty table.
    init(maximumOrigins: Int) {
        self.maximumOrigins = maximumOrigins
    }

    // MARK: Calls

    mutating func callStarted(_ call: ID) {
        calls.started += 1
        lastPositions[call] = other
    }

    mutating func callEnded(_ call: ID, _ ending: ObservedCall.Ending) {
        guard lastPositions.removeValue(forKey: call) != nil else { return }
        switch ending {
        case .response: calls.responses += 1
        case .failure: calls.failures += 1
        case .cancelled: calls.cancelled += 1
        }
    }

    mutating func retryPlanned(_ call: ID) {
        if let position = lastPositions[call] { counts[position].retries += 1 }
    }

    mutating func redirected(_ call: ID) {
        if let position = lastPositions[call] { counts[position].redirects += 1 }
    }

    /// Counts a message of a WebSocket, for the origin of the call's last exchange.
    mutating func message(_ call: ID, _ direction: ObservedMessage.Direction, byteCount: Int) {
        if let position = lastPositions[call] { counts[position].add(direction, byteCount: byteCount) }
    }

    // MARK: Exchanges

    /// Counts the start of an exchange of a call; the origin is `nil` for a URL to which no request can be sent.
    mutating func exchangeStarted(_ id: ID, of call: ID, to origin: String?) {
        let position = origin.map { self.position(of: $0) } ?? other
        exchanges[id] = Exchange(position: position)
        counts[position].started += 1
        // Don't add a call that has already ended.
        if let index = lastPositions.index(forKey: call) { lastPositions.values[index] = position }
    }

    mutating func queued(_ id: ID) {
        guard let index = exchanges.index(forKey: id), !exchanges.values[index].isWaiting else { return }
        exchanges.values[index].isWaiting = true
        counts[exchanges.values[index].position].waiting += 1
    }

    mutating func connectionTaken(_ id: ID, isReused: Bool) {
        guard let index = exchanges.index(forKey: id) else { return }
        let exchange = exchanges.values[index]
        if exchange.isWaiting {
            exchanges.values[index].isWaiting = false
            counts[exchange.position].waiting -= 1
        }
        if isReused {
            counts[exchange.position].reusedConnections += 1
        } else {
            counts[exchange.position].openedConnections += 1
        }
    }

    mutating func exchangeEnded(_ id: ID, _ end: End) {
        guard let exchange = exchanges.removeValue(forKey: id) else { return }
        var end = end
        if exchange.isWaiting {
            counts[exchange.position].waiting -= 1
            // It left the queue only now.
            end.queued = end.duration
        }
        counts[exchange.position].add(end)
    }

    // MARK: Connections

    mutating func connectionChanged(_ kind: ConnectionEvent.Kind, of origin: String) {
        let position = position(of: origin)
        switch kind {
        case .opened: counts[position].openConnections += 1
        case .becameIdle: counts[position].idleConnections += 1
        case .becameActive: counts[position].idleConnections -= 1
        case .closed(let wasIdle):
            counts[position].openConnections -= 1
            if wasIdle { counts[position].idleConnections -= 1 }
        }
    }

    private mutating func position(of origin: String) -> Int {
        if let position = positions[origin] { return position }
        guard names.count < maximumOrigins else { return other }
        names.append(origin)
        counts.append(Statistics.Exchanges())
        positions[origin] = names.count
        return names.count
    }
}

extension StatisticsTable.End {
    /// Extracts the data from a summary.
    init(_ summary: ExchangeSummary) {
        switch summary.outcome {
        case .response(let statusCode): result = .response(statusCode.type)
        case .cancelled: result = .cancelled
        case .failure: result = .failure(PrintableText.escape(summary.outcome.failureName ?? ""))
        }
        duration = summary.duration
        guard let metrics = summary.metrics else { return }
        firstByte = summary.statusCode == nil ? nil : metrics.firstByte
        queued = metrics.queued
        bytesSent = metrics.bytesSent
        bytesReceived = metrics.bytesReceived
    }
}
