/// Which header fields are secrets, and what stands in their place in errors, descriptions and logs.
package struct Redaction: Sendable {
    /// What is printed instead of a secret.
    package static let placeholder = "<redacted>"

    /// The fields every HTTP client has to keep to itself.
    package static let standard = Redaction(additionalNames: [])

    private static let standardNames = [
        "Authorization", "Cookie", "Cookie2", "Set-Cookie", "Set-Cookie2", "Proxy-Authorization",
    ]

    /// Fields that usual services send keys and tokens in, which descriptions and recordings hide too.
    package static let usualNames = [
        "X-Api-Key", "Api-Key", "X-Auth-Token", "X-Access-Token", "X-Csrf-Token", "X-Xsrf-Token",
        "X-Amz-Security-Token", "X-Goog-Api-Key", "Authentication-Info", "Proxy-Authentication-Info",
    ]

    /// What descriptions hide: the standard fields, and those of ``usualNames``.
    package static let descriptions = Redaction(additionalNames: usualNames)

    /// The names the user marked as sensitive, beside the standard ones.
    package let additionalNames: [String]

    /// Creates a redaction.
    ///
    /// - Parameter additionalNames: Field names to treat as secrets, in any case.
    package init(additionalNames: some Sequence<String>) {
        self.additionalNames = Array(additionalNames)
    }

    /// A redaction of more fields.
    ///
    /// - Parameter names: Further names of fields that are secrets.
    /// - Returns: The redaction.
    package func hiding(_ names: [String]) -> Redaction {
        names.isEmpty ? self : Redaction(additionalNames: additionalNames + names)
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

    /// A field as a line that may be shown.
    ///
    /// - Parameter field: The field.
    /// - Returns: The line, without the value of a secret, and without user information in URLs.
    package func text(of field: HTTPHeaderField) -> String {
        let value = Self.withoutUserInformation(inText: field.value)
        return "\(field.name): \(self.value(value, of: field.name))"
    }

    /// A request's fields as lines that may be shown, in the order of their names.
    ///
    /// - Parameter request: The request.
    /// - Returns: The lines.
    package func lines(of request: URLRequest) -> [String] {
        (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
            .map { text(of: HTTPHeaderField(name: $0.key, value: $0.value)) }
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
        for (name, value) in request.allHTTPHeaderFields ?? [:] {
            let shown = isSensitive(name) ? Self.placeholder : Self.withoutUserInformation(inText: value)
            if shown != value { copy.setValue(shown, forHTTPHeaderField: name) }
        }
        return copy
    }
}
