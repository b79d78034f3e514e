import PiuPiuAsync

extension HARReplay.Answer {
    /// Creates a response from the recorded one.
    ///
    /// - Parameters:
    ///   - request: The request to answer.
    ///   - bodyLength: The length of the request's body, in bytes; `nil` for none.
    /// - Returns: The response.
    /// - Throws: ``HARError`` if the body is incomplete or cannot be read, `TransportError` if it is too large.
    func response(to request: TransportRequest, bodyLength: Int?) throws -> TransportResponse {
        let recorded = entry.response
        let isHead = request.urlRequest.httpMethod == "HEAD"
        let hasBody = !isHead && recorded.status != 204 && recorded.status != 304
        let body = hasBody ? try self.body() : Data()
        let head = ResponseHead(
            url: request.urlRequest.url ?? URL(filePath: "/"),
            statusCode: StatusCode(rawValue: recorded.status),
            httpVersion: version,
            headers: fields(bodyLength: hasBody ? body.count : nil)
        )
        if request.delivery == .buffered, body.count > request.options.maximumBufferedBody {
            throw request.error(.bodyTooLarge, response: head, bytesReceived: body.count)
        }
        if let reporter = request.reporter {
            reporter.willSend(Int64(bodyLength ?? 0))
            reporter.didSend(Int64(bodyLength ?? 0))
            reporter.willReceive(Int64(body.count))
            if request.delivery == .buffered { reporter.didReceive(Int64(body.count)) }
        }
        let isStreamed = request.delivery == .streamed
        return TransportResponse(
            head: head,
            body: isStreamed || body.isEmpty ? nil : body,
            stream: isStreamed ? ResponseBody(body) : nil,
            urlRequest: request.urlRequest
        )
    }

    private func body() throws -> Data {
        let content = entry.response.content
        let path = "log.entries[\(index)].response.content"
        if content.isTruncated {
            throw incomplete("only a part of its body was recorded", path)
        }
        guard content.text != nil else {
            // Browsers leave out bodies that they no longer have; redirects need none.
            guard content.size <= 0 || (300...399).contains(entry.response.status) else {
                throw incomplete("its body was not recorded", path)
            }
            return Data()
        }
        guard let data = contentWithType.data else {
            throw HARError(
                .malformed,
                reason: "The body of a response is not in the encoding that its Content-Encoding names",
                path: path + ".text",
                entryIndex: index
            )
        }
        return data
    }

    private func incomplete(_ problem: String, _ path: String) -> HARError {
        let reason = "\(entry.request) cannot be replayed: \(problem)"
        return HARError(.incompleteEntry, reason: reason, path: path, entryIndex: index)
    }

    /// The content, with the charset of the `Content-Type` field, which `mimeType` may lack.
    private var contentWithType: HAR.Content {
        var content = entry.response.content
        if let type = entry.response.headers["Content-Type"] { content.mimeType = type }
        return content
    }

    /// The version as in a status line; Chrome writes `http/2.0`, `h2` and `h3`.
    private var version: String {
        let version = entry.response.httpVersion.lowercased()
        return switch version {
        case "h2", "http/2", "http/2.0": "HTTP/2"
        case "h3", "http/3", "http/3.0": "HTTP/3"
        case "http/1.0", "http/0.9": version.uppercased()
        default: "HTTP/1.1"
        }
    }

    /// The header fields, adjusted to the replayed body.
    private func fields(bodyLength: Int?) -> HTTPHeaderFields {
        var fields = HTTPHeaderFields(
            entry.response.headers.filter { field in
                // A file may contain fields that no server can send.
                !field.name.isEmpty && field.name.utf8.allSatisfy(\.isTokenCharacter)
                    && field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
            }
        )
        // For HEAD and 304, the field contains the length that the body would have.
        guard let bodyLength else { return fields }
        fields["Content-Encoding"] = nil
        if fields.contains("Content-Length") { fields["Content-Length"] = String(bodyLength) }
        if let type = fields["Content-Type"], contentWithType.isWrittenAsUTF8, type.charset ?? "utf-8" != "utf-8" {
            fields["Content-Type"] = type.prefix { $0 != ";" } + "; charset=utf-8"
        }
        return fields
    }
}
