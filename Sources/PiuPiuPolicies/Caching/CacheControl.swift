/// The directives of `Cache-Control` (RFC 9111 §5.2, RFC 5861, RFC 8246), of a request or a response.
///
/// Directives that cannot be understood make a response less reusable, never more: an age that is not a number counts as 0, and
/// a value with an unclosed quotation mark forbids storing. If a directive occurs more than once, the first one counts
/// (RFC 9111 §4.2.1).
struct CacheControl: Equatable, Sendable {
    var noStore = false
    /// Whether the whole response, or any response for a request, must be validated.
    var noCache = false
    /// The fields that must not be reused without validation, in lower case.
    var noCacheFields: [String] = []
    var isPrivate = false
    var isPublic = false
    var mustRevalidate = false
    var mustUnderstand = false
    var immutable = false
    var onlyIfCached = false
    /// The following values are in seconds, and `nil` if the directive is missing.
    var maxAge: Int?
    var staleWhileRevalidate: Int?
    var staleIfError: Int?
    /// The accepted staleness of a response; `Int.max` for any.
    var maxStale: Int?
    var minFresh: Int?

    /// The longest time that is distinguished, in seconds (RFC 9111 §1.2.2).
    static let longestTime = 1 << 31

    /// Creates an empty set of directives.
    init() {}

    /// Parses the values of a field's lines, in order.
    init(_ lines: some Sequence<String>) {
        for line in lines {
            var parser = DirectiveParser(line)
            while let (name, value) = parser.next() { take(name, value) }
            if parser.isBroken { noStore = true }
        }
    }

    private mutating func take(_ name: String, _ value: String?) {
        switch name {
        case "no-store": noStore = true
        case "no-cache":
            let fields = value.map(Self.names) ?? []
            let isList = !fields.isEmpty && fields.allSatisfy { $0.utf8.allSatisfy(\.isTokenCharacter) }
            if isList { noCacheFields += fields } else { noCache = true }
        case "private": isPrivate = true
        case "public": isPublic = true
        case "must-revalidate": mustRevalidate = true
        case "must-understand": mustUnderstand = true
        case "immutable": immutable = true
        case "only-if-cached": onlyIfCached = true
        case "max-age": maxAge = maxAge ?? Self.seconds(value) ?? 0
        case "stale-while-revalidate": staleWhileRevalidate = staleWhileRevalidate ?? Self.seconds(value) ?? 0
        case "stale-if-error": staleIfError = staleIfError ?? Self.seconds(value) ?? 0
        case "max-stale": maxStale = maxStale ?? (value == nil ? .max : Self.seconds(value) ?? 0)
        case "min-fresh": minFresh = minFresh ?? Self.seconds(value) ?? Self.longestTime
        default: break
        }
    }

    /// Parses a number of seconds; `nil` for anything else.
    static func seconds(_ value: String?) -> Int? {
        guard let digits = value?.utf8, !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return digits.reduce(0) { min(longestTime, $0 * 10 + Int($1 - 0x30)) }
    }

    /// Parses a list of field names, in lower case.
    static func names(_ list: String) -> [String] {
        list.utf8.split(separator: 0x2C).map { part in
            let part = part.drop { $0 == 0x20 || $0 == 0x09 }
            let end = part.lastIndex { $0 != 0x20 && $0 != 0x09 }
            return end.map { String(decoding: part[...$0], as: UTF8.self).lowercased() } ?? ""
        }
        .filter { !$0.isEmpty }
    }
}

/// Splits a list of directives (RFC 9110 §5.6.1): a name, optionally with `=` and a token or a quoted string.
private struct DirectiveParser {
    private var scanner: FieldScanner
    /// Whether a quoted string has no end.
    var isBroken: Bool { scanner.isBroken }

    init(_ line: String) {
        scanner = FieldScanner(line.utf8)
    }

    /// Returns the next directive, with its name in lower case; `nil` at the end.
    mutating func next() -> (name: String, value: String?)? {
        scanner.take { $0.isHTTPWhitespace || $0 == UInt8(ascii: ",") }
        guard scanner.next != nil, !isBroken else { return nil }
        let name = scanner.take(while: \.isTokenCharacter)
        var value: String?
        if scanner.skip("=") {
            let isQuoted = scanner.next == UInt8(ascii: "\"")
            let bytes = isQuoted ? scanner.quotedString()[...] : scanner.take(while: \.isTokenCharacter)
            value = String(decoding: bytes, as: UTF8.self)
        }
        // Further text makes the value another one than it seems.
        if skip() { value = "?" }
        return (String(decoding: name, as: UTF8.self).lowercased(), value)
    }

    /// Skips to the next comma outside quotation marks; returns whether there was more than blanks.
    private mutating func skip() -> Bool {
        var hasMore = false
        while let byte = scanner.next, byte != UInt8(ascii: ",") {
            if byte == UInt8(ascii: "\"") {
                _ = scanner.quotedString()
                hasMore = true
            } else {
                let rest = scanner.take { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\"") }
                if !rest.allSatisfy(\.isHTTPWhitespace) { hasMore = true }
            }
        }
        return hasMore
    }
}
