/// A `Set-Cookie` field, parsed as browsers do (RFC 6265bis §5.6).
///
/// It only contains the field's attributes. ``CookieMachine`` decides whether to store the cookie, and for which hosts.
struct SetCookie: Sendable, Hashable {
    /// The end of a cookie's life.
    enum End: Sendable, Hashable {
        /// With the session.
        case session
        /// After a number of seconds from now; at most ``SetCookie/longestAge``.
        case age(Double)
        /// At a date, in seconds since 1970.
        case date(Double)
    }

    /// The maximum length of a name and its value, in bytes.
    static let maximumLength = 4096
    /// The maximum length of an attribute's value, in bytes; a longer one is ignored.
    static let maximumAttribute = 1024
    /// The maximum length of a path, in bytes: that of a request may be longer than one in an attribute.
    static let maximumPath = 8192
    /// The maximum life of a cookie, in seconds: 400 days.
    static let longestAge: Double = 400 * 86_400

    /// The name; empty for a nameless cookie.
    var name: String
    var value: String
    /// The last `Domain`, in lower case and without a leading dot; `nil` or empty for the host alone.
    var domain: String?
    /// The last `Path`; `nil` for that of the request.
    var path: String?
    var end = End.session
    var isSecure = false
    var isHTTPOnly = false
    var sameSite: CookieJar.SameSite?

    /// Parses a field.
    ///
    /// The result is `nil` if the field has no cookie or a control character, if it is too long to be stored, or if it is not
    /// UTF-8 and could not be sent back unchanged.
    init?(_ field: some Collection<UInt8>) {
        guard field.allSatisfy(Self.isAllowed) else { return nil }
        let parts = field.split(separator: 0x3B, omittingEmptySubsequences: false)
        guard let pair = parts.first else { return nil }
        let halves = pair.split(separator: 0x3D, maxSplits: 1, omittingEmptySubsequences: false)
        let name = halves.count == 2 ? Self.trimmed(halves[0]) : pair.prefix(0)
        let value = Self.trimmed(halves.count == 2 ? halves[1] : pair)
        guard !(name.isEmpty && value.isEmpty), name.count + value.count <= Self.maximumLength,
            let nameText = Self.text(name), let valueText = Self.text(value)
        else { return nil }
        self.name = nameText
        self.value = valueText
        var age: Double?
        var expires: Double?
        for part in parts.dropFirst() {
            let halves = part.split(separator: 0x3D, maxSplits: 1, omittingEmptySubsequences: false)
            let value = halves.count == 2 ? Self.trimmed(halves[1]) : part.prefix(0)
            guard value.count <= Self.maximumAttribute else { continue }
            switch Self.lowercased(Self.trimmed(halves[0])) {
            case "expires": if let date = CookieDate.parse(value) { expires = date.timeIntervalSince1970 }
            case "max-age": if let seconds = Self.seconds(value) { age = seconds }
            case "domain": domain = Self.lowercased(value.first == 0x2E ? value.dropFirst() : value)
            // This also resets the path to `nil` for a value that is not a path, because the last attribute counts.
            case "path": path = value.first == 0x2F ? Self.text(value) : nil
            case "secure": isSecure = true
            case "httponly": isHTTPOnly = true
            case "samesite": sameSite = CookieJar.SameSite(rawValue: Self.lowercased(value))
            default: continue
            }
        }
        if let age { end = .age(age) } else if let expires { end = .date(expires) }
    }

    /// Whether a byte may occur in a field: everything except control characters other than tabs.
    static func isAllowed(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F || byte == 0x09 }

    /// Returns bytes without leading and trailing blanks.
    static func trimmed<Bytes: Collection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
        var rest = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        var end = rest.startIndex
        for (index, byte) in zip(rest.indices, rest) where byte != 0x20 && byte != 0x09 {
            end = rest.index(after: index)
        }
        rest = rest[..<end]
        return rest
    }

    /// Returns bytes as text; `nil` if they are not UTF-8.
    private static func text(_ bytes: some Collection<UInt8>) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) ? text : nil
    }

    private static func lowercased(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: bytes.map(\.asciiLowercased), as: UTF8.self)
    }

    /// Reads the value of `Max-Age`; `nil` if it is not a number, however large.
    private static func seconds(_ value: some Collection<UInt8>) -> Double? {
        let digits = value.first == 0x2D ? value.dropFirst() : value[...]
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        guard value.first != 0x2D else { return 0 }
        return digits.reduce(0) { min($0 * 10 + Double($1 - 0x30), longestAge) }
    }
}

extension SetCookie: Redacted {
    /// The name and the attributes, without the value.
    package var shown: KeyValuePairs<String, Any> {
        ["name": PrintableText.escape(name), "domain": domain ?? "none", "path": path ?? "none"]
    }
}

/// Splits `Set-Cookie` fields that were joined with commas, as `URLSession` does.
enum JoinedCookies {
    /// Splits a line into at least one field.
    ///
    /// A comma starts another field if a token and `=` follow, as in `a=1, b=2`, but not in the date of
    /// `a=1; Expires=Fri, 07 Aug 2026 08:04:19 GMT`.
    static func split(_ line: [UInt8]) -> [[UInt8]] {
        var fields: [[UInt8]] = []
        var start = 0
        for (index, byte) in line.enumerated() where byte == 0x2C {
            let rest = line[(index + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
            let token = rest.prefix(while: \.isTokenCharacter)
            guard !token.isEmpty, token.endIndex < line.endIndex, line[token.endIndex] == 0x3D else { continue }
            fields.append(Array(line[start..<index]))
            start = index + 1
        }
        fields.append(Array(line[start...]))
        return fields
    }
}
