extension ResponseFuture where Success == Response<Data?> {
    /// Converts the response to an HTTP response.
    ///
    /// - Returns: A future of the HTTP response; it fails with `ResponseError.notHTTPResponse` if the response is not
    ///   HTTP.
    public func makeHTTPResponse() -> ResponseFuture<HTTPResponse<Data?>> {
        then { try $0.makeHTTPResponse() }
    }

    /// Decodes the body from JSON, in the background.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder.
    /// - Returns: A future of the response with the decoded body.
    public func decoded<D: Decodable & Sendable>(
        _ type: D.Type,
        using decoder: JSONDecoder = JSONDecoder()
    ) -> ResponseFuture<Response<D>> {
        then { try $0.decoded(type, using: decoder) }
    }

    /// Reads the body as UTF-8, in the background.
    ///
    /// - Returns: A future of the response with the text.
    public func decodedString() -> ResponseFuture<Response<String>> {
        then { response in Response(response: response, data: try response.decodeString()) }
    }
}

extension ResponseFuture where Success == HTTPResponse<Data?> {
    /// Decodes the body from JSON, in the background.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder.
    /// - Returns: A future of the response with the decoded body.
    public func decoded<D: Decodable & Sendable>(
        _ type: D.Type,
        using decoder: JSONDecoder = JSONDecoder()
    ) -> ResponseFuture<HTTPResponse<D>> {
        then { try $0.decoded(type, using: decoder) }
    }

    /// Decodes the body from JSON, in the background, and produces a decoding error as a value.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder.
    /// - Returns: A future of the response with the decoded body, or the decoding error. It fails if this one fails.
    public func safeDecoded<D: Decodable & Sendable>(
        _ type: D.Type,
        using decoder: JSONDecoder = JSONDecoder()
    ) -> ResponseFuture<HTTPResponse<Result<D, any Error>>> {
        then { response in response.map { _ in Result { try response.decode(type, using: decoder) } } }
    }
}
