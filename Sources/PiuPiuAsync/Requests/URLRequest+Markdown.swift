extension URLRequest {
    /// The request as Markdown, without secrets: method, URL, header fields and body.
    ///
    /// - Parameter sensitiveHeaders: Names of header fields that are secrets, beside the standard ones.
    /// - Returns: The text.
    package func makeRequestMarkdown(sensitiveHeaders: [String] = []) -> String {
        MessageMarkdown.text(of: self, redaction: .descriptions.hiding(sensitiveHeaders))
    }
}
