import PiuPiuAsync

extension HAR {
    /// One exchange.
    public struct Entry: Sendable, Hashable {
        /// The start time as the file has it: an ISO 8601 date-time.
        public var startedDateTime: String
        /// The request.
        public var request: Request
        /// The response.
        public var response: Response
        /// The duration of each phase.
        public var timings: Timings
        /// A comment by the user or the application.
        public var comment: String?

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

extension HAR.Entry: Codable {
    private enum Keys: String, CodingKey {
        case startedDateTime, time, request, response, cache, timings, comment
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
        try container.encodeIfPresent(comment, forKey: .comment)
    }
}

extension HAR.Entry: Redacted {
    /// The method, the URL and the status, without secrets, header fields and bodies.
    public var description: String { "\(request) → \(response)" }

    /// The same as the description, so that `dump` shows no secrets and no body.
    package var shown: KeyValuePairs<String, Any> { ["description": description] }
}
