/// The progress of a request and its response on an HTTP/1.1 connection; a pure value.
///
/// | Sending | Event | Then |
/// |---|---|---|
/// | `head` | the head is handed over, with or without content that waits for "100 Continue" | `content`, `waiting` or `sent` |
/// | `waiting` | "100 Continue", or the wait times out | `content` |
/// | `waiting` | a final head | `stopped`: the server does not want the content |
/// | `waiting` | for a tunnel: 101, or another final head | `content`; `sent`: there is nothing to send |
/// | `content` | a final head of 300 or more | `stopped` (RFC 9110 §7.5) |
/// | `content` | the last byte is handed over | `sent` |
/// | `content` | the socket is broken and takes no more | `stopped`: the response is still read |
///
/// A connection on which sending was stopped carries no further request. The exchange is over when the response is complete and
/// nothing more is sent, or when its owner gives it up.
package struct MessageState: Equatable {
    package enum Sending: Equatable {
        case head, waiting, content, sent, stopped
    }

    package private(set) var sending = Sending.head
    /// Whether the final head has arrived.
    package private(set) var hasHead = false
    /// Whether the whole response has arrived.
    package private(set) var isAnswered = false

    package init() {}

    /// Whether nothing is left to send or to receive.
    package var isOver: Bool { isAnswered && (sending == .sent || sending == .stopped) }

    /// Whether only the rest of the request is missing.
    package var awaitsOnlySending: Bool { isAnswered && !isOver }

    /// Whether the whole request was sent, so another may follow.
    package var isSent: Bool { sending == .sent }

    /// Records that the head was handed over.
    package mutating func headSent(hasContent: Bool, waits: Bool) {
        guard sending == .head else { return }
        sending = hasContent ? (waits ? .waiting : .content) : .sent
    }

    /// Records that the content need not wait any longer, and returns whether it was waiting.
    package mutating func mayContinue() -> Bool {
        guard sending == .waiting else { return false }
        sending = .content
        return true
    }

    /// Records that the server opens no tunnel, so that the head was the whole request.
    package mutating func tunnelRefused() {
        if sending == .waiting { sending = .sent }
    }

    /// Records that the last byte was handed over.
    package mutating func contentSent() {
        if sending == .content { sending = .sent }
    }

    /// Records that nothing more can be sent.
    package mutating func stopSending() {
        if sending != .sent { sending = .stopped }
    }

    /// Records the final head.
    package mutating func headArrived(statusCode: Int) {
        hasHead = true
        switch sending {
        case .waiting: sending = .stopped
        case .content where statusCode >= 300: sending = .stopped
        case .head, .content, .sent, .stopped: break
        }
    }

    /// Records the end of the response.
    package mutating func responseEnded() { isAnswered = true }
}
