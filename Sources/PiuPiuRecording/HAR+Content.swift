import PiuPiuAsync

extension HAR {
    /// The body of a response, after decompression.
    public struct Content: Sendable, Hashable {
        /// The size of the body, in bytes.
        public var size: Int64
        /// The content type.
        public var mimeType: String
        /// The body, as text or in base64; `nil` if it was not recorded or is empty.
        public var text: String?
        /// `base64`, or `nil` for text.
        public var encoding: String?
        /// Whether a part of the body was not recorded; such an exchange cannot be replayed.
        public var isTruncated: Bool

        /// Creates a content.
        ///
        /// - Parameters:
        ///   - size: The size of the body, in bytes.
        ///   - mimeType: The content type.
        ///   - text: The body, as text or in base64.
        ///   - encoding: `base64`, or `nil` for text.
        ///   - isTruncated: Whether a part of the body was not recorded.
        public init(
            size: Int64 = 0,
            mimeType: String = "",
            text: String? = nil,
            encoding: String? = nil,
            isTruncated: Bool = false
        ) {
            self.size = size
            self.mimeType = mimeType
            self.text = text
            self.encoding = encoding
            self.isTruncated = isTruncated
        }

        /// Creates a content from bytes.
        ///
        /// - Parameters:
        ///   - data: The bytes.
        ///   - mimeType: The content type.
        ///   - isTruncated: Whether a part of the body was not recorded.
        public init(_ data: Data, mimeType: String, isTruncated: Bool = false) {
            let body = HARBody(data, mimeType: mimeType)
            self.init(
                size: Int64(data.count),
                mimeType: mimeType,
                text: data.isEmpty ? nil : body.text,
                encoding: data.isEmpty ? nil : body.encoding,
                isTruncated: isTruncated
            )
        }

        /// The bytes; `nil` if there is no text, or if `encoding` is `base64` and the text is not base64.
        public var data: Data? { HARBody(text: text, encoding: encoding).data(mimeType: mimeType) }

        /// Whether ``data`` is UTF-8, regardless of the content type.
        var isWrittenAsUTF8: Bool { HARBody(text: text, encoding: encoding).isWrittenAsUTF8(mimeType: mimeType) }
    }
}

extension HAR.Content: Codable {
    private enum Keys: String, CodingKey {
        case size, mimeType, text, encoding
        case isTruncated = "_truncated"
    }

    /// Reads a content.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` if the text is not a string.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        self.init(
            size: container.lenient(.size) ?? 0,
            mimeType: container.lenient(.mimeType) ?? "",
            text: try container.decodeIfPresent(String.self, forKey: .text),
            encoding: try container.decodeIfPresent(String.self, forKey: .encoding),
            isTruncated: container.lenient(.isTruncated) ?? false
        )
    }

    /// Writes a content.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: `EncodingError`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(size, forKey: .size)
        try container.encode(mimeType, forKey: .mimeType)
        try container.encodeIfPresent(text, forKey: .text)
        try container.encodeIfPresent(encoding, forKey: .encoding)
        if isTruncated { try container.encode(true, forKey: .isTruncated) }
    }
}

extension HAR.Content: Redacted {
    /// The size and the type, without the body.
    public var description: String { "Content of \(size) bytes, \(PrintableText.escape(mimeType))" }

    /// The same as the description, so that `dump` shows no secrets and no body.
    package var shown: KeyValuePairs<String, Any> { ["description": description] }
}
