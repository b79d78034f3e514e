import PiuPiuAsync
import PiuPiuPolicies

/// The rules for which parts of a recording are secrets and therefore not written.
///
/// The values of header fields with credentials, such as `Authorization`, `Cookie`, `Set-Cookie` and `X-Api-Key`, and of those
/// in `RequestOptions.sensitiveHeaders`, are always replaced. User information is removed from URLs, except in bodies. Other
/// secrets are found by the words in their names, which are listed below: `password` also matches `user[password]`,
/// `newPassword` and `PASSWORD_CONFIRMATION`, but not `passwordless`. Values that only describe a secret, with a name such as
/// `token_type` or `password_changed_at`, stay.
///
/// ## Replacements
///
/// In requests, `<redacted>` replaces a secret, and the replayer matches it with any value. In responses, the replacement is a
/// text of the same length and alphabet: digits for digits, hexadecimal digits for hexadecimal digits, letters for letters,
/// with the same punctuation. The same secret has the same replacement throughout the recording, and different secrets have
/// different ones, so a program that finds a token in a recorded page, in a cookie or in JSON also finds one in the replay.
/// Each recorder, and each call of ``HAR/redacted(_:)``, creates the replacements from random bytes, which are not kept, so
/// even a short secret cannot be found by guessing. Each entry lists its replacements in `_standIns`, which distinguishes them
/// from secrets.
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
/// Text is searched regardless of its type: forms, JSON, including JSON within strings, elements and attributes of XML and
/// HTML, arguments as in `login(pin: 1234)`, and lines such as `Authorization: Bearer …` and `password=…`.
///
/// The values that are replaced in header fields, and user information, are also replaced in both bodies, wherever they are
/// repeated in a usual spelling, if they have at least 12 bytes: credentials, cookies, keys. This excludes fields that only
/// identify a user, such as `X-User-Id`, cookies that are a URL, and short words without digits, except in `Authorization`. In
/// binary content, an asterisk replaces each byte.
///
/// Secrets under other names, in paths and in binary content are not replaced, unless ``custom`` removes them. Compressed
/// bodies, in which secrets cannot be found, are not recorded.
public struct HARRedaction: Sendable {
    /// Names of further header fields whose value is a secret.
    public var headers: [String]
    /// Names of secret items in URLs (in the query, in the fragment, anywhere in text) and in URL-encoded forms.
    public var queryItems: [String]
    /// Names of secret fields in JSON, at any depth, of secret elements in XML, and of secret parts of
    /// `multipart/form-data`.
    ///
    /// In a request, the whole value is replaced. In a response, only the strings and numbers in it are, so that the
    /// replayed body can still be decoded.
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
        queryItems: SecretWords.usualNames + SecretScrubber.usualItemNames,
        fields: SecretWords.usualNames + SecretScrubber.usualFieldNames
    )
}

extension HARRedaction {
    /// Replaces the secrets in URLs, header fields and bodies.
    var scrubber: SecretScrubber {
        let usual = Self.default
        return queryItems == usual.queryItems && fields == usual.fields
            ? Self.usualScrubber : SecretScrubber(items: queryItems, fields: fields)
    }

    /// The scrubber for the usual names, which takes longer to create than to use.
    private static let usualScrubber = SecretScrubber(items: Self.default.queryItems, fields: Self.default.fields)

    /// Removes the secrets from an exchange.
    ///
    /// - Parameters:
    ///   - entry: The exchange.
    ///   - sensitiveHeaders: Names of header fields that the request marks as secret.
    ///   - sent: The requests sent in the call, in addition to that of the exchange.
    ///   - standIns: Creates the replacements of secrets in the response.
    func apply(
        to entry: inout HAR.Entry,
        sensitiveHeaders: [String] = [],
        sent: [URLRequest] = [],
        _ standIns: SecretStandIns = SecretStandIns()
    ) {
        let scrubber = scrubber
        let standIns = standIns.knowing(entry.standIns)
        defer { entry.standIns = standIns.texts }
        let secrets = Redaction(additionalNames: headers + sensitiveHeaders)
        // The usual names are matched by their words.
        let names = NameSet((headers == Redaction.usualNames ? [] : headers) + sensitiveHeaders)
        let isSecret = { secrets.isSensitive($0) || names.contains($0) }
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
        entry.response.headers = Self.redacted(entry.response.headers, isSecret, scrubber, repeated, standIns)
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
        for index in entry.webSocketMessages.indices {
            hideSecrets(in: &entry.webSocketMessages[index], scrubber, repeated, standIns)
        }
        let content = entry.response.content
        // The content of a response is written after decompression, whatever its head says.
        if !Self.isReadable(content.data, content.text, content.mimeType, nil) {
            (entry.response.content.text, entry.response.content.encoding) = (Redaction.placeholder, nil)
        } else if let data = content.data {
            let scrubbed = scrubber.body(data, type: content.mimeType, keepsShape: true, .standIns(standIns))
            let bytes = repeated.hidden(
                in: scrubbed,
                isCut: content.isTruncated,
                Self.replacement(content.mimeType, .standIns(standIns))
            )
            guard bytes != data else { return }
            entry.response.content = HAR.Content(bytes, mimeType: content.mimeType, isTruncated: content.isTruncated)
            if content.isTruncated { entry.response.content.size = content.size }
        }
    }

    /// Removes the secrets from a message, by the rules for bodies.
    private func hideSecrets(
        in message: inout HAR.WebSocketMessage,
        _ scrubber: SecretScrubber,
        _ repeated: SecretFinder,
        _ standIns: SecretStandIns
    ) {
        let type = message.isBinary ? "application/octet-stream" : "text/plain"
        guard let data = message.bytes, Self.isReadable(data, message.data, type, nil) else {
            message.data = message.isBinary ? "" : Redaction.placeholder
            return
        }
        let isSent = message.direction == .send
        let scrubbed = scrubber.body(data, type: type, keepsShape: !isSent, isSent ? .placeholder : .standIns(standIns))
        let bytes = repeated.hidden(
            in: scrubbed,
            isCut: message.size != nil,
            Self.replacement(type, isSent ? .placeholder : .standIns(standIns))
        )
        if bytes != data { message.setBytes(bytes) }
    }

    private static func hidden(
        in text: String,
        _ secrets: SecretFinder,
        _ replacement: SecretFinder.Replacement = .placeholder
    ) -> String {
        String(decoding: secrets.hidden(in: Data(text.utf8), isCut: false, replacement), as: UTF8.self)
    }

    private static func replacement(_ type: String, _ text: SecretFinder.Replacement) -> SecretFinder.Replacement {
        ReadableBody.isBinary(type) ? .keepingLengths : text
    }

    /// Whether secrets in a body can be found, which requires a known encoding and no compression.
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
        _ scrubber: SecretScrubber
    ) -> HTTPHeaderFields {
        HTTPHeaderFields(
            headers.map { field in
                let value = isSecret(field.name) ? Redaction.placeholder : shown(field, scrubber, .placeholder)
                return HTTPHeaderField(name: field.name, value: value)
            }
        )
    }

    private static func redacted(
        _ headers: HTTPHeaderFields,
        _ isSecret: (_ name: String) -> Bool,
        _ scrubber: SecretScrubber,
        _ repeated: SecretFinder,
        _ standIns: SecretStandIns
    ) -> HTTPHeaderFields {
        HTTPHeaderFields(
            headers.map { field in
                var field = field
                if field.name.lowercased() == "set-cookie" {
                    field.value = standIns.cookie(field.value)
                } else if isSecret(field.name) {
                    field.value = SecretReplacement.standIns(standIns).text(for: field.value)
                } else {
                    // A replayed redirect must lead to the recorded URL.
                    if !isURL(field.name) { field.value = hidden(in: field.value, repeated, .standIns(standIns)) }
                    field.value = shown(field, scrubber, .standIns(standIns))
                }
                return field
            }
        )
    }

    /// Returns the value of a field without secrets in its URLs, which occur in Location, Referer, Link, Refresh and many
    /// others.
    private static func shown(
        _ field: HTTPHeaderField,
        _ scrubber: SecretScrubber,
        _ replacement: SecretReplacement
    ) -> String {
        isURL(field.name) ? scrubber.url(field.value, replacement) : scrubber.field(field.value, replacement)
    }

    private static func isURL(_ name: String) -> Bool {
        ["location", "content-location"].contains(name.lowercased())
    }
}

extension SecretStandIns {
    /// Returns the value of `Set-Cookie` with the cookie's value replaced, and its name and attributes kept (RFC 6265bis §5.6);
    /// the placeholder if there may be more in it, such as another cookie after a comma.
    fileprivate func cookie(_ field: String) -> String {
        let pair = field.prefix { $0 != ";" }
        let attributes = field[pair.endIndex...].split(separator: ";")
        guard attributes.allSatisfy(Self.isCookieAttribute) else { return Redaction.placeholder }
        let (name, value) = pair.splitAtFirst("=")
        guard value == nil || !name.contains(",") else { return Redaction.placeholder }
        let secret = (value ?? name).trimmingCharacters(in: .whitespaces)
        guard !secret.isEmpty else { return field }
        let prefix = value == nil ? "" : name + "="
        return prefix + SecretReplacement.standIns(self).text(for: secret) + field[pair.endIndex...]
    }

    private static let cookieAttributes: Set<String> = [
        "path", "domain", "expires", "max-age", "secure", "httponly", "samesite", "partitioned", "priority", "version",
        "comment",
    ]

    /// Whether a text is exactly one known attribute.
    private static func isCookieAttribute(_ text: Substring) -> Bool {
        let (name, value) = text.splitAtFirst("=")
        let key = name.trimmingCharacters(in: .whitespaces).lowercased()
        guard let value else { return key.isEmpty || cookieAttributes.contains(key) }
        guard cookieAttributes.contains(key) else { return false }
        return !value.contains(",") || key == "expires" && isDate(value)
    }

    private static let weekdays: Set<String> = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    private static let months: Set<String> = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// Whether a text is exactly a date with a comma after the weekday: `Wed, 09 Jun 2027 10:18:14 GMT`.
    private static func isDate(_ text: Substring) -> Bool {
        let parts = text.lowercased().split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return false }
        let weekday = parts[0].trimmingCharacters(in: .whitespaces)
        let words = parts[1].split { $0 == " " || $0 == "-" || $0 == ":" }
        guard weekday.count <= 9, weekday.allSatisfy(\.isLetter), weekdays.contains(String(weekday.prefix(3))),
            3...8 ~= words.count, isNumber(words[0]), months.contains(String(words[1]))
        else { return false }
        return words.dropFirst(2).allSatisfy { isNumber($0) || $0 == "gmt" || $0 == "utc" }
    }

    private static func isNumber(_ text: Substring) -> Bool {
        1...4 ~= text.utf8.count && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
    }
}
