public import Foundation

extension Step {
    /// Answers with a well-formed response.
    ///
    /// It includes `Content-Length` unless the headers have it or `Transfer-Encoding`, or the status does not allow a
    /// body. For `HEAD`, it leaves out the body.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - reason: The reason phrase, or `nil` for the usual one.
    ///   - headers: Additional header fields, in order.
    ///   - body: The body, sent as UTF-8.
    /// - Returns: The step.
    public static func response(
        status: Int = 200,
        reason: String? = nil,
        headers: HeaderList = [:],
        body: String = ""
    ) -> Step {
        respond(status, reason, headers, Array(body.utf8))
    }

    /// Answers with a well-formed response.
    ///
    /// It includes `Content-Length` unless the headers have it or `Transfer-Encoding`, or the status does not allow a
    /// body. For `HEAD`, it leaves out the body.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - reason: The reason phrase, or `nil` for the usual one.
    ///   - headers: Additional header fields, in order.
    ///   - body: The body.
    /// - Returns: The step.
    public static func response(
        status: Int = 200,
        reason: String? = nil,
        headers: HeaderList = [:],
        body: Data
    ) -> Step {
        respond(status, reason, headers, Array(body))
    }

    /// Answers with a JSON document.
    ///
    /// - Parameters:
    ///   - text: The document.
    ///   - status: The status code.
    /// - Returns: The step.
    public static func json(_ text: String, status: Int = 200) -> Step {
        response(status: status, headers: ["Content-Type": "application/json"], body: text)
    }

    /// Answers with a redirect.
    ///
    /// - Parameters:
    ///   - location: The value of `Location`.
    ///   - status: The status code.
    /// - Returns: The step.
    public static func redirect(to location: String, status: Int = 302) -> Step {
        response(status: status, headers: ["Location": location])
    }

    /// Answers with status 200, the request's body and its `Content-Type`.
    public static let echo = Step(kind: .echo)

    /// Answers with status 200 and the request's head and body as plain text.
    public static let echoRequest = Step(kind: .echoRequest)

    private static func respond(_ status: Int, _ reason: String?, _ headers: HeaderList, _ body: [UInt8]) -> Step {
        Step(kind: .respond(ResponseTemplate(status: status, reason: reason, headers: headers, body: body)))
    }
}
