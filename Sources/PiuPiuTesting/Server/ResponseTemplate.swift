import Foundation

/// A response that does not depend on the request it answers.
struct ResponseTemplate: Sendable {
    var status = 200
    var reason: String?
    var headers: HeaderList = [:]
    var body: [UInt8] = []

    /// The response of ``Step/echo``.
    static func echo(of request: RecordedRequest?) -> Self {
        let type = request?.header("Content-Type") ?? "application/octet-stream"
        return Self(headers: ["Content-Type": type], body: request.map { Array($0.body) } ?? [])
    }

    /// The response of ``Step/echoRequest``.
    static func echoRequest(_ request: RecordedRequest?) -> Self {
        let body = request.map { Array($0.head) + Array($0.body) } ?? []
        return Self(headers: ["Content-Type": "text/plain; charset=utf-8"], body: body)
    }

    /// The response to a request that the server cannot or will not process.
    static func refusal(_ status: Int, _ message: String, headers: HeaderList = [:]) -> Self {
        var headers = headers
        headers.append("Content-Type", "application/json")
        return Self(status: status, headers: headers, body: Array(#"{"error":"\#(message)"}"#.utf8))
    }

    /// The bytes of the head and the body.
    func bytes(answering request: RecordedRequest?) -> [[UInt8]] {
        var head = "HTTP/1.1 \(status) \(reason ?? Self.reasons[status] ?? "Status")\r\n"
        for field in headers {
            head += "\(field.name): \(field.value)\r\n"
        }
        let hasBody = status >= 200 && status != 204 && status != 304
        if hasBody, headers.first("Content-Length") == nil, headers.first("Transfer-Encoding") == nil {
            head += "Content-Length: \(body.count)\r\n"
        }
        if let request, status >= 200, headers.first("Connection") == nil {
            if !request.keepsConnectionAlive {
                head += "Connection: close\r\n"
            } else if request.version == "HTTP/1.0" {
                head += "Connection: keep-alive\r\n"
            }
        }
        head += "\r\n"
        return hasBody && request?.method != "HEAD" ? [Array(head.utf8), body] : [Array(head.utf8)]
    }

    private static let reasons = [
        100: "Continue", 101: "Switching Protocols", 103: "Early Hints",
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 205: "Reset Content", 206: "Partial Content",
        300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
        307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
        412: "Precondition Failed", 413: "Content Too Large", 415: "Unsupported Media Type",
        416: "Range Not Satisfiable", 417: "Expectation Failed", 418: "I'm a teapot", 421: "Misdirected Request",
        422: "Unprocessable Content", 425: "Too Early", 429: "Too Many Requests",
        431: "Request Header Fields Too Large",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout",
    ]
}
