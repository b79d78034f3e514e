extension URLRequest {
    /// Returns the request as Markdown, without secrets: method, URL, header fields and body.
    ///
    /// - Parameter sensitiveHeaders: Names of secret header fields, in addition to the standard ones.
    /// - Returns: The text.
    package func makeRequestMarkdown(sensitiveHeaders: [String] = []) -> String {
        MessageMarkdown.text(of: self, redaction: .descriptions.hiding(sensitiveHeaders))
    }
}
