extension ResponseInterface where Body == Data? {
    /// Returns the request as Markdown: method, URL, header fields and body.
    ///
    /// Credentials, cookies, ``RequestOptions/sensitiveHeaders`` and user information in URLs are replaced; a body is
    /// shown up to 64 KiB.
    ///
    /// - Returns: The text.
    public func makeRequestMarkdown() -> String {
        MessageMarkdown.text(of: urlRequest, redaction: ResponseRecord.of(self).redaction)
    }

    /// Returns the response as Markdown: method, status code, URL, header fields and body.
    ///
    /// Cookies, ``RequestOptions/sensitiveHeaders`` and user information in URLs are replaced; a body is shown up to 64
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
