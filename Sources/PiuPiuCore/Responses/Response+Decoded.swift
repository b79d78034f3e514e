extension Response where Body == Data? {
    /// Returns the same response with its body decoded from JSON.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder.
    /// - Returns: The response with the value as its body.
    /// - Throws: ``ResponseError/unexpectedEmptyResponse``, or the decoder's error unchanged.
    public func decoded<D: Decodable>(
        _ type: D.Type,
        using decoder: JSONDecoder = JSONDecoder()
    ) throws -> Response<D> {
        let value = try decode(type, using: decoder)
        return map { _ in value }
    }

    /// Returns the same response with its body decoded from JSON, if it has a body.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder.
    /// - Returns: The response with the value as its body; `nil` if it has no body.
    /// - Throws: The decoder's error unchanged.
    public func decodedIfPresent<D: Decodable>(
        _ type: D.Type,
        using decoder: JSONDecoder = JSONDecoder()
    ) throws -> Response<D?> {
        let value = try decodeIfPresent(type, using: decoder)
        return map { _ in value }
    }

    /// The former name of ``decoded(_:using:)``.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder.
    /// - Returns: The response with the value as its body.
    /// - Throws: ``ResponseError/unexpectedEmptyResponse``, or the decoder's error unchanged.
    @available(*, deprecated, renamed: "decoded(_:using:)")
    public func decodedResponse<D: Decodable>(
        _ type: D.Type,
        using decoder: JSONDecoder = JSONDecoder()
    ) throws -> Response<D> {
        try decoded(type, using: decoder)
    }

    /// The former name of ``decodedIfPresent(_:using:)``.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder.
    /// - Returns: The response with the value as its body; `nil` if it has no body.
    /// - Throws: The decoder's error unchanged.
    @available(*, deprecated, renamed: "decodedIfPresent(_:using:)")
    public func decodedResponseIfPresent<D: Decodable>(
        _ type: D.Type,
        using decoder: JSONDecoder = JSONDecoder()
    ) throws -> Response<D?> {
        try decodedIfPresent(type, using: decoder)
    }
}

extension HTTPResponse where Body == Data? {
    /// Returns the same response with its body decoded from JSON.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder.
    /// - Returns: The response with the value as its body.
    /// - Throws: ``ResponseError/unexpectedEmptyResponse``, or the decoder's error unchanged.
    public func decoded<D: Decodable>(
        _ type: D.Type,
        using decoder: JSONDecoder = JSONDecoder()
    ) throws -> HTTPResponse<D> {
        let value = try decode(type, using: decoder)
        return map { _ in value }
    }

    /// Returns the same response with its body decoded from JSON, if it has a body.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder.
    /// - Returns: The response with the value as its body; `nil` if it has no body.
    /// - Throws: The decoder's error unchanged.
    public func decodedIfPresent<D: Decodable>(
        _ type: D.Type,
        using decoder: JSONDecoder = JSONDecoder()
    ) throws -> HTTPResponse<D?> {
        let value = try decodeIfPresent(type, using: decoder)
        return map { _ in value }
    }

    /// The former name of ``decoded(_:using:)``.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder.
    /// - Returns: The response with the value as its body.
    /// - Throws: ``ResponseError/unexpectedEmptyResponse``, or the decoder's error unchanged.
    @available(*, deprecated, renamed: "decoded(_:using:)")
    public func decodedResponse<D: Decodable>(
        _ type: D.Type,
        using decoder: JSONDecoder = JSONDecoder()
    ) throws -> HTTPResponse<D> {
        try decoded(type, using: decoder)
    }

    /// The former name of ``decodedIfPresent(_:using:)``.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder.
    /// - Returns: The response with the value as its body; `nil` if it has no body.
    /// - Throws: The decoder's error unchanged.
    @available(*, deprecated, renamed: "decodedIfPresent(_:using:)")
    public func decodedResponseIfPresent<D: Decodable>(
        _ type: D.Type,
        using decoder: JSONDecoder = JSONDecoder()
    ) throws -> HTTPResponse<D?> {
        try decodedIfPresent(type, using: decoder)
    }
}

extension UndecodableResponseError {
    /// Creates an error of a response, whose secrets are removed.
    package init(_ underlyingError: any Error, decoding type: Any.Type, from response: Response<Data?>) {
        let names = response.record.values.sensitiveHeaders
        let redaction = Redaction(additionalNames: names)
        let whole = response.data ?? Data()
        let limit = UnacceptableResponseError.bodyLimit
        self.init(
            underlyingError: underlyingError,
            request: redaction.request(response.urlRequest),
            response: response.head.map { redaction.head($0, answering: response.urlRequest) },
            // Copied, so that a stored error does not keep a large body in memory.
            body: whole.count > limit ? Data(Array(whole.prefix(limit))) : whole,
            isBodyComplete: whole.count <= limit,
            typeName: "\(type)"
        )
    }
}
