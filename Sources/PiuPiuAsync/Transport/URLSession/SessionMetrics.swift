extension ExchangeMetrics {
    /// Reads the measurements of the last connection; `nil` if `URLSession` measured nothing.
    init?(_ metrics: URLSessionTaskMetrics, queued: Duration) {
        guard let transaction = metrics.transactionMetrics.last, let start = transaction.fetchStartDate else {
            return nil
        }
        func time(_ date: Date?) -> Duration {
            date.map { .seconds(max(0, $0.timeIntervalSince(start))) } ?? .zero
        }
        self.init(
            queued: queued,
            nameLookup: time(transaction.domainLookupEndDate),
            connect: time(transaction.connectEndDate),
            secureConnect: time(transaction.secureConnectionEndDate),
            firstByte: time(transaction.responseStartDate),
            total: time(transaction.responseEndDate),
            isReusedConnection: transaction.isReusedConnection
        )
    }
}

extension URLSessionTaskMetrics {
    /// Whether the connection carries several requests at a time; `nil` if that is unknown.
    var isMultiplexed: Bool? {
        guard let name = transactionMetrics.last?.networkProtocolName else { return nil }
        return name == "h2" || name == "h3"
    }
}
