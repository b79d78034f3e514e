/// A value that a `catch` clause can name to catch the errors it stands for, such as a code.
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
/// Codes of your own errors can conform, too, if they are static members of a structure: Swift takes the case of an
/// enumeration in a `catch` clause for the error itself. A misspelt code is reported as a member that its type does not have.
public protocol ErrorPattern {
    /// Returns whether this value stands for an error.
    ///
    /// - Parameter error: The error that was thrown.
    /// - Returns: `true` if a `catch` clause with this value catches the error.
    func matches(_ error: any Error) -> Bool
}

/// Lets a `catch` clause name a code alone.
///
/// - Parameters:
///   - pattern: The code to look for.
///   - error: The error that was thrown.
/// - Returns: `true` if the code stands for the error.
public func ~= <Pattern: ErrorPattern>(pattern: Pattern, error: any Error) -> Bool { pattern.matches(error) }
