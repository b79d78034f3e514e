extension ResponseFuture where Success == Response<Data?> {
    /// Makes an HTTP response of the response.
    ///
    /// - Returns: A future of it; it fails with `ResponseError.notHTTPResponse` where it is none.
    public func makeHTTPResponse() -> ResponseFuture<HTTPResponse<Data?>> {
        then { try $0.makeHTTPResponse() }
    }

    /// Decodes the body from JSON, in the background.
    ///
    /// - Parameters:
    ///   - type: What to decode.
    ///   - decoder: The decoder.
    /// - Returns: A future of the response with what was decoded.
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
    ///   - type: What to decode.
    ///   - decoder: The decoder.
    /// - Returns: A future of the response with what was decoded.
    public func decoded<D: Decodable & Sendable>(
        _ type: D.Type,
        using decoder: JSONDecoder = JSONDecoder()
    ) -> ResponseFuture<HTTPResponse<D>> {
        then { try $0.decoded(type, using: decoder) }
    }

    /// Decodes the body from JSON, in the background; an error of the decoder is a value.
    ///
    /// - Parameters:
    ///   - type: What to decode.
    ///   - decoder: The decoder.
    /// - Returns: A future of the response with what was decoded, or the error. It fails where this one does.
    public func safeDecoded<D: Decodable & Sendable>(
        _ type: D.Type,
        using decoder: JSONDecoder = JSONDecoder()
    ) -> ResponseFuture<HTTPResponse<Result<D, any Error>>> {
        then { response in response.map { _ in Result { try response.decode(type, using: decoder) } } }
    }
}
