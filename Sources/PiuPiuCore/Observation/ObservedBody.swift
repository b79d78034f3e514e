/// The beginning of a body, for an observer that requests it with ``ExchangeObserver/bodyLimit``.
///
/// It may contain anything, including secrets. Descriptions and dumps show only sizes.
public struct ObservedBody: Sendable, Hashable {
    /// The first bytes, at most as many as ``ExchangeObserver/bodyLimit``.
    public let beginning: Data
    /// The number of bytes transferred before the exchange ended.
    public let size: Int
    /// Whether the body was transferred to its end.
    public let isComplete: Bool
    /// The value of `Content-Type`; `nil` if there is none.
    public let contentType: String?
    /// The value of `Content-Encoding`, if the bytes are still encoded; otherwise `nil`.
    public let contentEncoding: String?

    /// Whether ``beginning`` is the whole body.
    public var isWhole: Bool { isComplete && beginning.count == size }

    /// Creates the beginning of a body.
    ///
    /// - Parameters:
    ///   - beginning: The first bytes.
    ///   - size: The number of bytes transferred; those of `beginning` by default.
    ///   - isComplete: Whether the body was transferred to its end.
    ///   - contentType: The value of `Content-Type`.
    ///   - contentEncoding: The value of `Content-Encoding`, if the bytes are still encoded.
    public init(
        beginning: Data,
        size: Int? = nil,
        isComplete: Bool = true,
        contentType: String? = nil,
        contentEncoding: String? = nil
    ) {
        self.beginning = beginning
        self.size = max(beginning.count, size ?? 0)
        self.isComplete = isComplete
        self.contentType = contentType
        self.contentEncoding = contentEncoding
    }

    /// Returns the body with a beginning of at most a number of bytes; `nil` if the limit is zero.
    package func limited(to limit: Int) -> ObservedBody? {
        guard limit > 0 else { return nil }
        guard beginning.count > limit else { return self }
        return ObservedBody(
            beginning: Data(beginning.prefix(limit)),
            size: size,
            isComplete: isComplete,
            contentType: contentType,
            contentEncoding: contentEncoding
        )
    }
}

extension ObservedBody: Redacted {
    /// The sizes, without the bytes.
    package var shown: KeyValuePairs<String, Any> {
        ["beginning": "\(beginning.count) bytes", "size": size, "isComplete": isComplete]
    }
}

extension ObservedExchange {
    /// Returns at most a number of bytes of the request's body; `nil` if it has none.
    ///
    /// A body in memory counts as sent.
    func requestBody(upTo limit: Int) -> ObservedBody? {
        let type = urlRequest.value(forHTTPHeaderField: "Content-Type")
        let encoding = urlRequest.value(forHTTPHeaderField: "Content-Encoding")
        if let tap {
            let seen = tap.seen
            return ObservedBody(seen.beginning, isComplete: seen.isComplete, type, encoding)
        }
        guard let body = urlRequest.httpBody, !body.isEmpty else { return nil }
        let isShort = body.count <= limit && body.startIndex == 0
        return ObservedBody(
            beginning: isShort ? body : Data(body.prefix(limit)),
            size: body.count,
            contentType: type,
            contentEncoding: encoding
        )
    }
}

extension BodyTap {
    /// Returns the beginning of a response's body, as far as it was transferred; `nil` if no byte of it arrived.
    func responseBody(_ head: ResponseHead, isComplete: Bool, isDecoded: Bool) -> ObservedBody? {
        let (beginning, _) = seen
        guard beginning.size > 0 else { return nil }
        let encoding = ReadableBody.coding(head.headers.values(for: "Content-Encoding"), isDecoded: isDecoded)
        return ObservedBody(beginning, isComplete: isComplete, head.firstValue(of: "Content-Type"), encoding)
    }
}

extension ObservedBody {
    /// Creates the beginning of a body from the bytes transferred.
    init(_ beginning: BodyBeginning, isComplete: Bool, _ contentType: String?, _ contentEncoding: String?) {
        self.init(
            beginning: beginning.bytes,
            size: beginning.size,
            isComplete: isComplete,
            contentType: contentType,
            contentEncoding: contentEncoding
        )
    }
}
