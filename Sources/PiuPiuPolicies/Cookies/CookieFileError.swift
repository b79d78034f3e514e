/// An error in a `cookies.txt`.
///
/// It names the line but shows nothing of it: a value is a secret.
public struct CookieFileError: Error, Sendable, Hashable {
    /// The problem with the line.
    ///
    /// Later versions may add codes: a `switch` over them needs a `default`.
    public struct Code: ErrorCode {
        package enum Storage: Int, Sendable, CaseIterable {
            case notUTF8 = 1, invalidFieldCount, invalidFlag, invalidExpiry, invalidCookie, tooLarge
        }

        package typealias Failure = CookieFileError
        package let storage: Storage

        package init(storage: Storage) { self.storage = storage }

        /// The line is not UTF-8.
        public static let notUTF8 = Code(storage: .notUTF8)
        /// The line does not have the seven fields of a cookie, separated by tabs.
        public static let invalidFieldCount = Code(storage: .invalidFieldCount)
        /// The second or the fourth field is neither `TRUE` nor `FALSE`.
        public static let invalidFlag = Code(storage: .invalidFlag)
        /// The date is not a number of seconds since 1970.
        public static let invalidExpiry = Code(storage: .invalidExpiry)
        /// The domain, the path, the name or the value is not valid in a cookie.
        public static let invalidCookie = Code(storage: .invalidCookie)
        /// The file is larger than a jar can be.
        public static let tooLarge = Code(storage: .tooLarge)
    }

    /// The problem with the line.
    public var code: Code
    /// The number of the line, from 1.
    public var line: Int

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The problem with the line.
    ///   - line: The number of the line, from 1.
    public init(_ code: Code, line: Int) {
        self.code = code
        self.line = line
    }
}

extension CookieFileError: CodedError {
    /// The number of the line and its problem.
    public var description: String { "Line \(line) of the cookies.txt \(code.text)" }
}
