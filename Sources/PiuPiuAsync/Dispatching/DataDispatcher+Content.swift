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

    /// Sends a `POST` request with a JSON body and decodes the response from JSON.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL; see ``RequestDefaults/url(_:query:)``.
    ///   - query: Items to add to the query; see ``QueryItems``.
    ///   - headers: Header fields; `Accept: application/json` is added unless it has a value.
    ///   - value: The value to encode as JSON, with ``RequestDefaults/encoder``.
    ///   - options: The limits of this request, in place of the dispatcher's; `nil` for the dispatcher's.
    ///   - type: The type to decode, unless it follows from the context.
    /// - Returns: The value. An optional type is `nil` if the response has no body.
    /// - Throws: The errors of ``get(_:query:headers:options:as:)``, and those of the body's encoder.
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

    /// Sends a `POST` request with a JSON body.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL; see ``RequestDefaults/url(_:query:)``.
    ///   - query: Items to add to the query; see ``QueryItems``.
    ///   - headers: Header fields.
    ///   - value: The value to encode as JSON, with ``RequestDefaults/encoder``.
    ///   - options: The limits of this request, in place of the dispatcher's; `nil` for the dispatcher's.
    /// - Returns: The response; its body is `nil` if it is empty.
    /// - Throws: ``RequestPathError``, ``UnacceptableResponseError``, the errors of ``data(for:)``, and those of the
    ///   body's encoder.
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

    /// Sends a `POST` request with a form and decodes the response from JSON.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL; see ``RequestDefaults/url(_:query:)``.
    ///   - query: Items to add to the query; see ``QueryItems``.
    ///   - headers: Header fields; `Accept: application/json` is added unless it has a value.
    ///   - items: The fields of the form; an array becomes one field for each element, and `nil` is left out.
    ///   - options: The limits of this request, in place of the dispatcher's; `nil` for the dispatcher's.
    ///   - type: The type to decode, unless it follows from the context.
    /// - Returns: The value. An optional type is `nil` if the response has no body.
    /// - Throws: The errors of ``get(_:query:headers:options:as:)``.
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

    /// Sends a `POST` request with a form.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL; see ``RequestDefaults/url(_:query:)``.
    ///   - query: Items to add to the query; see ``QueryItems``.
    ///   - headers: Header fields.
    ///   - items: The fields of the form; an array becomes one field for each element, and `nil` is left out.
    ///   - options: The limits of this request, in place of the dispatcher's; `nil` for the dispatcher's.
    /// - Returns: The response; its body is `nil` if it is empty.
    /// - Throws: ``RequestPathError``, ``UnacceptableResponseError``, and the errors of ``data(for:)``.
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

    // MARK: PUT

    /// Sends a `PUT` request and decodes the response from JSON.
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

    /// Sends a `PUT` request.
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
    public func put(
        _ path: String,
        query: QueryItems = [:],
        headers: HTTPHeaderFields = [:],
        body: RequestPayload? = nil,
        options: RequestOptions? = nil
    ) async throws -> Response<Data?> {
        try await response(to: request(.put, path, query: query, headers: headers, body: body), options)
    }

    // MARK: PATCH

    /// Sends a `PATCH` request and decodes the response from JSON.
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

    /// Sends a `PATCH` request.
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
    public func patch(
        _ path: String,
        query: QueryItems = [:],
        headers: HTTPHeaderFields = [:],
        body: RequestPayload? = nil,
        options: RequestOptions? = nil
    ) async throws -> Response<Data?> {
        try await response(to: request(.patch, path, query: query, headers: headers, body: body), options)
    }

    // MARK: DELETE

    /// Sends a `DELETE` request and decodes the response from JSON.
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

    /// Sends a `DELETE` request.
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
