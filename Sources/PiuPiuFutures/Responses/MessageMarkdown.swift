/// Writes requests and responses as Markdown for people to read, without secrets and of bounded length.
package enum MessageMarkdown {
    /// The maximum number of bytes of a body to show.
    package static let maximumBodyBytes = 64 * 1024

    /// Writes a request.
    package static func text(of request: URLRequest, redaction: Redaction = .standard) -> String {
        let fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
            .map { HTTPHeaderField(name: $0.key, value: $0.value) }
        let title = "[\(singleLine(request.httpMethod ?? "GET"))] \(redaction.text(of: request.url))"
        let body = request.httpBodyStream == nil || request.httpBody != nil ? body(request.httpBody) : "(a stream)"
        return sections("REQUEST", title, fields, body, redaction)
    }

    /// Writes a response; the head is `nil` if the response is not HTTP.
    package static func text(
        of request: URLRequest,
        head: ResponseHead?,
        body: Data?,
        redaction: Redaction = .standard
    ) -> String {
        let code = head.map { " (\($0.statusCode.rawValue))" } ?? ""
        let url = redaction.text(of: head?.url ?? request.url)
        let title = "[\(singleLine(request.httpMethod ?? "GET"))]\(code) \(url)"
        return sections("RESPONSE", title, Array(head?.headers ?? [:]), self.body(body), redaction)
    }

    private static func sections(
        _ heading: String,
        _ title: String,
        _ fields: [HTTPHeaderField],
        _ body: String?,
        _ redaction: Redaction
    ) -> String {
        var text = "## \(heading)\n\n\(title)"
        if !fields.isEmpty {
            text += "\n\n### Headers\n"
            for field in fields {
                let value = Redaction.withoutUserInformation(inText: redaction.value(field.value, of: field.name))
                text += "\n* \(singleLine(field.name)): \(singleLine(value))"
            }
        }
        if let body { text += "\n\n### Body\n\n" + body }
        return text
    }

    /// Replaces line ends and other control characters, so that no value can pretend to be another line.
    private static func singleLine(_ text: String) -> String {
        func isControl(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.value {
            case 0..<0x20, 0x7F..<0xA0: true
            default: false
            }
        }
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? " " : $0 }))
    }

    /// The body in a code fence: as text if it is UTF-8, otherwise in Base64.
    private static func body(_ data: Data?) -> String? {
        guard let data, !data.isEmpty else { return nil }
        let (content, shownBytes) = content(of: data)
        // The fence is longer than any in the content (CommonMark §4.5), so that a body cannot end it.
        let fence = String(repeating: "`", count: max(3, longestRunOfBackticks(in: content) + 1))
        let rest = data.count - shownBytes
        return "\(fence)json\n\(content)\n\(fence)" + (rest > 0 ? "\n\n(\(rest) more bytes)" : "")
    }

    private static func content(of data: Data) -> (text: String, shownBytes: Int) {
        var shown = data.prefix(maximumBodyBytes)
        if shown.count < data.count {
            // Do not split a UTF-8 character: step back over its continuation bytes and its first byte.
            while let last = shown.last, last & 0xC0 == 0x80, maximumBodyBytes - shown.count < 3 { shown.removeLast() }
            if let last = shown.last, last & 0xC0 == 0xC0 { shown.removeLast() }
        }
        if let text = String(validating: shown, as: UTF8.self) { return (text, shown.count) }
        let prefix = data.prefix(maximumBodyBytes)
        return (prefix.base64EncodedString(), prefix.count)
    }

    private static func longestRunOfBackticks(in text: String) -> Int {
        var longest = 0
        var run = 0
        for byte in text.utf8 {
            run = byte == UInt8(ascii: "`") ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }
}

extension ResponseInterface where Body == Data? {
    /// Returns the request as Markdown: method, URL, header fields and body.
    ///
    /// Credentials, cookies, `sensitiveHeaders` of the options and user information in URLs are replaced; a body is
    /// shown up to 64 KiB.
    ///
    /// - Returns: The text.
    public func makeRequestMarkdown() -> String {
        MessageMarkdown.text(of: urlRequest, redaction: ResponseRecord.of(self).redaction)
    }

    /// Returns the response as Markdown: method, status code, URL, header fields and body.
    ///
    /// Cookies, `sensitiveHeaders` of the options and user information in URLs are replaced; a body is shown up to 64
    /// KiB.
    ///
    /// - Returns: The text.
    public func makeResponseMarkdown() -> String {
        let record = ResponseRecord.of(self)
        return MessageMarkdown.text(of: urlRequest, head: record.head, body: data, redaction: record.redaction)
    }

    /// Prints the request and the response as Markdown, in debug builds only.
    public func debug() {
        #if DEBUG
        // Printing is the purpose of this method; nothing else in the library prints.
        print("===", makeRequestMarkdown(), "---", makeResponseMarkdown(), "===", separator: "\n")
        #endif
    }
}
