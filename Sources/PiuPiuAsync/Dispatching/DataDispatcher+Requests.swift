/// Requests that are made from a path.
///
/// ```swift
/// let posts: [Post] = try await dispatcher.get("/posts", query: ["page": 2])
/// let post = try await dispatcher.get("/posts/1", as: Post.self)
/// let created: Post = try await dispatcher.post("/posts", json: draft)
/// try await dispatcher.delete("/posts/1")
/// ```
///
/// Paths are appended to the base URL; see ``RequestDefaults/url(_:query:)``. Without a base URL, absolute URLs are
/// used.
///
/// In contrast to ``DataDispatcher/data(for:)``, these functions throw an ``UnacceptableResponseError`` for 4xx and 5xx
/// responses, or for those that ``RequestDefaults/validation`` does not accept. To see such responses, or to use another
/// decoder or validation for one request, send the request yourself:
///
/// ```swift
/// let request = try dispatcher.request(.get, "/posts/1")
/// let response = try await dispatcher.data(for: request).validated(.success)
/// ```
///
/// `options` sets the limits of one request, such as its timeouts. Start from those of the configuration:
///
/// ```swift
/// var patient = configuration.options
/// patient.timeouts.total = .seconds(600)
/// let newest: [Post] = try await dispatcher.get("/posts", options: patient)
/// ```
extension DataDispatcher {
    /// Creates a request from a path and the defaults.
    ///
    /// Use it for `data`, `upload`, `stream`, `download` and futures:
    ///
    /// ```swift
    /// let request = try dispatcher.request(.get, "/export", query: ["format": "csv"], headers: [.accept: "text/csv"])
    /// let saved = try await dispatcher.download(for: request, to: fileURL).response()
    /// ```
    ///
    /// The dispatcher adds its ``URLRequestDispatcher/Configuration/additionalHeaders`` when it sends the request. Unlike
    /// `get`, `post` and so on, this function does not add `Accept: application/json`.
    ///
    /// - Parameters:
    ///   - method: The request method.
    ///   - path: The path below the base URL; see ``RequestDefaults/url(_:query:)``.
    ///   - query: Items to add to the query. They replace default items of the same names.
    ///   - headers: Header fields. They replace default fields of the same names.
    ///   - body: The content; `nil` for a request without content.
    /// - Returns: The request.
    /// - Throws: ``RequestPathError``, or the errors of the body's encoder.
    public nonisolated func request(
        _ method: HTTPMethod,
        _ path: String,
        query: QueryItems = [:],
        headers: HTTPHeaderFields = [:],
        body: RequestPayload? = nil
    ) throws -> URLRequest {
        let defaults = requestDefaults
        var request = URLRequest(url: try defaults.url(path, query: query), method: method)
        for field in headers { request.add(field) }
        try body?.set(in: &request, defaults)
        return request
    }

    // MARK: GET and HEAD

    /// Sends a `GET` request and decodes the response from JSON.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL; see ``RequestDefaults/url(_:query:)``.
    ///   - query: Items to add to the query; see ``QueryItems``.
    ///   - headers: Header fields; `Accept: application/json` is added unless it has a value.
    ///   - options: The limits of this request, in place of the dispatcher's; `nil` for the dispatcher's.
    ///   - type: The type to decode, unless it follows from the context.
    /// - Returns: The value. An optional type is `nil` if the response has no body.
    /// - Throws: ``RequestPathError``, ``UnacceptableResponseError``, ``ResponseError/unexpectedEmptyResponse``,
    ///   ``UndecodableResponseError`` with the decoder's error, or the errors of ``data(for:)``.
    public func get<Value: Decodable>(
        _ path: String,
        query: QueryItems = [:],
        headers: HTTPHeaderFields = [:],
        options: RequestOptions? = nil,
        as type: Value.Type = Value.self
    ) async throws -> Value {
        try await fetch(type, request(.get, path, query: query, headers: headers), options)
    }

    /// Sends a `GET` request.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL; see ``RequestDefaults/url(_:query:)``.
    ///   - query: Items to add to the query; see ``QueryItems``.
    ///   - headers: Header fields.
    ///   - options: The limits of this request, in place of the dispatcher's; `nil` for the dispatcher's.
    /// - Returns: The response; its body is `nil` if it is empty.
    /// - Throws: ``RequestPathError``, ``UnacceptableResponseError``, and the errors of ``data(for:)``.
    @discardableResult
    public func get(
        _ path: String,
        query: QueryItems = [:],
        headers: HTTPHeaderFields = [:],
        options: RequestOptions? = nil
    ) async throws -> Response<Data?> {
        try await response(to: request(.get, path, query: query, headers: headers), options)
    }

    /// As ``get(_:query:headers:options:)``, with `HEAD`, so that the response has no body.
    @discardableResult
    public func head(
        _ path: String,
        query: QueryItems = [:],
        headers: HTTPHeaderFields = [:],
        options: RequestOptions? = nil
    ) async throws -> Response<Data?> {
        try await response(to: request(.head, path, query: query, headers: headers), options)
    }

    // MARK: Sending and decoding

    /// Sends a request and checks the response.
    func response(to request: URLRequest, _ options: RequestOptions?) async throws -> Response<Data?> {
        let response =
            if let options { try await data(for: request, options: options) } else { try await data(for: request) }
        return try response.validated(requestDefaults.validation)
    }

    /// Sends a request, checks the response and decodes it.
    func fetch<Value: Decodable>(
        _ type: Value.Type,
        _ request: URLRequest,
        _ options: RequestOptions?
    ) async throws -> Value {
        try value(type, of: await response(to: acceptingJSON(request), options))
    }

    /// Returns a request with `Accept: application/json`, unless it or the dispatcher has a value for that field.
    func acceptingJSON(_ request: URLRequest) -> URLRequest {
        var request = request
        if request[.accept] == nil, !requestDefaults.hasAccept { request[.accept] = "application/json" }
        return request
    }

    /// Decodes the body of a checked response.
    func value<Value: Decodable>(_ type: Value.Type, of response: Response<Data?>) throws -> Value {
        if response.data == nil, let type = type as? any ExpressibleByNilLiteral.Type,
            let value = type.init(nilLiteral: ()) as? Value
        {
            return value
        }
        do {
            return try response.decode(type, using: requestDefaults.decoder)
        } catch let error as ResponseError {
            throw error
        } catch {
            throw UndecodableResponseError(error, decoding: type, from: response)
        }
    }
}
