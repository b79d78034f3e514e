/// An error for a response that was received but could not be decoded.
///
/// The functions of a dispatcher that decode, such as ``DataDispatcher/get(_:query:headers:options:as:)``, throw it. For
/// example, a captive portal or a proxy may have responded with a page instead of the API:
///
/// ```swift
/// do {
///     let post: Post = try await dispatcher.get("posts/1")
///     show(post)
/// } catch let error as UndecodableResponseError {
///     show("\(error)")
///     print(String(decoding: error.body, as: UTF8.self))
/// }
/// ```
///
/// Its descriptions show no secrets and no body. The body is unchanged.
public struct UndecodableResponseError: Error, Sendable {
    /// The error of the decoder, such as a `DecodingError`.
    public let underlyingError: any Error
    /// The request, without its secrets and its body; `nil` if it has no URL.
    public let request: URLRequest?
    /// The head of the response, without its secrets; `nil` if the response is not HTTP.
    public let response: ResponseHead?
    /// The beginning of the response's body, at most 64 KiB.
    public let body: Data
    /// Whether ``body`` is the whole body.
    public let isBodyComplete: Bool
    /// The name of the type to decode.
    public let typeName: String

    package init(
        underlyingError: any Error,
        request: URLRequest?,
        response: ResponseHead?,
        body: Data,
        isBodyComplete: Bool,
        typeName: String
    ) {
        self.underlyingError = underlyingError
        self.request = request
        self.response = response
        self.body = body
        self.isBodyComplete = isBodyComplete
        self.typeName = typeName
    }

    /// The status code of the response; `nil` if the response is not HTTP.
    public var statusCode: StatusCode? { response?.statusCode }

    /// The decoder's finding, without any part of the body.
    private var fault: String {
        guard let error = underlyingError as? DecodingError else { return "\(type(of: underlyingError))" }
        let (text, path): (String, [any CodingKey]) =
            switch error {
            case .typeMismatch(let type, let context): ("\(type) is expected", context.codingPath)
            case .valueNotFound(let type, let context): ("\(type) is missing", context.codingPath)
            case .keyNotFound(let key, let context):
                ("there is no key \(PrintableText.escape(key.stringValue))", context.codingPath)
            case .dataCorrupted(let context):
                (context.codingPath.isEmpty ? "it is not valid" : "a value is not valid", context.codingPath)
            @unknown default: ("it is not valid", [])
            }
        guard !path.isEmpty else { return text }
        // The server chose the keys of dictionaries.
        let place = path.prefix(20).map { $0.intValue.map { "[\($0)]" } ?? "." + PrintableText.escape($0.stringValue) }
        return "\(text) at \(PrintableText.escape(place.joined(), limit: 200))"
    }
}

extension UndecodableResponseError: Redacted, ExplainedError {
    /// The error as a sentence, without secrets and without the body.
    public var description: String {
        let type = response?.firstValue(of: "Content-Type").map { PrintableText.escape($0) } ?? "no content type"
        let status = statusCode.map { "\($0.rawValue), " } ?? ""
        let text = "The response (\(status)\(type)) cannot be decoded as \(typeName): \(fault)"
        return text + ErrorText.context([ErrorText.target(request)])
    }

    /// The error as a sentence, without secrets and without the body.
    public var debugDescription: String { "UndecodableResponseError: \(description)" }

    package var explanation: ErrorExplanation { Self.explanation }

    package static let explanation = ErrorExplanation(
        1,
        "The type does not match the server's JSON, or a login page, a proxy or an error page answered instead of the API.",
        "The text names the key that differs. Make it optional, set the decoder's strategies, or look at the body of "
            + "the error.",
        setting: "RequestDefaults.decoder"
    )

    package var failingURL: String? { request?.url.map { Redaction.standard.location(of: $0) } }

    /// The error as a sentence, so that `dump` shows no secret and no body.
    package var shown: KeyValuePairs<String, Any> {
        ["description": description, "body": "\(body.count) bytes"]
    }
}
