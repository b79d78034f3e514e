/// The content of a request: JSON, a form, text or bytes.
///
/// ```swift
/// let request = try dispatcher.request(.put, "/posts/1", body: .json(draft))
/// let report = try await dispatcher.post("/login", body: .form(["name": "Ada", "remember": true]))
/// ```
///
/// It sets the content type unless the request's own headers contain one. Bodies that need not be in memory, such as
/// files and `multipart/form-data`, are sent with ``UploadDispatcher/upload(for:from:)``.
public struct RequestPayload {
    private let apply: (inout URLRequest, RequestDefaults) throws -> Void

    /// Creates a payload from a value encoded as JSON, with the content type `application/json`.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: The encoder; the dispatcher's by default.
    /// - Returns: The payload.
    public static func json(_ value: some Encodable, encoder: JSONEncoder? = nil) -> RequestPayload {
        RequestPayload { request, defaults in
            try request.setJSONBody(value, encoder: encoder ?? defaults.encoder)
        }
    }

    /// Creates a payload from the fields of a form, with the content type `application/x-www-form-urlencoded`.
    ///
    /// - Parameter items: The fields; an array becomes one field for each element, and `nil` is left out.
    /// - Returns: The payload.
    public static func form(_ items: QueryItems) -> RequestPayload {
        RequestPayload { request, _ in request.setFormBody(items) }
    }

    /// Creates a payload from a value encoded as a form, with the content type `application/x-www-form-urlencoded`.
    ///
    /// - Parameters:
    ///   - encodable: The value, such as a structure; its properties become the fields of the form.
    ///   - encoder: The encoder.
    /// - Returns: The payload.
    public static func form(
        encodable: some Encodable,
        encoder: FormURLEncoder = FormURLEncoder()
    ) -> RequestPayload {
        RequestPayload { request, _ in try request.setFormBody(encodable: encodable, encoder: encoder) }
    }

    /// Creates a payload from a text in UTF-8.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - contentType: The content type.
    /// - Returns: The payload.
    public static func text(_ text: String, contentType: String = "text/plain; charset=utf-8") -> RequestPayload {
        .data(Data(text.utf8), contentType: contentType)
    }

    /// Creates a payload from bytes.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - contentType: The content type.
    /// - Returns: The payload.
    public static func data(_ data: Data, contentType: String = "application/octet-stream") -> RequestPayload {
        RequestPayload { request, _ in
            request.httpBody = data
            if request[.contentType] == nil { request[.contentType] = contentType }
        }
    }

    /// Sets the content of a request with its header fields; throws the errors of the encoders.
    package func set(in request: inout URLRequest, _ defaults: RequestDefaults) throws {
        try apply(&request, defaults)
    }
}
