/// When a WebSocket is opened again after it ended, and after which delay.
///
/// The delay doubles with each attempt that fails, and with each WebSocket that ends sooner than the delay before it. A random part of up
/// to half of it is taken off, so that the clients of a server that restarts do not come back together. If the server says when to
/// come back (`Retry-After` of a 429 or 503), the longer time applies.
public struct WebSocketReconnection: Sendable, Hashable {
    /// The delay before the first attempt; 1 second by default.
    ///
    /// No delay is shorter than a tenth of a second.
    public var initialDelay: Duration
    /// The maximum delay; 60 seconds by default.
    public var maximumDelay: Duration
    /// The number of attempts in a row that may fail; `nil`, the default, for no limit.
    ///
    /// After the last one, the sequence throws its error.
    public var maximumAttempts: Int?

    /// Creates options.
    ///
    /// - Parameters:
    ///   - initialDelay: The delay before the first attempt.
    ///   - maximumDelay: The maximum delay.
    ///   - maximumAttempts: The number of attempts in a row that may fail; `nil` for no limit.
    public init(
        initialDelay: Duration = .seconds(1),
        maximumDelay: Duration = .seconds(60),
        maximumAttempts: Int? = nil
    ) {
        self.initialDelay = initialDelay
        self.maximumDelay = maximumDelay
        self.maximumAttempts = maximumAttempts
    }
}

/// An interruption of a WebSocket that was opened again: the messages that the server sent meanwhile are lost.
public struct WebSocketGap: Sendable {
    /// How the WebSocket before was closed.
    public let closure: WebSocketClosure
    /// Why it ended; `nil` if the server closed it with 1001.
    public let error: (any Error)?
    /// The time from its end until the next one was open.
    public let duration: Duration
    /// The number of attempts to open the next one, at least 1.
    public let attempts: Int
}

extension WebSocketGap: Redacted {
    /// The closure, the duration and the attempts.
    package var shown: KeyValuePairs<String, Any> {
        ["closure": closure, "duration": duration, "attempts": attempts]
    }
}
