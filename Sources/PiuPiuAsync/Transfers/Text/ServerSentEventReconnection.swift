/// Options for reconnecting a stream of server-sent events after it ended or broke off.
public struct ServerSentEventReconnection: Sendable, Hashable {
    /// The time to wait before reconnecting, until the server sends a `retry` field.
    ///
    /// 3 seconds by default. No delay is shorter than a tenth of a second, whatever the server sends.
    public var initialDelay: Duration
    /// The maximum delay; the delay doubles with each attempt that fails before an event arrives.
    ///
    /// 60 seconds by default. If the server asks for more with a `retry` field, the longer time applies.
    public var maximumDelay: Duration
    /// The maximum number of consecutive failed attempts; `nil` for no limit.
    ///
    /// Without limit by default. The error of the last attempt is thrown. With 1, the first failure is thrown. An event
    /// resets the count, and a stream that ends normally is not a failure.
    public var maximumAttempts: Int?
    /// Whether to reconnect also for methods other than `GET` and `HEAD`, such as a `POST` to a language model.
    ///
    /// `false` by default: each connection sends the request again, and the server may do, or charge for, its work again.
    /// With `true`, such a request is sent again only if the stream broke off or could not be opened. A stream that the
    /// server ended stays ended.
    public var repeatsOtherMethods: Bool

    /// Creates options.
    ///
    /// - Parameters:
    ///   - initialDelay: The time to wait until the server sends a `retry` field.
    ///   - maximumDelay: The maximum delay.
    ///   - maximumAttempts: The maximum number of consecutive failed attempts.
    ///   - repeatsOtherMethods: Whether to reconnect also for methods other than `GET` and `HEAD`.
    public init(
        initialDelay: Duration = .seconds(3),
        maximumDelay: Duration = .seconds(60),
        maximumAttempts: Int? = nil,
        repeatsOtherMethods: Bool = false
    ) {
        self.initialDelay = initialDelay
        self.maximumDelay = maximumDelay
        self.maximumAttempts = maximumAttempts
        self.repeatsOtherMethods = repeatsOtherMethods
    }
}
