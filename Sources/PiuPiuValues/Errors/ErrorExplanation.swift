/// The usual cause of an error, and the remedy.
package struct ErrorExplanation: Sendable, Hashable {
    /// The number of the error within its type, which stays the same in later versions.
    package let number: Int
    /// The usual cause, as a sentence.
    package let cause: String
    /// The remedy, as one or two sentences.
    package let remedy: String
    /// The relevant setting, as it is written in code; `nil` if there is none.
    package let setting: String?

    package init(_ number: Int, _ cause: String, _ remedy: String, setting: String? = nil) {
        self.number = number
        self.cause = cause
        self.remedy = remedy
        self.setting = setting
    }

    /// An entry of the page that lists all errors.
    package struct Entry: Sendable {
        /// The error as it is written in code, such as `TransportError.Code.tls`.
        package let name: String
        /// The text of the error without the details of a request.
        package let text: String
        package let explanation: ErrorExplanation

        package init(_ name: String, _ text: String, _ explanation: ErrorExplanation) {
            self.name = name
            self.text = text
            self.explanation = explanation
        }
    }
}

/// An error that explains its usual cause and the remedy.
package protocol ExplainedError: LocalizedError, CustomNSError, CustomStringConvertible {
    /// The usual cause and the remedy.
    var explanation: ErrorExplanation { get }
    /// The URL of the request, without user information, query and fragment; `nil` if it is unknown.
    var failingURL: String? { get }
}

extension ExplainedError {
    package var failingURL: String? { nil }

    /// The error as a sentence, without secrets.
    public var errorDescription: String? { description }

    /// The usual cause, as a sentence.
    public var failureReason: String? { explanation.cause }

    /// The remedy, as one or two sentences.
    public var recoverySuggestion: String? { explanation.remedy }

    /// The domain of the error as an `NSError`: the module that users import and the type, such as `PiuPiuAsync.TransportError`.
    public static var errorDomain: String {
        let name = String(reflecting: Self.self)
        // The modules that PiuPiuAsync re-exports; logs and dashboards know the domain.
        let rooms = [
            "PiuPiuValues.", "PiuPiuCore.", "PiuPiuExchange.", "PiuPiuPolicies.", "PiuPiuURLSession.",
            "PiuPiuWebSocket.",
        ]
        guard let room = rooms.first(where: name.hasPrefix) else { return name }
        return "PiuPiuAsync." + name.dropFirst(room.count)
    }

    /// The number of the error in its domain, which stays the same in later versions; <doc:ErrorReference> lists them.
    public var errorCode: Int { explanation.number }

    /// The error's texts and, if it is known, the URL of the request, without user information, query and fragment.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [:]
        info[NSLocalizedDescriptionKey] = errorDescription
        info[NSLocalizedFailureReasonErrorKey] = failureReason
        info[NSLocalizedRecoverySuggestionErrorKey] = recoverySuggestion
        info[NSURLErrorFailingURLErrorKey] = failingURL.flatMap { URL(string: $0) }
        return info
    }
}
