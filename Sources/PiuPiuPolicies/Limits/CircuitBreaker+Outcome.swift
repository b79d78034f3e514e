extension CircuitBreaker {
    /// The meaning of a call's result for the state of the server.
    public enum Outcome: Sendable, Hashable {
        /// The server works.
        case success
        /// The server fails.
        case failure
        /// The result says nothing about the server, and does not count. After a probe with this outcome, another may pass.
        case ignored
    }
}

extension CircuitBreaker.Outcome {
    /// Classifies a result by the default rules.
    ///
    /// - A response with 500, 502, 503 or 504 is a failure. Every other response is a success, including 4xx: the server
    ///   answers.
    /// - An ``UnacceptableResponseError``, which ``Validation`` throws, counts like its response.
    /// - A ``TransportError`` is a failure if the host could not be resolved or reached, if TLS or the proxy failed, if the
    ///   connection was lost or ended inside the body, if the HTTP/2 stream failed, and if one of these time limits was
    ///   reached: `connect`, `head`, `idle`, `total` or `attempt`. The limit for a free connection, `queue`, is not a failure.
    /// - Everything else is ignored: cancellation, refusals of other policies, errors of adapters, invalid requests, and
    ///   responses that are too large or malformed.
    ///
    /// - Parameter result: The response or the error.
    public init(_ result: Result<TransportResponse, any Error>) {
        switch result {
        case .success(let response): self = Self.outcome(of: response.head.statusCode)
        case .failure(let error as UnacceptableResponseError): self = Self.outcome(of: error.statusCode)
        case .failure(let error as TransportError): self = Self.isTrouble(error.code) ? .failure : .ignored
        case .failure: self = .ignored
        }
    }

    private static func outcome(of statusCode: StatusCode) -> Self {
        switch statusCode.rawValue {
        case 500, 502, 503, 504: .failure
        default: .success
        }
    }

    private static func isTrouble(_ code: TransportError.Code) -> Bool {
        if let phase = code.timeoutPhase { return phase != .queue }
        return switch code {
        case .cannotResolveHost, .cannotConnect, .tls, .proxy, .connectionLost, .truncatedBody, .http2: true
        default: false
        }
    }
}
