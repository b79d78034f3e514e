/// Options for the pages to request, and for the responses that count as pages.
public struct PaginationOptions: Sendable {
    /// The maximum number of pages, at least 1; another page throws ``PaginationError/Code/tooManyPages``.
    ///
    /// It protects against servers that never stop. To load only the first pages, use `prefix(_:)` on the sequence, which
    /// does not request the others.
    public var maximumPages: Int
    /// Whether a page may have another scheme, host or port than the previous one; `false` by default.
    ///
    /// If so, header fields with secrets are not sent there: `Authorization`, `Cookie` and other standard ones, those in
    /// which common services send keys, such as `X-Api-Key`, ``RequestOptions/sensitiveHeaders`` of the dispatcher's
    /// configuration and ``sensitiveHeaders``. Fields that the dispatcher and its interceptors add to every request
    /// are not affected. A page without encryption after one with encryption is refused in any case.
    public var allowsOtherOrigins: Bool
    /// Names of header fields that are secrets, in addition to the standard ones and those of the dispatcher.
    public var sensitiveHeaders: [String]
    /// The status codes and content types of a page; other responses throw ``UnacceptableResponseError``.
    public var validation: Validation

    /// Creates options.
    ///
    /// - Parameters:
    ///   - maximumPages: The maximum number of pages; another page is an error. 10,000 by default.
    ///   - allowsOtherOrigins: Whether a page may have another origin than the previous one.
    ///   - sensitiveHeaders: Names of additional header fields that are secrets.
    ///   - validation: The status codes and content types of a page.
    public init(
        maximumPages: Int = 10_000,
        allowsOtherOrigins: Bool = false,
        sensitiveHeaders: [String] = [],
        validation: Validation = .default
    ) {
        self.maximumPages = maximumPages
        self.allowsOtherOrigins = allowsOtherOrigins
        self.sensitiveHeaders = sensitiveHeaders
        self.validation = validation
    }
}

extension PaginationOptions {
    /// Returns a copy with changes.
    ///
    /// ```swift
    /// let few = PaginationOptions().with { $0.maximumPages = 10 }
    /// ```
    ///
    /// Unlike a variable, the result can be used in an `async let`.
    ///
    /// - Parameter change: Changes the copy.
    /// - Returns: The changed copy.
    /// - Throws: The error that `change` throws.
    public func with(_ change: (inout Self) throws -> Void) rethrows -> Self {
        var copy = self
        try change(&copy)
        return copy
    }
}
