/// Which header fields are secrets, and what stands in their place in errors, descriptions and logs.
package struct Redaction: Sendable {
    /// What is printed instead of a secret.
    package static let placeholder = "<redacted>"

    /// The fields every HTTP client has to keep to itself.
    package static let standard = Redaction(additionalNames: [])

    private static let standardNames = [
        "Authorization", "Cookie", "Cookie2", "Set-Cookie", "Set-Cookie2", "Proxy-Authorization",
    ]

    /// The names the user marked as sensitive, beside the standard ones.
    package let additionalNames: [String]

    /// Creates a redaction.
    ///
    /// - Parameter additionalNames: Field names to treat as secrets, in any case.
    package init(additionalNames: some Sequence<String>) {
        self.additionalNames = Array(additionalNames)
    }

    /// Tells whether the value of a field is a secret.
    ///
    /// - Parameter name: The field's name, in any case.
    /// - Returns: `true` for a standard secret, a name the user marked, and a name that is none (RFC 9110 §5.1), of which
    ///   nobody knows what it was meant to be.
    package func isSensitive(_ name: String) -> Bool {
        guard name.utf8.allSatisfy(\.isTokenCharacter) else { return true }
        return Self.standardNames.contains { $0.isEqualIgnoringASCIICase(to: name) }
            || additionalNames.contains { $0.isEqualIgnoringASCIICase(to: name) }
    }

    /// A field's value as it may be shown.
    ///
    /// - Parameters:
    ///   - value: The real value.
    ///   - name: The field's name.
    /// - Returns: The value, or the placeholder.
    package func value(_ value: String, of name: String) -> String {
        isSensitive(name) ? Self.placeholder : value
    }

    /// A URL as it may be shown: without user name and password.
    ///
    /// - Parameter url: The real URL.
    /// - Returns: The URL without its user information.
    package func url(_ url: URL) -> URL {
        guard url.user != nil || url.password != nil || url.absoluteString.contains("@") else { return url }
        let text = Self.withoutUserInformation(url.absoluteString)
        // A URL that cannot be rebuilt is not shown at all, rather than with its secret.
        return URL(string: text) ?? URL(string: "about:blank") ?? URL(fileURLWithPath: "/")
    }

    /// A URL as text that may be shown: without user name and password.
    ///
    /// - Parameter url: The real URL.
    /// - Returns: The text, which says so where there is no URL.
    package func text(of url: URL?) -> String {
        url.map { Self.withoutUserInformation($0.absoluteString) } ?? "(no URL)"
    }

    /// Cuts everything up to the last `@` out of the authority (RFC 3986 §3.2).
    private static func withoutUserInformation(_ url: String) -> String {
        guard let slashes = url.range(of: "//") else { return url }
        let end = url[slashes.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        guard let at = url[slashes.upperBound..<end].lastIndex(of: "@") else { return url }
        return String(url[..<slashes.upperBound]) + url[url.index(after: at)...]
    }

    /// A request as an error may carry it: no secret values, no user information, no body.
    ///
    /// - Parameter request: The real request.
    /// - Returns: A copy that is safe to print; `nil` for a request without a URL, which cannot be copied: Foundation on
    ///   Linux traps when one is changed.
    package func request(_ request: URLRequest) -> URLRequest? {
        guard request.url != nil else { return nil }
        var copy = request
        copy.httpBody = nil
        copy.httpBodyStream = nil
        copy.url = request.url.map(self.url)
        copy.mainDocumentURL = request.mainDocumentURL.map(self.url)
        for name in (request.allHTTPHeaderFields ?? [:]).keys where isSensitive(name) {
            copy.setValue(Self.placeholder, forHTTPHeaderField: name)
        }
        return copy
    }
}
