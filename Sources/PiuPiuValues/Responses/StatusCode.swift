/// The status code of an HTTP response (RFC 9110 §15).
///
/// A code is identified by its number: `.other(404)` is `.notFound` in a comparison, in a set and in a `switch`. If a
/// later version adds a name for a code, existing code keeps its meaning, because a `switch` over codes always has a
/// `default`.
///
/// ```swift
/// switch response.statusCode {
/// case .ok, .notModified: print("here it is")
/// case .notFound: print("there is no such post")
/// case .tooManyRequests, .other(529): print("later")
/// case let code: print("unexpected:", code.rawValue)
/// }
/// ```
///
/// A `catch` clause can name the status code that made a response unacceptable:
///
/// ```swift
/// do {
///     show(try await dispatcher.data(for: request).validated().decode(Post.self))
/// } catch StatusCode.notFound {
///     show(nil)
/// }
/// ```
public struct StatusCode: RawRepresentable, Sendable {
    /// The number of the code; it need not be a valid one.
    public let rawValue: Int

    /// Creates a code from a number.
    ///
    /// - Parameter rawValue: Any number.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Creates a code from a number, such as one without a name in this type.
    ///
    /// - Parameter rawValue: Any number.
    /// - Returns: The code; `.other(404)` is `.notFound`.
    public static func other(_ rawValue: Int) -> StatusCode {
        StatusCode(rawValue: rawValue)
    }
}

extension StatusCode {
    /// The class of the code: its first digit.
    public var type: StatusCodeType {
        StatusCodeType(statusCode: rawValue)
    }

    /// Foundation's text for the code, such as "not found"; localized if Foundation localizes it.
    public var localizedDescription: String {
        HTTPURLResponse.localizedString(forStatusCode: rawValue)
    }

    /// The error that this code represents; `nil` for informational, successful and redirecting codes.
    public var httpError: HTTPError? {
        switch type {
        case .informational, .success, .redirect: nil
        case .clientError: .clientError(self)
        case .serverError: .serverError(self)
        case .invalid: .invalidStatusCode(self)
        }
    }
}

extension StatusCode: Hashable, Comparable {
    /// Returns whether two codes have the same number.
    ///
    /// - Parameters:
    ///   - lhs: A code.
    ///   - rhs: Another code.
    /// - Returns: `true` if the numbers are equal.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.rawValue == rhs.rawValue
    }

    /// Returns whether a code's number is smaller than another's.
    ///
    /// - Parameters:
    ///   - lhs: A code.
    ///   - rhs: Another code.
    /// - Returns: `true` if the first number is the smaller one.
    public static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.rawValue < rhs.rawValue
    }

    /// Feeds the number to a hasher.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rawValue)
    }
}

extension StatusCode: Codable {
    /// Decodes a code from a single integer.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` if there is no integer.
    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(Int.self))
    }

    /// Encodes the code as a single integer.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: The errors of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

extension StatusCode: ErrorPattern {
    /// Returns whether an error was thrown because of this status code.
    ///
    /// - Parameter error: The error that was thrown.
    /// - Returns: `true` if the error is an ``UnacceptableResponseError``, a ``TransferError`` or an ``HTTPError`` that
    ///   was thrown because of that status code.
    public func matches(_ error: any Error) -> Bool {
        switch error {
        case let error as UnacceptableResponseError: error.code == .statusCode && error.statusCode == self
        case let error as TransferError: error.code == .unacceptableStatus && error.response?.statusCode == self
        case let error as HTTPError: error.statusCode == self
        default: false
        }
    }
}
