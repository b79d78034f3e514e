import PiuPiuAsync
import PiuPiuTesting

/// A file on a server that knows ranges.
struct ServedFile: Sendable {
    var content: Data
    /// What tells one version from another, in the response's head.
    var validators: HeaderList = ["ETag": "\"1\""]
    /// What a request has to name in `If-Range`; `nil` if a range is never given.
    var accepted: String? = "\"1\""

    init(_ content: Data) {
        self.content = content
    }

    init(_ content: Data, lastModified: String, date: String) {
        self.content = content
        validators = ["Last-Modified": lastModified, "Date": date]
        accepted = lastModified
    }

    /// Answers a request.
    ///
    /// - Parameters:
    ///   - request: The request, perhaps with `Range` and `If-Range`.
    ///   - count: After how many bytes of the body the connection breaks; `nil` for not at all.
    ///   - ending: How it breaks.
    /// - Returns: The steps.
    func answer(_ request: RecordedRequest, breakingAfter count: Int? = nil, _ ending: Step = .close) -> [Step] {
        var headers = validators
        var body = content
        var status = 200
        if let first = request.rangeStart, let accepted, request.header("If-Range") == accepted {
            guard first < content.count else {
                return [.response(status: 416, headers: ["Content-Range": "bytes */\(content.count)"])]
            }
            status = 206
            body = content.suffix(from: content.startIndex + first)
            headers.append("Content-Range", "bytes \(first)-\(content.count - 1)/\(content.count)")
        }
        guard let count, count < body.count else { return [.response(status: status, headers: headers, body: body)] }
        headers.append("Content-Length", "\(body.count)")
        return [.response(status: status, headers: headers, body: body.prefix(count)), ending]
    }
}

extension RecordedRequest {
    /// The offset at which the requested range begins: `bytes=5-`.
    var rangeStart: Int? {
        guard let range = header("Range"), range.hasPrefix("bytes="), range.hasSuffix("-") else { return nil }
        return Int(range.dropFirst(6).dropLast())
    }
}

extension Step {
    /// The head of a part of a body, in chunks.
    static func chunkedHead206(_ first: Int, _ total: Int) -> Step {
        .send(
            "HTTP/1.1 206 Partial Content\r\nTransfer-Encoding: chunked\r\nETag: \"1\"\r\n"
                + "Content-Range: bytes \(first)-\(total - 1)/\(total)\r\n\r\n"
        )
    }
}
