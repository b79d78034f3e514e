/// How a stream of server-sent events is opened again after it ended or broke off.
public struct ServerSentEventReconnection: Sendable, Hashable {
    /// How long to wait before connecting again, until the server says otherwise with a field `retry`.
    ///
    /// 3 seconds by default.
    public var initialDelay: Duration
    /// How far the delay grows: it doubles with each attempt that fails before an event came.
    ///
    /// 60 seconds by default. Where the server asks for more with a field `retry`, that is waited.
    public var maximumDelay: Duration
    /// How many attempts may fail in a row, without an event in between, until the last one's error is thrown; `nil`
    /// means without limit.
    ///
    /// Without limit by default. With 1, the first failure is thrown. A stream that ends in order is not a failure.
    public var maximumAttempts: Int?

    /// Creates options.
    ///
    /// - Parameters:
    ///   - initialDelay: How long to wait until the server says otherwise.
    ///   - maximumDelay: How far the delay grows.
    ///   - maximumAttempts: How many attempts may fail in a row.
    public init(
        initialDelay: Duration = .seconds(3),
        maximumDelay: Duration = .seconds(60),
        maximumAttempts: Int? = nil
    ) {
        self.initialDelay = initialDelay
        self.maximumDelay = maximumDelay
        self.maximumAttempts = maximumAttempts
    }
}
