/// An error for a text from which no request can be made.
///
/// Its description shows neither query nor fragment.
public struct RequestPathError: Error, Sendable, Hashable {
    /// The reason.
    public enum Code: Sendable, Hashable {
        /// The text is an absolute URL, which ``RequestDefaults/allowsAbsoluteURLs`` does not allow.
        case absoluteURL
        /// The text begins with `//` and a host, which ``RequestDefaults/allowsAbsoluteURLs`` does not allow.
        case hasHost
        /// The text is a path, and there is no base URL.
        case noBaseURL
        /// The base URL is not an `http` or `https` URL, or has user information, a query, a fragment or a path with
        /// `..`.
        case invalidBaseURL
        /// A segment `..` leaves the path of the base URL.
        case leavesBasePath
        /// A segment is `.` or `..` to some servers only, such as `%2e%2e`, `..%2f` or `..;`.
        case disguisedDots
        /// A segment is empty, as in `/posts//1`.
        case emptySegment
        /// The path contains a backslash.
        case backslash
        /// The text contains a fragment.
        case fragment
        /// A `%` does not begin an escape.
        case invalidEscape
        /// The text contains a control character.
        case controlCharacter
        /// The text is not a valid `http` or `https` URL without user information.
        case invalidURL
    }

    /// The reason.
    public let code: Code
    /// The text without query and fragment; `<redacted>` if it contains `@` and may have user information.
    public let path: String

    init(_ code: Code, _ text: String) {
        self.code = code
        // A password may contain question marks.
        let isHidden = text.utf8.contains(UInt8(ascii: "@"))
        // Split scalars, because a question mark and a combining mark after it form one character.
        let path = text.unicodeScalars.prefix { $0 != "?" && $0 != "#" }.prefix(200)
        self.path = isHidden ? Redaction.placeholder : String(path)
    }
}

extension RequestPathError: ExplainedError {
    /// The reason, the path without query and fragment, and the setting to change.
    public var description: String {
        // Escaped, so that control characters cannot forge a line of a log.
        "\(code.text)\(explanation.setting.map { " (\($0))" } ?? ""): \(path.debugDescription)"
    }

    package var explanation: ErrorExplanation { code.explanation }
}
