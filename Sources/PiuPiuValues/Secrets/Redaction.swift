/// The header fields that are secrets, and their replacement in errors, descriptions and logs.
///
/// The cache key, redirects, pagination and coalescing treat the same fields as credentials.
package struct Redaction: Sendable {
    /// The text that replaces a secret.
    package static let placeholder = "<redacted>"

    /// The fields whose names are known to be those of secrets.
    package static let standard = Redaction(additionalNames: [])

    /// Fields in which common services send keys and tokens; some of those that ``isSensitive(_:)`` recognizes by their words.
    package static let usualNames = [
        "X-Api-Key", "Api-Key", "X-Auth-Token", "X-Access-Token", "Private-Token", "X-Session", "X-Csrf-Token",
        "X-Xsrf-Token", "X-Amz-Security-Token", "X-Goog-Api-Key", "Authentication-Info", "Proxy-Authentication-Info",
    ]

    /// The names that the user marked as sensitive, in addition to the standard ones.
    package let additionalNames: [String]

    /// Creates a redaction that treats further field names, in any case, as those of secrets.
    package init(additionalNames: some Sequence<String>) {
        self.additionalNames = Array(additionalNames)
    }

    /// Returns a redaction that also hides the fields with these names.
    package func hiding(_ names: [String]) -> Redaction {
        names.isEmpty ? self : Redaction(additionalNames: additionalNames + names)
    }

    /// Returns whether the value of a field is a secret, or shows who sends it; the name may be in any case.
    ///
    /// The result is `true` for a name with a word such as `token`, `session` or `user`, for a name that the user marked, and
    /// for an invalid name (RFC 9110 §5.1), whose intended meaning is unknown.
    package func isSensitive(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { bytes in !bytes.allSatisfy(\.isTokenCharacter) || isSensitive(token: bytes) }
    }

    /// Returns whether the value of a field is a secret, if its name is a valid token.
    ///
    /// The result is `true` for a name with the word of a secret, and for a name that the user marked.
    func isSensitive(token name: UnsafeBufferPointer<UInt8>) -> Bool {
        SecretWords.credentials.contains(name)
            || additionalNames.contains { $0.utf8.elementsEqual(name) { $0.asciiLowercased == $1.asciiLowercased } }
    }

    /// Returns a field's value, or the placeholder if the value is a secret.
    package func value(_ value: String, of name: String) -> String {
        isSensitive(name) ? Self.placeholder : value
    }

    /// Returns a field's value for a description.
    ///
    /// The placeholder replaces a secret. URLs in other values have no user information, query and fragment, as in the
    /// description of a request.
    package func description(of field: HTTPHeaderField) -> String {
        guard !isSensitive(field.name) else { return Self.placeholder }
        let value =
            Self.isReference(field.name)
            ? Self.withoutUserInformation(field.value) : Self.withoutUserInformation(inText: field.value)
        return Self.withoutQueries(value, of: field.name)
    }

    /// Returns a field as a line of text with secrets replaced.
    ///
    /// The value is that of the description. Bytes that a terminal might interpret are escaped.
    package func text(of field: HTTPHeaderField) -> String {
        var text: [UInt8] = []
        append(field, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends a field as a line of text with secrets replaced.
    func append(_ field: HTTPHeaderField, to text: inout [UInt8]) {
        Self.append(field.name, to: &text)
        text += ": ".utf8
        Self.append(description(of: field), to: &text)
    }

    private static func append(_ value: String, to text: inout [UInt8]) {
        var value = value
        value.withUTF8 { bytes in
            if PrintableText.isPlain(bytes) { text += bytes } else { PrintableText.append(bytes, to: &text) }
        }
    }

    /// Returns a request's fields as lines of text with secrets replaced, sorted by name.
    package func lines(of request: URLRequest) -> [String] {
        (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
            .map { text(of: HTTPHeaderField(name: $0.key, value: $0.value)) }
    }

    /// Returns a copy of a request that is safe to print: without secret values, user information and body.
    ///
    /// The result is `nil` for a request without a URL, because Foundation on Linux traps if such a request is changed.
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
