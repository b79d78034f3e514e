/// Why an exchange over `URLSession` has no response.
///
/// The caller's side makes a ``TransportError`` of it, because it has the request.
struct SessionFailure: Error, Sendable {
    var code: TransportError.Code
    /// More about it in words; the code's own text by default.
    var reason: String?
    /// What `URLSession` said.
    var underlyingDescription: String?
    var head: HTTPURLResponse?
    var bytesReceived = 0
    /// What the caller's own body failed with, which goes before all that.
    var cause: (any Error)?

    init(_ code: TransportError.Code, reason: String? = nil) {
        self.code = code
        self.reason = reason
    }

    /// Makes the public error of it.
    func error(for request: TransportRequest) -> any Error {
        cause
            ?? TransportError(
                code,
                reason: reason,
                request: request.urlRequest,
                response: head.map { ResponseHead($0, requestURL: request.urlRequest.url, metrics: nil) },
                bytesReceived: bytesReceived,
                underlyingDescription: underlyingDescription,
                sensitiveHeaders: request.options.sensitiveHeaders
            )
    }
}

extension SessionFailure {
    /// How far an exchange had come, which tells more than most codes do.
    enum Progress {
        /// Nothing shows that a byte was sent.
        case nothing
        case sent
        case head
    }

    /// Makes sense of what `URLSession` says.
    ///
    /// On Linux most failures have one code, -1, and differ in libcurl's text only; what may be tried again is never
    /// decided by a text alone.
    init(_ error: URLError, after progress: Progress) {
        let text = error.localizedDescription
        self.init(Self.code(error.code, text, progress))
        underlyingDescription = text
        // Once a byte may have been sent, nothing is safe to try again, whatever it is.
        if code.meansNothingWasSent, progress != .nothing {
            code = progress == .head ? .truncatedBody : .connectionLost
        }
    }

    private static func code(_ code: URLError.Code, _ text: String, _ progress: Progress) -> TransportError.Code {
        switch code {
        case .cannotFindHost, .dnsLookupFailed: .cannotResolveHost
        case .cannotConnectToHost: isConnecting(text) ? .cannotConnect : fallback(text, progress)
        case .notConnectedToInternet, .internationalRoamingOff, .dataNotAllowed, .callIsActive: .cannotConnect
        case .timedOut: .timeout(.idle)
        case .badURL: .unsupported
        case .cannotParseResponse: .malformedHead
        // What Linux says to what is not HTTP; other schemes were refused before.
        case .unsupportedURL: .malformedHead
        case .cannotDecodeContentData, .cannotDecodeRawData: .malformedBody
        case .dataLengthExceedsMaximum: .headTooLarge
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRequired,
            .clientCertificateRejected, .appTransportSecurityRequiresSecureConnection:
            .tls
        case .networkConnectionLost: progress == .head ? .truncatedBody : .connectionLost
        default: fallback(text, progress)
        }
    }

    /// Foundation on Linux calls any failure so after one of several addresses has refused.
    private static func isConnecting(_ text: String) -> Bool {
        #if canImport(Darwin)
        true
        #else
        text.contains("onnect to ") || text.contains("onnection refused")
        #endif
    }

    /// By libcurl's text, and where that is not known by how far it had come.
    private static func fallback(_ text: String, _ progress: Progress) -> TransportError.Code {
        let texts: [(String, TransportError.Code)] = [
            ("hexadecimal", .malformedBody), ("chunk", .malformedBody), ("content encoding", .malformedBody),
            ("content unencoding", .malformedBody), ("transfer closed with", .truncatedBody),
            ("Too large response headers", .headTooLarge), ("Content-Length", .malformedHead),
            ("writing header", .malformedHead), ("Header without colon", .malformedHead),
            ("Nul byte in header", .malformedHead), ("HTTP/2", .http2), ("SSL", .tls), ("certificate", .tls),
            ("proxy", .proxy), ("onnect to ", .cannotConnect),
        ]
        if let (_, code) = texts.first(where: { text.contains($0.0) }) { return code }
        return progress == .head ? .truncatedBody : .connectionLost
    }
}
