/// An interim response that a server sent before the final one, such as "103 Early Hints" (RFC 8297).
///
/// ```swift
/// for hint in response.informational where hint.statusCode == .earlyHints {
///     print(hint.headers.values(for: "Link"))
/// }
/// ```
///
/// The transport handles "100 Continue" and "101 Switching Protocols", which are never among them. Interim fields do not
/// describe the final response: a server need not send the fields that it hints at (RFC 8297 §2).
public struct InformationalResponse: Sendable, Hashable {
    /// The maximum number of interim responses to keep of an exchange; later ones are dropped.
    public static let maximumCount = 16

    /// The status code, from 102 to 199.
    public var statusCode: StatusCode
    /// The header fields, in the order they arrived.
    public var headers: HTTPHeaderFields

    /// Creates an interim response, for mocks and for your own transports.
    ///
    /// - Parameters:
    ///   - statusCode: The status code.
    ///   - headers: The header fields.
    public init(_ statusCode: StatusCode, headers: HTTPHeaderFields = [:]) {
        self.statusCode = statusCode
        self.headers = headers
    }
}

extension InformationalResponse: Redacted {
    /// The status code and the fields, with secrets replaced.
    public var description: String { "\(statusCode.rawValue)\n\(headers)" }

    /// The status code and the fields, with secrets replaced.
    package var shown: KeyValuePairs<String, Any> { ["description": description] }
}
