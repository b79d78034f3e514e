extension ExchangeFailure {
    /// The progress of an exchange, which is more reliable than most error codes.
    enum Progress {
        /// There is no evidence that a byte was sent.
        case nothing
        case sent
        case head
    }

    /// Creates a failure from an error of `URLSession`.
    ///
    /// On Linux, most failures share one code, -1, and differ only in libcurl's text. The text alone never decides whether a
    /// request may be retried.
    init(_ error: URLError, after progress: Progress) {
        let text = error.localizedDescription
        self.init(Self.code(error.code, text, progress))
        underlyingDescription = text
        if code == .tls { tell(of: TLSFailure(Self.kind(error.code, text))) }
        // Once a byte may have been sent, no failure is safe to retry.
        if code.meansNothingWasSent, progress != .nothing {
            code = progress == .head ? .truncatedBody : .connectionLost
        }
    }

    /// Returns the kind of a TLS failure.
    private static func kind(_ code: URLError.Code, _ text: String) -> TLSFailure.Kind {
        switch code {
        case .serverCertificateHasBadDate: .expired
        case .serverCertificateNotYetValid: .notYetValid
        case .serverCertificateHasUnknownRoot: .unknownAuthority
        case .clientCertificateRequired: .clientCertificateRequired
        case .clientCertificateRejected: .clientCertificateRefused
        case .serverCertificateUntrusted:
            // Foundation on Linux may report this for any failure, and Foundation on Apple systems also for names.
            TLSFailure.Kind.words(text) == .other ? .unknownAuthority : .words(text)
        default: .words(text)
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
        // Linux reports this for a response that is not HTTP; other schemes were refused earlier.
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

    /// Whether the text is about connecting.
    ///
    /// Foundation on Linux reports any failure with this code if one of several addresses has refused the connection before.
    private static func isConnecting(_ text: String) -> Bool {
        #if canImport(Darwin)
        true
        #else
        text.contains("onnect to ") || text.contains("onnection refused")
        #endif
    }

    /// Chooses a code by libcurl's text or, if the text is unknown, by the progress.
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
