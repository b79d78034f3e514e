/// A value that a `catch` clause can use to catch the errors it represents, such as a code.
///
/// ```swift
/// do {
///     let post: Post = try await dispatcher.get("https://example.com/posts/1")
///     show(post)
/// } catch StatusCode.notFound {
///     show("There is no such post.")
/// } catch TransportError.Code.timeout(.connect) {
///     show("The server cannot be reached.")
/// }
/// ```
///
/// Codes of your own errors can conform, too, if they are static members of a structure: in a `catch` clause, Swift takes an
/// enumeration's case for the error itself. The compiler reports a misspelled code as an unknown member of its type.
public protocol ErrorPattern {
    /// Returns whether this value represents an error.
    ///
    /// - Parameter error: The error that was thrown.
    /// - Returns: `true` if a `catch` clause with this value catches the error.
    func matches(_ error: any Error) -> Bool
}

/// Lets a `catch` clause name only a code.
///
/// - Parameters:
///   - pattern: The code to look for.
///   - error: The error that was thrown.
/// - Returns: `true` if the code represents the error.
public func ~= <Pattern: ErrorPattern>(pattern: Pattern, error: any Error) -> Bool { pattern.matches(error) }
