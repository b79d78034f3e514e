/// Checks on a response's head as `URLSession` provides it.
enum SessionHead {
    static let lostBody = "Foundation on Linux loses the body of a redirect without a usable Location"

    /// The reason why a response is not acceptable; `nil` if it is acceptable.
    static func check(_ response: HTTPURLResponse, _ request: PreparedRequest) -> ExchangeFailure? {
        // This includes status 101, which was not requested.
        guard response.statusCode >= 200 else { return ExchangeFailure(.malformedHead) }
        var size = 17
        for (name, value) in response.allHeaderFields { size += "\(name)".utf8.count + "\(value)".utf8.count + 4 }
        guard size <= request.options.maximumHead else { return ExchangeFailure(.headTooLarge) }
        // Contradictory or invalid lengths (RFC 9112 §6.3). Foundation joins several values with commas.
        let lengths = contentLengths(response)
        guard lengths.count <= 1, lengths.allSatisfy(isLength) else { return ExchangeFailure(.malformedHead) }
        if !request.decodesContent, isEncoded(response), hasContent(response, request) {
            return ExchangeFailure(
                .unsupported,
                reason: "URLSession decompresses every body, but the request requires the original bytes"
            )
        }
        return nil
    }

    /// The number of content bytes to come; `nil` if it is unknown, or if `URLSession` decompresses the content.
    static func expectedLength(_ response: HTTPURLResponse, _ request: PreparedRequest) -> Int64? {
        guard hasContent(response, request) else { return 0 }
        // Chunked framing takes precedence over a length (RFC 9112 §6.3).
        guard !isEncoded(response), response.value(forHTTPHeaderField: "Transfer-Encoding") == nil else { return nil }
        // An unsigned 64-bit number is also a valid length, although no body is that long.
        return contentLengths(response).first.flatMap { UInt64($0) }.map { Int64(clamping: $0) }
    }

    private static func hasContent(_ response: HTTPURLResponse, _ request: PreparedRequest) -> Bool {
        if case .head = request.kind { return false }
        return response.statusCode != 204 && response.statusCode != 304
    }

    private static func isEncoded(_ response: HTTPURLResponse) -> Bool {
        guard let coding = response.value(forHTTPHeaderField: "Content-Encoding") else { return false }
        return !coding.isEmpty && coding.lowercased() != "identity"
    }

    private static func isLength(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt64(text) != nil
    }

    private static func contentLengths(_ response: HTTPURLResponse) -> Set<String> {
        let value = response.value(forHTTPHeaderField: "Content-Length") ?? ""
        return Set(value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
    }
}

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
