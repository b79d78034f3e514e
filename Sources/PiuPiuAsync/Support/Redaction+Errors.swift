extension Redaction {
    /// Returns a library's error message with secrets removed.
    ///
    /// libcurl quotes the proxy that it cannot use, including the password, and may cut the text off anywhere; nghttp2
    /// quotes the value of a field. Foundation on Linux passes both on.
    ///
    /// - Parameter text: The library's text.
    /// - Returns: The text without the quoted values.
    package static func message(_ text: String) -> String {
        // A mark makes one character of a delimiter and itself, which would not be found.
        let plain = String(text.unicodeScalars.map { $0.isASCII ? Character($0) : "?" })
        var text = ["value: [", "roxy"].contains { plain.contains($0) } ? plain : text
        if let quote = text.range(of: "value: [") { text = text[..<quote.upperBound] + placeholder + "]" }
        if text.contains("roxy") {
            // A password may contain quotes and spaces, so nothing after its beginning can be told apart from it.
            let isRefused = text.contains("nsupported") || text.contains("not supported")
            let marks = ["'", "\""] + (isRefused ? [" for ", " in "] : [])
            if let quote = marks.compactMap({ text.range(of: $0)?.upperBound }).min() {
                text = text[..<quote] + placeholder
            }
            text = text.split(separator: " ", omittingEmptySubsequences: false)
                .map { word in word.lastIndex(of: "@").map { word[word.index(after: $0)...] } ?? word }
                .joined(separator: " ")
        }
        return withoutUserInformation(inText: text)
    }
}
