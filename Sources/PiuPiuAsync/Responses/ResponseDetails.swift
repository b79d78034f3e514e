/// What few responses have beside a request and a head.
///
/// It is a class, so that all other responses stay small.
final class ResponseDetails: Sendable {
    /// The redirects that were followed, oldest first.
    let history: [Redirect]
    /// Names of fields that are secrets, beside the standard ones.
    let sensitiveHeaders: [String]

    /// The details; `nil` if there are none.
    static func make(history: [Redirect], sensitiveHeaders: [String]) -> ResponseDetails? {
        // Not in the initializer, which would make an object to find that out.
        guard !history.isEmpty || !sensitiveHeaders.isEmpty else { return nil }
        return ResponseDetails(history: history, sensitiveHeaders: sensitiveHeaders)
    }

    private init(history: [Redirect], sensitiveHeaders: [String]) {
        self.history = history
        self.sensitiveHeaders = sensitiveHeaders
    }
}
