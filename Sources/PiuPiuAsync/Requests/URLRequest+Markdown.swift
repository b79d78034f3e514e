extension URLRequest {
    /// The request as Markdown, without secrets: method, URL, header fields and body.
    ///
    /// - Returns: The text.
    package func makeRequestMarkdown() -> String {
        MessageMarkdown.text(of: self)
    }
}
