/// What few responses have beside a request and a head.
///
/// It is a class, so that all other responses stay small.
final class ResponseDetails: Sendable {
    /// The redirects that were followed, oldest first.
    let history: [Redirect]
    /// Names of fields that are secrets, beside the standard ones.
    let sensitiveHeaders: [String]

    /// Creates details; `nil` if there are none.
    init?(history: [Redirect], sensitiveHeaders: [String]) {
        guard !history.isEmpty || !sensitiveHeaders.isEmpty else { return nil }
        self.history = history
        self.sensitiveHeaders = sensitiveHeaders
    }
}
