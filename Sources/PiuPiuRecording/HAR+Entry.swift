import PiuPiuAsync

extension HAR {
    /// One exchange.
    public struct Entry: Sendable, Hashable {
        /// The start time as in the file: an ISO 8601 date-time.
        public var startedDateTime: String
        /// The request.
        public var request: Request
        /// The response.
        public var response: Response
        /// The duration of each phase.
        public var timings: Timings
        /// The IP address of the server or of its proxy; `nil` if it is not known.
        public var serverIPAddress: String?
        /// A text that identifies the connection among those open at the same time, such as its port; `nil` if it is not known.
        public var connection: String?
        /// The kind of the resource in Chromium's terms, such as `fetch`.
        public var resourceType: String?
        /// Whether the response to a later attempt replaced this one; such an exchange is not replayed.
        public var isSuperseded = false
        /// The messages of a WebSocket; empty for other exchanges.
        public var webSocketMessages: [WebSocketMessage] = []
        /// A comment by the user or the application.
        public var comment: String?
        /// The texts in the response that replace secrets, as ``HARRedaction`` describes.
        var standIns: Set<String> = []

        /// Creates an entry.
        ///
        /// - Parameters:
        ///   - startedDateTime: The start time, as an ISO 8601 date-time.
        ///   - request: The request.
        ///   - response: The response.
        ///   - timings: The duration of each phase.
        ///   - comment: A comment.
        public init(
            startedDateTime: String = "1970-01-01T00:00:00Z",
            request: Request,
            response: Response,
            timings: Timings = Timings(),
            comment: String? = nil
        ) {
            self.startedDateTime = startedDateTime
            self.request = request
            self.response = response
            self.timings = timings
            self.comment = comment
        }
    }
}

extension HAR.Entry {
    /// Writes a start time, with microseconds.
    static func dateTime(_ date: Date) -> String {
        guard let seconds = RFC3339.string(from: date) else { return "1970-01-01T00:00:00Z" }
        let time = date.timeIntervalSinceReferenceDate
        let microseconds = Int(((time - time.rounded(.down)) * 1_000_000).rounded(.down))
        return seconds.dropLast() + String(format: ".%06dZ", microseconds)
    }

    /// The approximate memory use.
    var cost: Int {
        let headers = (Array(request.headers) + Array(response.headers)).reduce(0) {
            $0 + $1.name.utf8.count + $1.value.utf8.count
        }
        let bodies = (request.postData?.text?.utf8.count ?? 0) + (response.content.text?.utf8.count ?? 0)
        let messages = webSocketMessages.reduce(0) { $0 + $1.cost }
        return 256 + request.url.utf8.count + headers + bodies + messages + standIns.reduce(0) { $0 + $1.utf8.count }
    }
}

extension HAR.Entry {
    /// The kind of a WebSocket in Chromium's terms.
    static let webSocketType = "websocket"

    /// Writes the URL with `ws` or `wss`, as Chromium does.
    mutating func showWebSocketURL() {
        if request.url.hasPrefix("http") { request.url = "ws" + request.url.dropFirst(4) }
    }
}

extension HAR.Entry: Codable {
    private enum Keys: String, CodingKey {
        case startedDateTime, time, request, response, cache, timings, comment, pageref, serverIPAddress, connection
        case connectionID = "_connectionId"
        case resourceType = "_resourceType"
        case isSuperseded = "_superseded"
        case standIns = "_standIns"
        case webSocketMessages = "_webSocketMessages"
    }

    /// Reads an entry.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` if the entry has no request or no response.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        self.init(
            startedDateTime: container.lenient(.startedDateTime) ?? "1970-01-01T00:00:00Z",
            request: try container.decode(HAR.Request.self, forKey: .request),
            response: try container.decode(HAR.Response.self, forKey: .response),
            timings: container.lenient(.timings) ?? HAR.Timings(),
            comment: container.lenient(.comment)
        )
        serverIPAddress = container.lenient(.serverIPAddress)
        connection = container.lenient(.connection)
        resourceType = container.lenient(.resourceType)
        isSuperseded = container.lenient(.isSuperseded) ?? false
        standIns = Set(container.lenient(.standIns) ?? [String]())
        let messages: [HAR.WebSocketMessage.Lenient]? = container.lenient(.webSocketMessages)
        webSocketMessages = messages?.compactMap(\.message) ?? []
    }

    /// Writes an entry.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: `EncodingError`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(startedDateTime, forKey: .startedDateTime)
        try container.encode(timings.total, forKey: .time)
        try container.encode(request, forKey: .request)
        try container.encode(response, forKey: .response)
        try container.encode(HARNothing(), forKey: .cache)
        try container.encode(timings, forKey: .timings)
        try container.encode(HARPage.id, forKey: .pageref)
        try container.encodeIfPresent(serverIPAddress, forKey: .serverIPAddress)
        try container.encodeIfPresent(connection, forKey: .connection)
        // Chromium interprets `connection` as the port of the server.
        try container.encodeIfPresent(connection, forKey: .connectionID)
        try container.encodeIfPresent(resourceType, forKey: .resourceType)
        if !webSocketMessages.isEmpty { try container.encode(webSocketMessages, forKey: .webSocketMessages) }
        if isSuperseded { try container.encode(true, forKey: .isSuperseded) }
        if !standIns.isEmpty { try container.encode(standIns.sorted(), forKey: .standIns) }
        try container.encodeIfPresent(comment, forKey: .comment)
    }
}

extension HAR.Entry: Redacted {
    /// The method, the URL and the status, without secrets, header fields and bodies.
    public var description: String { "\(request) → \(response)" }

    /// The same as the description, so that `dump` shows no secrets and no body.
    package var shown: KeyValuePairs<String, Any> { ["description": description] }
}
