import PiuPiuAsync

extension HAR {
    /// The response of an exchange.
    public struct Response: Sendable, Hashable {
        /// The status code; 0 if there was no response.
        public var status: Int
        /// The reason phrase after the status code, often empty.
        public var statusText: String
        /// The protocol version, such as `HTTP/1.1`.
        public var httpVersion: String
        /// The header fields as they arrived; they may describe an encoding that the content no longer has.
        public var headers: HTTPHeaderFields
        /// The body.
        public var content: Content
        /// The size of the head, in bytes; -1 if it is not known.
        public var headersSize: Int64 = -1
        /// The size of the body as it was transferred, in bytes; -1 if it is not known.
        public var bodySize: Int64 = -1
        /// The number of bytes that were transferred, in the form that Chromium uses; `nil` if it is not known.
        public var transferSize: Int64?
        /// Why there is no response, or no complete response.
        public var error: String?

        /// Creates a response.
        ///
        /// - Parameters:
        ///   - status: The status code; 0 if there was no response.
        ///   - statusText: The reason phrase after the status code.
        ///   - httpVersion: The protocol version.
        ///   - headers: The header fields.
        ///   - content: The body.
        ///   - error: Why there is no response, or no complete response.
        public init(
            status: Int,
            statusText: String = "",
            httpVersion: String = "HTTP/1.1",
            headers: HTTPHeaderFields = [:],
            content: Content = Content(),
            error: String? = nil
        ) {
            self.status = status
            self.statusText = statusText
            self.httpVersion = httpVersion
            self.headers = headers
            self.content = content
            self.error = error
        }
    }
}

extension HAR.Response: Codable {
    private enum Keys: String, CodingKey {
        case status, statusText, httpVersion, headers, cookies, content, redirectURL, headersSize, bodySize
        case error = "_error"
        case transferSize = "_transferSize"
    }

    /// Reads a response.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` if the status is not a number, or if the content is invalid.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        // Firefox leaves out the status if it saw no response.
        guard let status = Int(exactly: try container.decodeIfPresent(Double.self, forKey: .status) ?? 0) else {
            throw DecodingError.dataCorruptedError(forKey: .status, in: container, debugDescription: "")
        }
        self.init(
            status: status,
            statusText: container.lenient(.statusText) ?? "",
            httpVersion: container.lenient(.httpVersion) ?? "",
            headers: try container.fields(.headers),
            content: try container.decodeIfPresent(HAR.Content.self, forKey: .content) ?? HAR.Content(),
            error: container.lenient(.error)
        )
        headersSize = container.lenient(.headersSize) ?? -1
        bodySize = container.lenient(.bodySize) ?? -1
        transferSize = container.lenient(.transferSize)
    }

    /// Writes a response.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: `EncodingError`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(status, forKey: .status)
        try container.encode(statusText, forKey: .statusText)
        try container.encode(httpVersion, forKey: .httpVersion)
        try container.encode(headers, forKey: .headers)
        try container.encode([HARPair](), forKey: .cookies)
        try container.encode(content, forKey: .content)
        try container.encode(headers["Location"] ?? "", forKey: .redirectURL)
        try container.encode(headersSize, forKey: .headersSize)
        try container.encode(bodySize, forKey: .bodySize)
        try container.encodeIfPresent(transferSize, forKey: .transferSize)
        try container.encodeIfPresent(error, forKey: .error)
    }
}

extension HAR.Response: Redacted {
    /// The status, and the error if there is one, without header fields and body.
    public var description: String { error.map { "\(status) (\(PrintableText.escape($0)))" } ?? "\(status)" }

    /// The same as the description, so that `dump` shows no secrets and no body.
    package var shown: KeyValuePairs<String, Any> { ["description": description] }
}
