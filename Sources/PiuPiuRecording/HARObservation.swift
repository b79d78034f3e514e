import PiuPiuAsync

/// An exchange that a recorder observes, including its secrets.
struct HARObservation: Sendable {
    /// The parts of the exchange that the recorder saw as an interceptor.
    struct Recorded: Sendable {
        /// The request with its body; `nil` to keep the observed request.
        var request: HAR.Request?
        /// The body of the response.
        var content: HAR.Content?
        /// Why the response's body is incomplete.
        var error: String?
    }

    /// When the exchange started.
    let date: Date
    /// The attempt that the exchange belongs to.
    let attempt: Attempt
    /// Names of secret header fields, in addition to those of the redaction.
    let sensitiveHeaders: [String]
    /// The sent requests, of this exchange and of the call.
    let sent: [URLRequest]
    /// The number of passes that may still add to the observation.
    var holds: Int
    /// Whether another attempt replaced this one.
    var isSuperseded = false
    /// The status code; `nil` before the head.
    private(set) var statusCode: Int?
    /// The parts that an interceptor recorded.
    var recorded: Recorded?

    private let request: HAR.Request
    private var head: ObservedHead?
    private var connection: ObservedConnection?
    private var phases = HARPhases(end: .zero)
    private var sentBytes = 0
    private var receivedBytes = 0
    private var outcome: ObservedOutcome?
    private var messages = HARMessages()

    /// Creates the observation of an exchange that begins, to which a number of passes (`holds`) may add.
    init(_ exchange: ObservedExchange, at date: Date, holds: Int) {
        self.date = date
        self.holds = holds
        attempt = exchange.attempt
        sensitiveHeaders = exchange.sensitiveHeaders
        sent = exchange.sentRequests
        request = HAR.Request(exchange.urlRequest, httpVersion: "")
    }

    /// Whether the observation of the exchange is finished.
    var isComplete: Bool { outcome != nil && holds == 0 }

    /// Whether the exchange was cancelled.
    var isCancelled: Bool { if case .cancelled = outcome { true } else { false } }

    /// The URL that was requested.
    var url: String { request.url }

    /// Records an event, with its time since the start of the exchange.
    mutating func observe(_ event: ExchangeEvent, at time: Duration) {
        switch event.kind {
        case .connectionTaken(let connection):
            self.connection = connection
            phases.connected = time
            phases.isReused = connection.isReused
            (phases.sent, sentBytes, receivedBytes) = (nil, 0, 0)
        case .bodySent(let count): sentBytes += count
        case .requestSent: phases.sent = time
        case .head(let statusCode):
            self.statusCode = statusCode.rawValue
            head = event.responseHead
            phases.head = time
        case .bodyReceived(let count): receivedBytes += count
        case .exchangeEnded(let summary):
            outcome = summary.outcome
            phases.end = summary.duration
            phases.metrics = summary.metrics
            connection = summary.connection ?? connection
            if case .failure(let error) = summary.outcome { phases.failedPhase = .init(error) }
        default: break
        }
    }

    /// Records a message of a WebSocket.
    mutating func add(_ message: HAR.WebSocketMessage) { messages.add(message) }

    /// Whether the exchange became a WebSocket.
    private var isWebSocket: Bool { statusCode == 101 || !messages.isEmpty }

    /// The approximate memory use.
    var cost: Int {
        let fields = request.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        let head = head.map { $0.length ?? $0.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } }
        let bodies = [recorded?.request?.postData?.text, recorded?.content?.text].reduce(0) {
            $0 + ($1?.utf8.count ?? 0)
        }
        return 256 + request.url.utf8.count + fields + (head ?? 0) + bodies + messages.size
    }

    // MARK: The entry

    /// The entry, including its secrets.
    var entry: HAR.Entry {
        var entry = HAR.Entry(
            startedDateTime: HAR.Entry.dateTime(date),
            request: entryRequest,
            response: entryResponse,
            timings: HAR.Timings(phases),
            comment: attempt.number > 1 ? "Attempt \(attempt.number)." : nil
        )
        entry.serverIPAddress = connection?.remoteAddress.map { Self.address($0) }
        entry.connection = connection?.localAddress.flatMap { $0.split(separator: ":").last.map(String.init) }
        entry.resourceType = isWebSocket ? HAR.Entry.webSocketType : "fetch"
        entry.isSuperseded = isSuperseded
        if isWebSocket {
            entry.showWebSocketURL()
            entry.webSocketMessages = messages.all
            if messages.skipped > 0 { entry.comment = "\(messages.skipped) later messages are missing." }
        }
        return entry
    }

    private var version: String { head?.httpVersion ?? connection?.httpVersion ?? "" }

    private var entryRequest: HAR.Request {
        var request = recorded?.request ?? request
        request.httpVersion = version
        if recorded?.request == nil { request.bodySize = Int64(sentBytes) }
        if version.hasPrefix("HTTP/1"), let sent = phases.metrics?.bytesSent, sent > sentBytes {
            request.headersSize = Int64(sent - sentBytes)
        }
        return request
    }

    private var entryResponse: HAR.Response {
        var response = HAR.Response(status: statusCode ?? 0, httpVersion: version, error: recorded?.error)
        if case .failure(let error) = outcome { response.error = HARExchange.text(error) }
        if isCancelled { response.error = recorded?.error ?? "cancelled" }
        guard let head else { return response }
        response.headers = head.headers
        response.content = recorded?.content ?? content(type: response.headers["Content-Type"] ?? "")
        if let received = phases.metrics?.bytesReceived, received > 0 {
            response.transferSize = Int64(received)
            if version.hasPrefix("HTTP/1"), let length = head.length, length <= received {
                response.headersSize = Int64(length)
                response.bodySize = Int64(received - length)
            }
        }
        return response
    }

    /// The known properties of a body that was not recorded.
    private func content(type: String) -> HAR.Content {
        let hasNone = request.method == "HEAD" || [101, 204, 304].contains(statusCode) || isWebSocket
        // A transport that reports no connection reports no bytes either.
        let isMissing = connection == nil ? !hasNone : receivedBytes > 0
        return HAR.Content(size: Int64(receivedBytes), mimeType: type, isTruncated: isMissing && !isRedirect)
    }

    /// Whether a replay needs only the head.
    private var isRedirect: Bool { (300...399).contains(statusCode ?? 0) }

    /// An address without its port and brackets.
    private static func address(_ text: String) -> String {
        guard let colon = text.lastIndex(of: ":") else { return text }
        return text[..<colon].trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
    }
}

extension HARObservation: Redacted {
    /// The status, without anything that was sent or received.
    var shown: KeyValuePairs<String, Any> { ["status": statusCode ?? 0, "isComplete": isComplete] }
}
