/// The reason why an exchange has no response, or why its body ends early.
///
/// The caller's side converts it to a ``TransportError``, because that side has the request.
package struct ExchangeFailure: Error, Sendable {
    package var code: TransportError.Code
    /// The reason as text; `nil` for the code's own text.
    package var reason: String?
    /// The description from the underlying library.
    package var underlyingDescription: String?
    /// The reason for a TLS failure.
    private(set) var tlsFailure: TLSFailure?
    /// The head, if it arrived.
    package var head: ResponseRecord.Source?
    package var bytesReceived = 0
    /// The error of the caller's own body, which takes precedence over everything else.
    package var cause: (any Error)?
    /// The proxy's response, if the proxy caused the failure.
    package var proxy: ProxyFailure?
    /// Whether the server has certainly not processed the request; `nil` if the code determines it.
    package var isSafeToRetry: Bool?

    package init(_ code: TransportError.Code, reason: String? = nil, underlyingDescription: String? = nil) {
        self.code = code
        self.reason = reason
        self.underlyingDescription = underlyingDescription
    }

    /// Adds the reason for a TLS failure.
    package mutating func tell(of tlsFailure: TLSFailure) {
        self.tlsFailure = tlsFailure
        reason = tlsFailure.description
    }

    /// Creates the error for the caller.
    package func error(for request: TransportRequest) -> any Error {
        if let cause { return cause }
        var error = TransportError(
            code,
            reason: reason,
            request: request.urlRequest,
            response: head.map { ResponseHead(record: ResponseRecord($0, to: request.urlRequest)) },
            bytesReceived: bytesReceived,
            underlyingDescription: shownDescription,
            isSafeToRetry: isSafeToRetry,
            sensitiveHeaders: request.options.sensitiveHeaders
        )
        error.tlsFailure = tlsFailure
        error.proxyFailure = proxy
        return error
    }

    /// The text of the underlying library, which may quote a server: a field, a coding, a certificate.
    ///
    /// Secrets are removed before the text is escaped, because an escape could hide where they end.
    private var shownDescription: String? {
        underlyingDescription.map { PrintableText.escape(Redaction.message($0), limit: 500) }
    }
}

extension ResponseBody {
    /// Creates the body of a streamed response; its failures are completed with the request.
    package init(_ inbound: InboundBody, of request: TransportRequest, expectedLength: Int64?) {
        var request = request
        // A body that the caller keeps must not retain what was observed.
        request.observation = nil
        self.init(InboundSource(inbound: inbound, request: request), expectedLength: expectedLength)
    }
}

private struct InboundSource: ResponseBodySource {
    let inbound: InboundBody
    let request: TransportRequest

    func next(isolation: isolated (any Actor)?) async throws -> Data? {
        do {
            return try await inbound.next(isolation: isolation)
        } catch let failure as ExchangeFailure {
            throw failure.error(for: request)
        }
    }

    func close() {
        inbound.close()
    }

    var trailers: HTTPHeaderFields {
        TrailerFields.parse(inbound.trailers).hiding(request.options.sensitiveHeaders)
    }
}
