/// An error for a text in a known charset that cannot be decoded correctly: wrong text would be worse than an error.
public struct UnsupportedCharsetError: Error, Sendable, Hashable {
    /// The label of the charset, in lower case, as the server sent it: a label of the WHATWG [Encoding
    /// Standard](https://encoding.spec.whatwg.org/#names-and-labels).
    public let charset: String

    package init(charset: String) {
        self.charset = charset
    }
}

extension UnsupportedCharsetError: ExplainedError {
    /// One sentence that describes the error, in English.
    public var description: String { "The text is in the charset \(charset), which cannot be decoded here." }

    package var explanation: ErrorExplanation {
        .init(
            1,
            "The Encoding Standard does without the charset, because pages misuse it, or the platform has other characters for "
                + "it than the standard.",
            "Ask the server for UTF-8, or read the bytes."
        )
    }
}
