/// An error thrown if there is a next page that must not be requested.
///
/// ```swift
/// do {
///     for try await post in dispatcher.pages(for: request, of: [Post].self).items { print(post.title) }
/// } catch PaginationError.Code.repeatedPage {
///     print("The server sends us round in a circle.")
/// }
/// ```
public struct PaginationError: Error, Sendable {
    /// The kind of the failure.
    public var code: Code
    /// The address of the next page, without user information, query and fragment; empty if it is not a URL.
    public var nextPage: String
    /// The number of pages that were loaded before.
    public var pageCount: Int

    /// The kind of a failure.
    public struct Code: Sendable, Hashable {
        private enum Storage: Hashable, Sendable {
            case invalidNextPage, insecureNextPage, foreignNextPage, repeatedPage, tooManyPages
        }

        private let storage: Storage

        /// The address of the next page is not an `http` or `https` URL.
        public static let invalidNextPage = Code(storage: .invalidNextPage)
        /// The next page would be requested without encryption after a page with encryption.
        public static let insecureNextPage = Code(storage: .insecureNextPage)
        /// The next page has another origin, which ``PaginationOptions/allowsOtherOrigins`` permits.
        public static let foreignNextPage = Code(storage: .foreignNextPage)
        /// The request of the next page was sent before.
        public static let repeatedPage = Code(storage: .repeatedPage)
        /// There is another page after ``PaginationOptions/maximumPages``.
        public static let tooManyPages = Code(storage: .tooManyPages)

        /// Lets a `catch` clause name the code alone.
        ///
        /// - Parameters:
        ///   - code: The code to look for.
        ///   - error: The error that was thrown.
        /// - Returns: `true` if the error is a ``PaginationError`` with that code.
        public static func ~= (code: Code, error: any Error) -> Bool {
            (error as? PaginationError)?.code == code
        }

        var text: String {
            switch storage {
            case .invalidNextPage: "The address of the next page is not a URL"
            case .insecureNextPage: "The next page is not encrypted, and the one before was"
            case .foreignNextPage:
                "The next page has another origin, which PaginationOptions.allowsOtherOrigins permits"
            case .repeatedPage: "The next page was loaded before"
            case .tooManyPages: "There are more pages than PaginationOptions.maximumPages"
            }
        }
    }
}

extension PaginationError.Code: CustomStringConvertible {
    /// The code's name, such as `repeatedPage`.
    public var description: String { "\(storage)" }
}

extension PaginationError: Redacted, LocalizedError {
    /// The error as a sentence, without secrets.
    public var description: String {
        "\(code.text) (\(nextPage.isEmpty ? "" : nextPage + ", ")after page \(pageCount))"
    }

    /// The error as a sentence, without secrets.
    public var errorDescription: String? { description }

    /// The code and the error as a sentence.
    package var shown: KeyValuePairs<String, Any> { ["code": code, "description": description] }
}
