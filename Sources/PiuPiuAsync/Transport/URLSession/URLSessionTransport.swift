#if canImport(Darwin)
/// The transport of PiuPiu on Apple systems: `URLSession`, told to have no policy.
///
/// Of the limits, ``Timeouts/idle`` is passed on as the request's `timeoutInterval`, and
/// ``RequestOptions/maximumBufferedBody`` is checked when the whole body is there. The other limits are not enforced yet.
/// Bodies are collected in memory in both directions, up to that limit, and no progress is told in between.
public final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let userAgent: String?

    /// Creates a transport and its session.
    ///
    /// - Parameter configuration: How to connect. Proxies, certificates and HTTP/2 are the system's business.
    public init(configuration: TransportConfiguration = TransportConfiguration()) {
        let session = URLSessionConfiguration.ephemeral
        session.httpMaximumConnectionsPerHost = max(1, configuration.connections.perHost)
        session.httpShouldSetCookies = false
        session.httpCookieAcceptPolicy = .never
        session.httpCookieStorage = nil
        session.urlCache = nil
        session.urlCredentialStorage = nil
        session.requestCachePolicy = .reloadIgnoringLocalCacheData
        self.session = URLSession(configuration: session)
        userAgent = configuration.userAgent
    }

    deinit {
        session.invalidateAndCancel()
    }

    /// Sends a request and collects the response.
    ///
    /// - Parameter request: The request, its limits and its deadline.
    /// - Returns: The final response with its whole body, whatever its status code.
    /// - Throws: ``TransportError`` where there is no complete response, `CancellationError` where the calling task was
    ///   cancelled.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        // Validates; `URLSession` itself lets more pass than may be sent.
        _ = try PreparedRequest(request, userAgent: userAgent)
        var urlRequest = request.urlRequest
        if let body = request.body {
            urlRequest.httpBody = try await body.collect(upTo: request.options.maximumBufferedBody)
        }
        request.reporter?.willSend(urlRequest.httpBody.map { Int64($0.count) } ?? 0)
        if let idle = request.options.timeouts.idle { urlRequest.timeoutInterval = idle / .seconds(1) }
        if let userAgent, urlRequest.value(forHTTPHeaderField: "User-Agent") == nil {
            urlRequest.setValue(userAgent, forHTTPHeaderField: "User-Agent")
        }
        do {
            let (data, response) = try await session.data(for: urlRequest, delegate: RedirectRefusal())
            guard let http = response as? HTTPURLResponse, let head = ResponseHead(http) else {
                throw error(.malformedHead, request)
            }
            guard data.count <= request.options.maximumBufferedBody else { throw error(.bodyTooLarge, request) }
            request.reporter?.didSend(Int64(urlRequest.httpBody?.count ?? 0))
            return TransportResponse(head: head, body: data.isEmpty ? nil : data, urlRequest: request.urlRequest)
        } catch let underlying as URLError {
            if underlying.code == .cancelled { throw CancellationError() }
            throw error(Self.code(for: underlying.code), request, underlying.localizedDescription)
        }
    }

    /// Refuses new exchanges and lets those in flight end.
    public func shutdown() async {
        session.finishTasksAndInvalidate()
    }

    /// Refuses new exchanges and cancels those in flight.
    ///
    /// Returns at once.
    public func invalidateAndCancel() {
        session.invalidateAndCancel()
    }

    private func error(
        _ code: TransportError.Code,
        _ request: TransportRequest,
        _ description: String? = nil
    ) -> TransportError {
        TransportError(
            code,
            request: request.urlRequest,
            underlyingDescription: description,
            sensitiveHeaders: request.options.sensitiveHeaders
        )
    }

    private static func code(for code: URLError.Code) -> TransportError.Code {
        switch code {
        case .cannotFindHost, .dnsLookupFailed: .cannotResolveHost
        case .cannotConnectToHost, .notConnectedToInternet: .cannotConnect
        case .timedOut: .timeout(.idle)
        case .badServerResponse, .cannotParseResponse: .malformedHead
        case .cannotDecodeContentData, .cannotDecodeRawData: .malformedBody
        case .badURL: .invalidURL
        case .unsupportedURL: .unsupportedScheme
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRequired,
            .clientCertificateRejected:
            .tls
        default: .connectionLost
        }
    }
}

/// Delivers a redirect as a response, which the redirect policy then follows.
private final class RedirectRefusal: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) async -> URLRequest? {
        nil
    }
}
#endif
