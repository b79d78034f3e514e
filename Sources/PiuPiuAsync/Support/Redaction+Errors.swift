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

    /// Returns a response's head for an error: without secret values, and without user information in URLs.
    ///
    /// - Parameters:
    ///   - head: The original head.
    ///   - request: The request that was answered, as sent: a server may echo its secrets in any field.
    /// - Returns: A head that is safe to print, and that does not keep the request and its body in memory.
    package func head(_ head: ResponseHead, answering request: URLRequest? = nil) -> ResponseHead {
        let shownURL = url(head.url)
        let secrets = request.map { self.secrets(of: $0) } ?? []
        let fields = head.headers
        let shown = fields.map { field in
            HTTPHeaderField(name: field.name, value: shownValue(of: field, hiding: secrets))
        }
        guard shownURL != head.url || !fields.elementsEqual(shown) else {
            return ResponseHead(record: head.record.alone)
        }
        return ResponseHead(
            url: shownURL,
            statusCode: head.statusCode,
            httpVersion: head.httpVersion,
            headers: HTTPHeaderFields(shown),
            metrics: head.metrics
        )
    }

    private func shownValue(of field: HTTPHeaderField, hiding secrets: [String]) -> String {
        guard !isSensitive(field.name) else { return Self.placeholder }
        var value =
            switch field.name.lowercased() {
            case "location", "content-location": Self.withoutUserInformation(field.value)
            default: Self.withoutUserInformation(inText: field.value)
            }
        for secret in secrets {
            // Replace by scalars, because a combining mark after a secret may change its last character.
            let scalars = value.unicodeScalars.replacing(secret.unicodeScalars, with: Self.placeholder.unicodeScalars)
            value = String(scalars)
        }
        return value
    }

    /// Returns the texts that must stay hidden if a server repeats them, longest first.
    ///
    /// Short texts are left out, because they would match unrelated text.
    private func secrets(of request: URLRequest) -> [String] {
        var secrets: [String] = []
        for (name, value) in request.allHTTPHeaderFields ?? [:] where isSensitive(name) {
            secrets.append(value)
            switch name.lowercased() {
            case "authorization", "proxy-authorization":
                // "Bearer secret"
                secrets += value.split(separator: " ", maxSplits: 1).dropFirst().map { String($0) }
            case "cookie":
                // "name=secret; name=secret"
                secrets += value.split(separator: ";").compactMap { $0.splitAtFirst("=").1.map { String($0) } }
            default: break
            }
        }
        if let url = request.url {
            let encoded = [url.user(percentEncoded: true), url.password(percentEncoded: true)]
            secrets += ([url.user, url.password] + encoded).compactMap { $0 }
        }
        return Set(secrets.filter { $0.count >= 6 }).sorted { ($0.count, $0) > ($1.count, $1) }
    }
}
