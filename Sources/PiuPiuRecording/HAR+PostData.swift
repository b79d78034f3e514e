import PiuPiuAsync

extension HAR {
    /// The body of a request.
    ///
    /// HAR 1.2 supports only text. Bytes that are not text are written in base64, with an additional `"encoding": "base64"`, as
    /// for responses and as in the proposal for HAR 1.3.
    public struct PostData: Sendable, Hashable {
        /// The content type.
        public var mimeType: String
        /// The body, as text or in base64; `nil` if a tool wrote only ``params``.
        public var text: String?
        /// `base64`, or `nil` for text.
        public var encoding: String?
        /// The fields of a form; tools may write them in addition to the text or instead of it.
        public var params: [HTTPHeaderField]
        /// Whether a part of the body was not recorded.
        public var isTruncated: Bool

        /// Creates a body.
        ///
        /// - Parameters:
        ///   - mimeType: The content type.
        ///   - text: The body, as text or in base64.
        ///   - encoding: `base64`, or `nil` for text.
        ///   - params: The fields of a form.
        ///   - isTruncated: Whether a part of the body was not recorded.
        public init(
            mimeType: String,
            text: String?,
            encoding: String? = nil,
            params: [HTTPHeaderField] = [],
            isTruncated: Bool = false
        ) {
            self.mimeType = mimeType
            self.text = text
            self.encoding = encoding
            self.params = params
            self.isTruncated = isTruncated
        }

        /// Creates a body from bytes.
        ///
        /// - Parameters:
        ///   - data: The bytes.
        ///   - mimeType: The content type.
        ///   - isTruncated: Whether a part of the body was not recorded.
        public init(_ data: Data, mimeType: String, isTruncated: Bool = false) {
            let body = HARBody(data, mimeType: mimeType)
            self.init(mimeType: mimeType, text: body.text, encoding: body.encoding, isTruncated: isTruncated)
        }

        /// The bytes; `nil` if there is no text, or if `encoding` is `base64` and the text is not base64.
        public var data: Data? { HARBody(text: text, encoding: encoding).data(mimeType: mimeType) }
    }
}

extension HAR.PostData: Codable {
    private enum Keys: String, CodingKey {
        case mimeType, text, encoding, params
        case isTruncated = "_truncated"
    }

    /// Reads a body.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` if the text is not a string.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        let params: [HARPair] = container.lenient(.params) ?? []
        self.init(
            mimeType: container.lenient(.mimeType) ?? "",
            text: try container.decodeIfPresent(String.self, forKey: .text),
            encoding: try container.decodeIfPresent(String.self, forKey: .encoding),
            params: params.map { HTTPHeaderField(name: $0.name, value: $0.value) },
            isTruncated: container.lenient(.isTruncated) ?? false
        )
    }

    /// Writes a body.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: `EncodingError`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(mimeType, forKey: .mimeType)
        // The format requires `text` or `params`.
        try container.encodeIfPresent(text, forKey: .text)
        try container.encodeIfPresent(encoding, forKey: .encoding)
        if text == nil || !params.isEmpty {
            try container.encode(params.map { HARPair(name: $0.name, value: $0.value) }, forKey: .params)
        }
        if isTruncated { try container.encode(true, forKey: .isTruncated) }
    }
}

extension HAR.PostData: Redacted {
    /// The type, without the body.
    public var description: String { "PostData of \(mimeType)" }

    /// The same as the description, so that `dump` shows no secrets and no body.
    package var shown: KeyValuePairs<String, Any> { ["description": description] }
}
