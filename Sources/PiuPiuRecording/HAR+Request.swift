import PiuPiuAsync

extension HAR {
    /// The request of an exchange.
    public struct Request: Sendable, Hashable {
        /// The method.
        public var method: String
        /// The URL with its query, as in the file.
        public var url: String
        /// The protocol version, such as `HTTP/1.1`.
        public var httpVersion: String
        /// The header fields, without HTTP/2's pseudo-header fields, which begin with a colon.
        public var headers: HTTPHeaderFields
        /// The body; `nil` if there is none or it was not recorded.
        public var postData: PostData?
        /// The size of the body, in bytes; -1 if it is not known.
        public var bodySize: Int64
        /// The size of the head, in bytes; -1 if it is not known.
        public var headersSize: Int64 = -1

        /// Creates a request.
        ///
        /// - Parameters:
        ///   - method: The method.
        ///   - url: The URL.
        ///   - httpVersion: The protocol version.
        ///   - headers: The header fields.
        ///   - postData: The body.
        ///   - bodySize: The size of the body, in bytes.
        public init(
            method: String = "GET",
            url: String,
            httpVersion: String = "HTTP/1.1",
            headers: HTTPHeaderFields = [:],
            postData: PostData? = nil,
            bodySize: Int64 = 0
        ) {
            self.method = method
            self.url = url
            self.httpVersion = httpVersion
            self.headers = headers
            self.postData = postData
            self.bodySize = bodySize
        }
    }
}

extension URL {
    /// The text without the fragment, which is not sent, and is not part of a URL in HAR 1.2.
    var withoutFragment: String { String(absoluteString.prefix { $0 != "#" }) }
}

extension HAR.Request {
    /// Creates a request without its body.
    init(_ urlRequest: URLRequest, httpVersion: String) {
        let fields = (urlRequest.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        self.init(
            method: urlRequest.httpMethod ?? "GET",
            url: urlRequest.url?.withoutFragment ?? "",
            httpVersion: httpVersion,
            headers: HTTPHeaderFields(fields.map { HTTPHeaderField(name: $0.key, value: $0.value) })
        )
    }
}

extension HAR.Request: Codable {
    private enum Keys: String, CodingKey {
        case method, url, httpVersion, headers, queryString, cookies, postData, headersSize, bodySize
    }

    /// Reads a request.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` if there is no method or no URL, or if the body is invalid.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        self.init(
            method: try container.decode(String.self, forKey: .method),
            url: try container.decode(String.self, forKey: .url),
            httpVersion: container.lenient(.httpVersion) ?? "",
            headers: try container.fields(.headers),
            postData: try container.decodeIfPresent(HAR.PostData.self, forKey: .postData),
            bodySize: container.lenient(.bodySize) ?? -1
        )
        headersSize = container.lenient(.headersSize) ?? -1
    }

    /// Writes a request.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: `EncodingError`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(method, forKey: .method)
        try container.encode(url, forKey: .url)
        try container.encode(httpVersion, forKey: .httpVersion)
        try container.encode(headers, forKey: .headers)
        try container.encode(
            HARTarget(url).items.map { HARPair(name: $0.name, value: $0.value) },
            forKey: .queryString
        )
        try container.encode([HARPair](), forKey: .cookies)
        try container.encodeIfPresent(postData, forKey: .postData)
        try container.encode(headersSize, forKey: .headersSize)
        try container.encode(bodySize, forKey: .bodySize)
    }
}

extension HAR.Request: Redacted {
    /// The method and the URL, without secrets.
    public var description: String {
        let text = "\(method) \(HARRedaction.default.text(ofURL: url))"
        return PrintableText.escape(text, limit: .max)
    }

    /// The same as the description, so that `dump` shows no secrets and no body.
    package var shown: KeyValuePairs<String, Any> { ["description": description] }
}
