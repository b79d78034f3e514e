extension CircuitBreaker {
    /// What the result of a call says about the server.
    public enum Outcome: Sendable, Hashable {
        /// The server works.
        case success
        /// The server is in trouble.
        case failure
        /// The result says nothing about the server, and is not counted. A probe with this outcome makes room for another.
        case ignored
    }
}

extension CircuitBreaker.Outcome {
    /// Classifies a result by the default rules.
    ///
    /// - A response with 500, 502, 503 or 504 is a failure. Every other response is a success, also one with 4xx: the
    ///   server answers.
    /// - An ``UnacceptableResponseError``, which ``Validation`` throws, counts as the response does.
    /// - A ``TransportError`` is a failure if the host could not be resolved or reached, if TLS or the proxy failed, if
    ///   the connection was lost or ended inside the body, if the HTTP/2 stream failed, and if a time limit was reached
    ///   other than that of waiting for a free connection: `connect`, `head`, `idle`, `total` or `attempt`.
    /// - Everything else is ignored: cancellation, refusals of other policies, errors of adapters, requests that are not
    ///   valid, and responses that are too large or malformed.
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
