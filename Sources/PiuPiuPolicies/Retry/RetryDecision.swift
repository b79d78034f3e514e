/// A caller's decision about the next step of a ``RetryPolicy`` after an attempt.
public enum RetryDecision: Sendable, Hashable {
    /// The policy's own rules apply.
    case `default`
    /// The result of the attempt reaches the caller.
    case stop
    /// The request is sent again, whatever the status code or the error.
    ///
    /// It is still not sent again if ``RetryPolicy/retries`` or the budget is used up, if its body is a stream that was
    /// read, or if the wait would not end before the deadline of the call.
    ///
    /// - Parameters:
    ///   - after: How long to wait; a negative duration counts as zero. `nil` for the policy's own time, which is never shorter
    ///     than `Retry-After`. Any other value replaces both, even if the server asked for more.
    ///   - ignoringIdempotency: Whether the request is sent again even if its method is not idempotent, it has no
    ///     `Idempotency-Key`, and the server may have processed it. `false` by default. With `true`, an order may be placed
    ///     twice; use it only if the server ignores or refuses repetitions.
    case retry(after: Duration? = nil, ignoringIdempotency: Bool = false)
}

/// The information for a caller's function that decides about a retry.
public struct RetryContext: Sendable {
    /// The attempts so far, oldest first.
    ///
    /// The last one ended with ``result``.
    public let attempts: [Attempt]
    /// The request, as changed by the interceptors outside the policy.
    public let request: URLRequest
    /// The response or the error of the last attempt.
    ///
    /// The body of a response is `nil` if it is delivered as a stream.
    public let result: Result<TransportResponse, any Error>
    /// Whether the request may be sent twice: its method is idempotent, or it has an `Idempotency-Key`.
    public let isIdempotent: Bool

    init(attempts: [Attempt], request: URLRequest, result: Result<TransportResponse, any Error>, isIdempotent: Bool) {
        self.attempts = attempts
        self.request = request
        // Reading the stream here would take it away from the caller.
        self.result = result.map { response in
            var response = response
            response.stream = nil
            return response
        }
        self.isIdempotent = isIdempotent
    }

    /// The status code of the response; `nil` if there is an error instead.
    public var statusCode: StatusCode? { try? result.get().head.statusCode }

    /// The error of the attempt; `nil` if there is a response.
    public var error: (any Error)? {
        if case .failure(let error) = result { error } else { nil }
    }
}

extension RetryContext: Redacted {
    /// The method, the URL, the result and the number of attempts, without secrets.
    package var shown: KeyValuePairs<String, Any> {
        [
            "request": "\(request.httpMethod ?? "GET") \(Redaction.standard.location(of: request.url))",
            "result": statusCode.map { "\($0.rawValue)" } ?? error.map { "\(type(of: $0))" } ?? "none",
            "attempts": attempts.count,
        ]
    }
}
