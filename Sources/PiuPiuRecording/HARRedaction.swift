import PiuPiuAsync

/// The rules for what is a secret in a recording and is therefore not written.
///
/// The values of `Authorization`, `Proxy-Authorization`, `Cookie` and `Set-Cookie`, and of
/// `RequestOptions.sensitiveHeaders`, are always replaced by `<redacted>`. User information is removed from URLs,
/// except in bodies. Other secrets are found by their names, which are listed below. Names are compared without regard
/// to case, `-` and `_`, so that `access_token` also matches `accessToken`.
///
/// ```swift
/// var redaction = HARRedaction.default
/// redaction.fields += ["iban"]
/// redaction.custom = { entry in
///     if entry.request.url.contains("/private/") { entry.response.content = HAR.Content() }
/// }
/// let recorder = HARRecorder(redaction: redaction)
/// ```
///
/// Text is searched regardless of its type, also JSON within strings of JSON, and elements of XML.
///
/// The values that are replaced in header fields, and user information, are secrets in both bodies too, wherever they are
/// repeated in a usual spelling, if they have at least 12 bytes: credentials, cookies, keys. Cookies that are a URL, or a short
/// word without digits, are not searched for. In binary content, asterisks take the place of each byte.
///
/// Other secrets under other names, in paths, in attributes of XML and in binary content are not replaced, unless ``custom``
/// removes them. Bodies that are compressed, so that nothing can be found in them, are not recorded.
public struct HARRedaction: Sendable {
    /// Names of further header fields whose value is a secret.
    public var headers: [String]
    /// Names of secret items in URLs (in the query, in the fragment, anywhere in text) and in URL-encoded forms.
    public var queryItems: [String]
    /// Names of secret fields in JSON, at any depth, of secret elements in XML, and of secret parts of
    /// `multipart/form-data`.
    ///
    /// In a request, the whole value is replaced. In a response, only the strings and numbers in it are, numbers by 0,
    /// so that the replayed body can still be decoded.
    public var fields: [String]
    /// Removes other secrets, before the other rules are applied; `nil` for none.
    public var custom: (@Sendable (_ entry: inout HAR.Entry) -> Void)?

    /// Creates a redaction.
    ///
    /// - Parameters:
    ///   - headers: Names of header fields.
    ///   - queryItems: Names of items of URLs and of URL-encoded forms.
    ///   - fields: Names of fields in JSON and of parts of forms.
    ///   - custom: Removes other secrets.
    public init(
        headers: [String],
        queryItems: [String],
        fields: [String],
        custom: (@Sendable (_ entry: inout HAR.Entry) -> Void)? = nil
    ) {
        self.headers = headers
        self.queryItems = queryItems
        self.fields = fields
        self.custom = custom
    }

    /// The names that common services use for tokens, passwords, keys and signatures.
    public static let `default` = HARRedaction(
        headers: Redaction.usualNames,
        queryItems: SecretScrubber.usualNames + SecretScrubber.usualItemNames,
        fields: SecretScrubber.usualNames + SecretScrubber.usualFieldNames
    )
}

extension HARRedaction {
    /// Replaces the secrets in URLs, header fields and bodies.
    var scrubber: SecretScrubber { SecretScrubber(items: queryItems, fields: fields) }

    /// Removes the secrets from an exchange.
    ///
    /// - Parameters:
    ///   - entry: The exchange.
    ///   - sensitiveHeaders: Names of header fields that the request marks as secret.
    ///   - sent: What was sent in the call, beside what the exchange shows of it.
    func apply(to entry: inout HAR.Entry, sensitiveHeaders: [String] = [], sent: [URLRequest] = []) {
        let scrubber = scrubber
        let secrets = Redaction(additionalNames: headers + sensitiveHeaders)
        let names = Set((headers + sensitiveHeaders).map(SecretScrubber.normalized))
        let isSecret = { secrets.isSensitive($0) || names.contains(SecretScrubber.normalized($0)) }
        var texts = SecretTexts()
        for request in sent { texts.add(request, isSecret: isSecret) }
        if let url = URL(string: entry.request.url) { texts.add(url) }
        for fields in [entry.request.headers, entry.response.headers] {
            for field in fields where isSecret(field.name) { texts.add(field.value, of: field.name) }
        }
        let repeated = texts.finderInBodies
        custom?(&entry)
        entry.request.url = scrubber.url(entry.request.url)
        entry.request.headers = Self.redacted(entry.request.headers, isSecret, scrubber)
        entry.response.headers = Self.redacted(entry.response.headers, isSecret, scrubber, repeated)
        if var postData = entry.request.postData {
            let coding = entry.request.headers["Content-Encoding"]
            if !Self.isReadable(postData.data, postData.text, postData.mimeType, coding) {
                (postData.text, postData.encoding) = (Redaction.placeholder, nil)
            } else if let data = postData.data {
                let scrubbed = scrubber.body(data, type: postData.mimeType, keepsShape: false)
                let bytes = repeated.hidden(
                    in: scrubbed,
                    isCut: postData.isTruncated,
                    Self.replacement(postData.mimeType, .placeholder)
                )
                if bytes != data {
                    let (params, isTruncated) = (postData.params, postData.isTruncated)
                    postData = HAR.PostData(bytes, mimeType: postData.mimeType, isTruncated: isTruncated)
                    postData.params = params
                }
            }
            for index in postData.params.indices {
                let param = postData.params[index]
                let shown = Self.hidden(in: param.value, repeated)
                postData.params[index].value = scrubber.isSecret(param.name) ? Redaction.placeholder : shown
            }
            entry.request.postData = postData
        }
        let content = entry.response.content
        // The content of a response is written after decompression, whatever its head says.
        if !Self.isReadable(content.data, content.text, content.mimeType, nil) {
            (entry.response.content.text, entry.response.content.encoding) = (Redaction.placeholder, nil)
        } else if let data = content.data {
            let scrubbed = scrubber.body(data, type: content.mimeType, keepsShape: true)
            let bytes = repeated.hidden(
                in: scrubbed,
                isCut: content.isTruncated,
                Self.replacement(content.mimeType, .keepingTypes)
            )
            guard bytes != data else { return }
            entry.response.content = HAR.Content(bytes, mimeType: content.mimeType, isTruncated: content.isTruncated)
            if content.isTruncated { entry.response.content.size = content.size }
        }
    }

    private static func hidden(in text: String, _ secrets: SecretFinder) -> String {
        String(decoding: secrets.hidden(in: Data(text.utf8), isCut: false, .placeholder), as: UTF8.self)
    }

    private static func replacement(_ type: String, _ text: SecretFinder.Replacement) -> SecretFinder.Replacement {
        SecretScrubber.isBinary(type) ? .keepingLengths : text
    }

    /// Whether secrets in a body can be found: not if its encoding is unknown, or if it is compressed.
    private static func isReadable(_ data: Data?, _ text: String?, _ type: String, _ coding: String?) -> Bool {
        guard let data else { return text == nil }
        return data.isEmpty || ReadableBody.isReadable(data, type: type, coding: coding)
    }

    /// Returns a URL without secrets.
    func text(ofURL url: String) -> String {
        scrubber.url(url)
    }

    private static func redacted(
        _ headers: HTTPHeaderFields,
        _ isSecret: (_ name: String) -> Bool,
        _ scrubber: SecretScrubber,
        _ repeated: SecretFinder? = nil
    ) -> HTTPHeaderFields {
        HTTPHeaderFields(
            headers.map { field in
                // URLs occur in Location, Referer, Link, Refresh and many other fields.
                let isURL = ["location", "content-location"].contains(field.name.lowercased())
                // A replayed redirect leads to the URL that was recorded.
                let text = isURL ? field.value : repeated.map { Self.hidden(in: field.value, $0) } ?? field.value
                let shown = isURL ? scrubber.url(text) : scrubber.field(text)
                let value = isSecret(field.name) ? Redaction.placeholder : shown
                return HTTPHeaderField(name: field.name, value: value)
            }
        )
    }
}
