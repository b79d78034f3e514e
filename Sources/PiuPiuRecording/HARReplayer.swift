import PiuPiuAsync

/// Answers requests from a ``HAR`` instead of from the network.
///
/// ```swift
/// let replayer = HARReplayer(try HAR(contentsOf: fileURL), matching: .lenient)
/// let dispatcher = URLRequestDispatcher(interceptors: [replayer])
/// let posts = try await dispatcher.data(from: url).decode([Post].self)
/// ```
///
/// Which exchange answers is decided by ``HARMatching``. What no exchange matches is an error that names the nearest one,
/// or goes on to the network where `sendsWhatIsMissing` is set.
///
/// Files of other tools are put right: the content of a response is decompressed already, so that `Content-Encoding` is
/// left out and `Content-Length` corrected. Exchanges without a response (status 0) and changes of protocol (101) are
/// passed over. One that has not all of its body is an error with the code ``HARError/Code/incompleteEntry``.
///
/// A request that wants a stream gets the recorded body as one. There is no waiting: the recorded times are not replayed.
public final class HARReplayer: Interceptor {
    private let replay: HARReplay
    private let sendsWhatIsMissing: Bool
    private let redirects: RedirectPolicy?

    /// Creates a replayer.
    ///
    /// - Parameters:
    ///   - har: The recording.
    ///   - matching: How a request has to resemble a recorded one; ``HARMatching/strict`` by default.
    ///   - sendsWhatIsMissing: Whether a request that nothing (more) matches goes on to the rest of the chain. With a
    ///     ``HARRecorder`` after it, which continues the same recording, what is missing is recorded.
    ///   - redirects: How recorded redirects are followed, as an interceptor stands outside of the dispatcher's own policy;
    ///     `nil` to give them back.
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

    /// The exchanges that no request has asked for yet, in their order.
    public var unusedEntries: [HAR.Entry] { replay.unusedEntries }

    /// Answers a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - next: The rest of the chain, for what is missing.
    /// - Returns: The recorded response.
    /// - Throws: ``HARError`` where the recording has no answer; `TransportError` where the body is larger than
    ///   `RequestOptions.maximumBufferedBody`, and where a redirect is refused; `TransferError` where the request's
    ///   body cannot be read; what `next` throws.
    public func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        let hop = Hop(replay: replay, next: sendsWhatIsMissing ? next : nil)
        let (response, isReplayed) = try await hop.answer(request)
        guard isReplayed, let redirects, RedirectPolicy.isRedirect(response) else { return response }
        return try await redirects.follow(response, request, InterceptorChain([], transport: hop))
    }

    /// One request, or the one a redirect leads to.
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
    /// Puts the body into memory, to be compared, and to be sent still where nothing matches.
    fileprivate mutating func collectBody() async throws -> Data? {
        guard let body else { return urlRequest.httpBody }
        let data = try await body.collect(upTo: options.maximumBufferedBody)
        if !body.isRepeatable { self.body = .data(data) }
        return data
    }
}

extension HARReplayer: Redacted {
    /// How many entries no request has asked for, and none of them.
    package var shown: KeyValuePairs<String, Any> { ["unusedEntries": unusedEntries.count] }
}
