extension ResponseHead {
    /// How long the server asks to wait before the next request (RFC 9110 §10.2.3); `nil` without a valid value.
    ///
    /// ```swift
    /// do {
    ///     try await api.post("/posts", json: draft)
    /// } catch let error as UnacceptableResponseError {
    ///     guard let wait = error.retryAfter else { throw error }
    ///     print("The server is busy: try again in \(wait.components.seconds) seconds.")
    /// }
    /// ```
    ///
    /// `Retry-After` is a number of seconds or a date. The time until a date is measured from the response's `Date`, which
    /// comes from the same clock, or without one from the current time whenever this property is read; it is zero if the date
    /// is past. The longest of several fields counts, and no time is longer than a billion seconds. ``RetryPolicy`` waits
    /// automatically.
    public var retryAfter: Duration? { RetryAfter.delay(of: self, now: { Date() }) }
}

extension Response {
    /// How long the server asks to wait before the next request; see ``ResponseHead/retryAfter``.
    public var retryAfter: Duration? { head?.retryAfter }
}

extension HTTPResponse {
    /// How long the server asks to wait before the next request; see ``ResponseHead/retryAfter``.
    public var retryAfter: Duration? { head.retryAfter }
}

extension UnacceptableResponseError {
    /// How long the server asks to wait before the next request; see ``ResponseHead/retryAfter``.
    public var retryAfter: Duration? { response.retryAfter }
}

extension TransferError {
    /// How long the server asks to wait before the next request; see ``ResponseHead/retryAfter``.
    public var retryAfter: Duration? { response?.retryAfter }
}

extension TransportError {
    /// How long the server asks to wait before the next request; see ``ResponseHead/retryAfter``.
    ///
    /// It is `nil` if the exchange failed before the head of a response had arrived.
    public var retryAfter: Duration? { response?.retryAfter }
}
