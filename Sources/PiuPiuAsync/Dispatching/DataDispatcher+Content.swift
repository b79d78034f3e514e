// Requests with content. `POST` has short forms for JSON and forms; for other methods, `body: .json(value)` does the same.
extension DataDispatcher {
    // MARK: POST

    /// Sends a `POST` request and decodes the response from JSON.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL; see ``RequestDefaults/url(_:query:)``.
    ///   - query: Items to add to the query; see ``QueryItems``.
    ///   - headers: Header fields; `Accept: application/json` is added unless it has a value.
    ///   - body: The content; `nil` for a request without content.
    ///   - options: The limits of this request, in place of the dispatcher's; `nil` for the dispatcher's.
    ///   - type: The type to decode, unless it follows from the context.
    /// - Returns: The value. An optional type is `nil` if the response has no body.
    /// - Throws: The errors of ``get(_:query:headers:options:as:)``, and those of the body's encoder.
    public func post<Value: Decodable>(
        _ path: String,
        query: QueryItems = [:],
        headers: HTTPHeaderFields = [:],
        body: RequestPayload? = nil,
        options: RequestOptions? = nil,
        as type: Value.Type = Value.self
    ) async throws -> Value {
        try await fetch(type, request(.post, path, query: query, headers: headers, body: body), options)
    }

    /// Sends a `POST` request.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL; see ``RequestDefaults/url(_:query:)``.
    ///   - query: Items to add to the query; see ``QueryItems``.
    ///   - headers: Header fields.
    ///   - body: The content; `nil` for a request without content.
    ///   - options: The limits of this request, in place of the dispatcher's; `nil` for the dispatcher's.
    /// - Returns: The response; its body is `nil` if it is empty.
    /// - Throws: ``RequestPathError``, ``UnacceptableResponseError``, the errors of ``data(for:)``, and those of the
    ///   body's encoder.
    @discardableResult
    public func post(
        _ path: String,
        query: QueryItems = [:],
        headers: HTTPHeaderFields = [:],
        body: RequestPayload? = nil,
        options: RequestOptions? = nil
    ) async throws -> Response<Data?> {
        try await response(to: request(.post, path, query: query, headers: headers, body: body), options)
    }

    /// As ``post(_:query:headers:body:options:as:)``, with a value that ``RequestDefaults/encoder`` encodes as JSON.
    public func post<Content: Encodable, Value: Decodable>(
        _ path: String,
        query: QueryItems = [:],
        headers: HTTPHeaderFields = [:],
        json value: Content,
        options: RequestOptions? = nil,
        as type: Value.Type = Value.self
    ) async throws -> Value {
        try await fetch(type, request(.post, path, query: query, headers: headers, body: .json(value)), options)
    }

    /// As ``post(_:query:headers:body:options:)``, with a value that ``RequestDefaults/encoder`` encodes as JSON.
    @discardableResult
    public func post(
        _ path: String,
        query: QueryItems = [:],
        headers: HTTPHeaderFields = [:],
        json value: some Encodable,
        options: RequestOptions? = nil
    ) async throws -> Response<Data?> {
        try await response(to: request(.post, path, query: query, headers: headers, body: .json(value)), options)
    }

    /// As ``post(_:query:headers:body:options:as:)``, with a form; an array becomes one field for each element, `nil` none.
    public func post<Value: Decodable>(
        _ path: String,
        query: QueryItems = [:],
        headers: HTTPHeaderFields = [:],
        form items: QueryItems,
        options: RequestOptions? = nil,
        as type: Value.Type = Value.self
    ) async throws -> Value {
        try await fetch(type, request(.post, path, query: query, headers: headers, body: .form(items)), options)
    }

    /// As ``post(_:query:headers:body:options:)``, with a form; an array becomes one field for each element, `nil` none.
    @discardableResult
    public func post(
        _ path: String,
        query: QueryItems = [:],
        headers: HTTPHeaderFields = [:],
        form items: QueryItems,
        options: RequestOptions? = nil
    ) async throws -> Response<Data?> {
        try await response(to: request(.post, path, query: query, headers: headers, body: .form(items)), options)
    }

    // MARK: PUT, PATCH and DELETE

    /// As ``post(_:query:headers:body:options:as:)``, with `PUT`.
    public func put<Value: Decodable>(
        _ path: String,
        query: QueryItems = [:],
        headers: HTTPHeaderFields = [:],
        body: RequestPayload? = nil,
        options: RequestOptions? = nil,
        as type: Value.Type = Value.self
    ) async throws -> Value {
        try await fetch(type, request(.put, path, query: query, headers: headers, body: body), options)
    }

    /// As ``post(_:query:headers:body:options:)``, with `PUT`.
    @discardableResult
    public func put(
        _ path: String,
        query: QueryItems = [:],
        headers: HTTPHeaderFields = [:],
        body: RequestPayload? = nil,
        options: RequestOptions? = nil
    ) async throws -> Response<Data?> {
        try await response(to: request(.put, path, query: query, headers: headers, body: body), options)
    }

    /// As ``post(_:query:headers:body:options:as:)``, with `PATCH`.
    public func patch<Value: Decodable>(
        _ path: String,
        query: QueryItems = [:],
        headers: HTTPHeaderFields = [:],
        body: RequestPayload? = nil,
        options: RequestOptions? = nil,
        as type: Value.Type = Value.self
    ) async throws -> Value {
        try await fetch(type, request(.patch, path, query: query, headers: headers, body: body), options)
    }

    /// As ``post(_:query:headers:body:options:)``, with `PATCH`.
    @discardableResult
    public func patch(
        _ path: String,
        query: QueryItems = [:],
        headers: HTTPHeaderFields = [:],
        body: RequestPayload? = nil,
        options: RequestOptions? = nil
    ) async throws -> Response<Data?> {
        try await response(to: request(.patch, path, query: query, headers: headers, body: body), options)
    }

    /// As ``post(_:query:headers:body:options:as:)``, with `DELETE`.
    public func delete<Value: Decodable>(
        _ path: String,
        query: QueryItems = [:],
        headers: HTTPHeaderFields = [:],
        body: RequestPayload? = nil,
        options: RequestOptions? = nil,
        as type: Value.Type = Value.self
    ) async throws -> Value {
        try await fetch(type, request(.delete, path, query: query, headers: headers, body: body), options)
    }

    /// As ``post(_:query:headers:body:options:)``, with `DELETE`.
    @discardableResult
    public func delete(
        _ path: String,
        query: QueryItems = [:],
        headers: HTTPHeaderFields = [:],
        body: RequestPayload? = nil,
        options: RequestOptions? = nil
    ) async throws -> Response<Data?> {
        try await response(to: request(.delete, path, query: query, headers: headers, body: body), options)
    }
}
