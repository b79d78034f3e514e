// Requests whose content is read while it is sent. For other methods and contents, and for progress, pass the request of
// `request(_:_:query:headers:body:)` to `upload(for:from:)`.
extension DataDispatcher where Self: UploadDispatcher {
    /// Sends a `POST` request with a form of texts and files, and decodes the response from JSON.
    ///
    /// ```swift
    /// let avatar: Avatar = try await api.post("/avatar", multipart: ["name": "Ada", "photo": .file(photo)])
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path below the base URL; see ``RequestDefaults/url(_:query:)``.
    ///   - query: Items to add to the query; see ``QueryItems``.
    ///   - headers: Header fields; `Accept: application/json` is added unless it has a value. The form sets `Content-Type`.
    ///   - form: The form (RFC 7578); its files are read while they are sent.
    ///   - options: The limits of this request, in place of the dispatcher's; `nil` for the dispatcher's.
    ///   - type: The type to decode, unless it follows from the context.
    /// - Returns: The value. An optional type is `nil` if the response has no body.
    /// - Throws: The errors of ``get(_:query:headers:options:as:)``, and ``TransferError`` if a file cannot be sent.
    public func post<Value: Decodable>(
        _ path: String,
        query: QueryItems = [:],
        headers: HTTPHeaderFields = [:],
        multipart form: MultipartFormData,
        options: RequestOptions? = nil,
        as type: Value.Type = Value.self
    ) async throws -> Value {
        let request = try acceptingJSON(request(.post, path, query: query, headers: headers))
        return try value(type, of: await response(to: request, sending: .multipart(form), options))
    }

    /// As ``post(_:query:headers:multipart:options:as:)``, without decoding the response.
    @discardableResult
    public func post(
        _ path: String,
        query: QueryItems = [:],
        headers: HTTPHeaderFields = [:],
        multipart form: MultipartFormData,
        options: RequestOptions? = nil
    ) async throws -> Response<Data?> {
        try await response(to: request(.post, path, query: query, headers: headers), sending: .multipart(form), options)
    }

    /// Sends a `PUT` request with a file as the content.
    ///
    /// ```swift
    /// try await api.put("/files/report.pdf", headers: [.contentType: "application/pdf"], file: report)
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path below the base URL; see ``RequestDefaults/url(_:query:)``.
    ///   - query: Items to add to the query; see ``QueryItems``.
    ///   - headers: Header fields; `Content-Type: application/octet-stream` is added unless it has a value.
    ///   - file: The file, which is read while it is sent.
    ///   - options: The limits of this request, in place of the dispatcher's; `nil` for the dispatcher's.
    /// - Returns: The response; its body is `nil` if it is empty.
    /// - Throws: ``RequestPathError``, ``UnacceptableResponseError``, ``TransferError`` if the file cannot be sent, and the
    ///   errors of ``data(for:)``.
    @discardableResult
    public func put(
        _ path: String,
        query: QueryItems = [:],
        headers: HTTPHeaderFields = [:],
        file: URL,
        options: RequestOptions? = nil
    ) async throws -> Response<Data?> {
        try await response(to: request(.put, path, query: query, headers: headers), sending: .file(file), options)
    }

    /// As ``put(_:query:headers:file:options:)``, with the response decoded from JSON.
    public func put<Value: Decodable>(
        _ path: String,
        query: QueryItems = [:],
        headers: HTTPHeaderFields = [:],
        file: URL,
        options: RequestOptions? = nil,
        as type: Value.Type = Value.self
    ) async throws -> Value {
        let request = try acceptingJSON(request(.put, path, query: query, headers: headers))
        return try value(type, of: await response(to: request, sending: .file(file), options))
    }

    /// Sends a request with a body and checks the response.
    private func response(
        to request: URLRequest,
        sending body: RequestBody,
        _ options: RequestOptions?
    ) async throws -> Response<Data?> {
        var request = request
        if body.contentType == nil, request[.contentType] == nil { request[.contentType] = "application/octet-stream" }
        let transfer =
            if let options { upload(for: request, from: body, options: options) } else {
                upload(for: request, from: body)
            }
        return try await transfer.response().validated(requestDefaults.validation)
    }
}
