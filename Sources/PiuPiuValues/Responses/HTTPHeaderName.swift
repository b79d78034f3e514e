/// The name of a header field (RFC 9110 §5.1).
///
/// The common names are constants, and any other name is a string:
///
/// ```swift
/// var request = URLRequest(url: url, method: .get)
/// request[.accept] = "text/csv"
/// request["X-Request-ID"] = "17"
/// let response = try await dispatcher.data(for: request)
/// let type = response.head?.headers[.contentType]
/// ```
///
/// Names are compared without regard to case. Functions that take a name as a `String` have an overload for this type.
public struct HTTPHeaderName: RawRepresentable, Sendable {
    /// The name, as it is sent.
    public let rawValue: String

    /// Creates a name.
    ///
    /// - Parameter rawValue: The name; a dispatcher refuses to send one that is not a token (RFC 9110 §5.6.2).
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates a name.
    ///
    /// - Parameter rawValue: The name; a dispatcher refuses to send one that is not a token (RFC 9110 §5.6.2).
    public init(rawValue: String) {
        self.init(rawValue)
    }
}

extension HTTPHeaderName: Hashable {
    /// Returns whether two names are equal without regard to the case of their letters.
    ///
    /// - Parameters:
    ///   - lhs: A name.
    ///   - rhs: Another name.
    /// - Returns: `true` if they name the same field.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.rawValue.isEqualIgnoringASCIICase(to: rhs.rawValue)
    }

    /// Feeds the name in lower case to a hasher.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) {
        for byte in rawValue.utf8 { hasher.combine(byte.asciiLowercased) }
    }
}

extension HTTPHeaderName: ExpressibleByStringInterpolation {
    /// Creates a name from a literal.
    ///
    /// - Parameter value: The name.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension HTTPHeaderName: CustomStringConvertible {
    /// The name, as it is sent.
    public var description: String { rawValue }
}
