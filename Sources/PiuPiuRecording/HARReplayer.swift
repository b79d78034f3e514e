import PiuPiuAsync

/// Answers requests from a ``HAR`` instead of from the network.
///
/// ```swift
/// let replayer = HARReplayer(try HAR(contentsOf: fileURL), matching: .lenient)
/// let dispatcher = URLRequestDispatcher(interceptors: [replayer])
/// let posts = try await dispatcher.data(from: url).decode([Post].self)
/// ```
///
/// ``HARMatching`` decides which exchange answers a request. A request without a matching exchange fails with an error that
/// names the nearest one, or goes on to the network if `sendsWhatIsMissing` is `true`.
///
/// Differences between tools are corrected: the content of a response is already decompressed, so `Content-Encoding` is
/// left out and `Content-Length` is corrected. Exchanges without a response (status 0) and protocol upgrades (101) are
/// skipped. An exchange without its complete body results in an error with the code ``HARError/Code/incompleteEntry``.
///
/// A request for a stream gets the recorded body as a stream. The recorded times are not replayed: there are no delays.
public final class HARReplayer: Interceptor {
    private let replay: HARReplay
    private let sendsWhatIsMissing: Bool
    private let redirects: RedirectPolicy?

    /// `false`: all callers are treated alike.
    public var distinguishesCallers: Bool { false }

    /// Creates a replayer.
    ///
    /// - Parameters:
    ///   - har: The recording.
    ///   - matching: The rules by which a request matches a recorded one; ``HARMatching/strict`` by default.
    ///   - sendsWhatIsMissing: Whether a request without a matching exchange (or without one that is left) goes on to the rest
    ///     of the chain. A ``HARRecorder`` after the replayer that continues the same recording then records it.
    ///   - redirects: The policy for recorded redirects, because an interceptor runs outside of the dispatcher's own policy;
    ///     `nil` to return redirects as they are.
    public init(
        _ har: HAR,
        matching: HARMatching = .strict,
        sendsWhatIsMissing: Bool = false,
        redirects: RedirectPolicy? = RedirectPolicy(allowsCycles: true)
    ) {
        replay = HARReplay(har, matching: matching)
        self.sendsWhatIsMissing = sendsWhatIsMissing
        self.redirects = redirects
    }

    /// The exchanges that were not replayed yet, in order.
    public var unusedEntries: [HAR.Entry] { replay.unusedEntries }

    /// Answers a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - next: The rest of the chain, for requests that are not in the recording.
    /// - Returns: The recorded response.
    /// - Throws: ``HARError`` if the recording has no answer; `TransportError` if the body is larger than
    ///   `RequestOptions.maximumBufferedBody`, or if a redirect is refused; `TransferError` if the request's body
    ///   cannot be read; the errors of `next`.
    public func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        let hop = Hop(replay: replay, next: sendsWhatIsMissing ? next : nil)
        let (response, isReplayed) = try await hop.answer(request)
        guard isReplayed, let redirects, RedirectPolicy.isRedirect(response) else { return response }
        return try await redirects.follow(response, request, InterceptorChain([], transport: hop))
    }

    /// A request, or the request of a followed redirect.
    private struct Hop: HTTPTransport {
        let replay: HARReplay
        let next: InterceptorChain?

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            try await answer(request).response
        }

        func answer(_ original: TransportRequest) async throws -> (response: TransportResponse, isReplayed: Bool) {
            try Task.checkCancellation()
            var request = original
            let body = try await request.collectBody()
            let question = HARQuestion(
                method: request.urlRequest.httpMethod ?? "GET",
                url: request.urlRequest.url?.absoluteString ?? "",
                headers: request.urlRequest.allHTTPHeaderFields ?? [:],
                body: body
            )
            do {
                return (try replay.entry(for: question).response(to: request, bodyLength: body?.count), true)
            } catch let error as HARError where error.code == .noMatch || error.code == .usedUp {
                guard let next else { throw error }
                return (try await next(request), false)
            }
        }

        func shutdown() async {}
        func invalidateAndCancel() {}
    }
}

extension TransportRequest {
    /// Reads the body into memory, to compare it and to send it if nothing matches.
    fileprivate mutating func collectBody() async throws -> Data? {
        guard let body else { return urlRequest.httpBody }
        let data = try await body.collect(upTo: options.maximumBufferedBody)
        if !body.isRepeatable { self.body = .data(data) }
        return data
    }
}

extension HARReplayer: Redacted {
    /// The number of exchanges that were not replayed yet, without the exchanges.
    package var shown: KeyValuePairs<String, Any> { ["unusedEntries": unusedEntries.count] }
}
