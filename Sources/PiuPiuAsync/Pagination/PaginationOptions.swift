/// Which pages are requested, and which responses count as pages.
public struct PaginationOptions: Sendable {
    /// The number of pages after which another one throws ``PaginationError/Code/tooManyPages``; at least 1.
    ///
    /// It protects against servers that never stop. To load only the first pages, use `prefix(_:)` on the sequence, which
    /// does not request the others.
    public var maximumPages: Int
    /// Whether a page may have another scheme, host or port than the one before; `false` by default.
    ///
    /// If so, header fields with secrets are not sent there: `Authorization`, `Cookie` and other standard ones, those in
    /// which common services send keys, such as `X-Api-Key`, ``RequestOptions/sensitiveHeaders`` of the dispatcher's
    /// configuration and ``sensitiveHeaders``. Fields that the dispatcher adds to every request, and its interceptors,
    /// are not affected. A page without encryption after one with encryption is refused in any case.
    public var allowsOtherOrigins: Bool
    /// Names of header fields that are secrets, in addition to the standard ones and those of the dispatcher.
    public var sensitiveHeaders: [String]
    /// The status codes and content types of a page; other responses throw ``UnacceptableResponseError``.
    public var validation: Validation

    /// Creates options.
    ///
    /// - Parameters:
    ///   - maximumPages: The number of pages after which another one is an error; 10,000 by default.
    ///   - allowsOtherOrigins: Whether a page may have another origin than the one before.
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
    /// - Throws: What `change` throws.
    public func with(_ change: (inout Self) throws -> Void) rethrows -> Self {
        var copy = self
        try change(&copy)
        return copy
    }
}
