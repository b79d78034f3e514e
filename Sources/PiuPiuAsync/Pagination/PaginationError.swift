/// An error for a next page that must not be requested.
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
    public struct Code: ErrorCode {
        package enum Storage: Int, Sendable, CaseIterable {
            case invalidNextPage = 1, insecureNextPage, foreignNextPage, repeatedPage, tooManyPages
        }

        package typealias Failure = PaginationError
        package let storage: Storage

        package init(storage: Storage) { self.storage = storage }

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
    }
}

extension PaginationError: Redacted, CodedError {
    /// The error as a sentence, without secrets.
    public var description: String {
        let setting = explanation.setting.map { "; \($0)" } ?? ""
        return "\(code.text) (\(nextPage.isEmpty ? "" : nextPage + ", ")after page \(pageCount)\(setting))"
    }

    package var failingURL: String? { nextPage.isEmpty ? nil : nextPage }

    /// The code and the error as a sentence.
    package var shown: KeyValuePairs<String, Any> { ["code": code, "description": description] }
}
