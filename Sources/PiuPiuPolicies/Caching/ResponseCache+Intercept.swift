extension ResponseCache {
    /// A request that may be answered from the cache.
    struct Call {
        let request: TransportRequest
        let isHead: Bool
        /// The key without the values of varied fields.
        let base: CacheKey
        let wanted: CacheMachine.Request
    }

    /// The stored response for a request.
    struct Found {
        /// The key with the values of varied fields.
        var key: CacheKey
        /// The names of these fields; empty if there are none.
        var varied: [String] = []
        var stored: StoredResponse?
        /// Whether the response depends on fields whose values did not match.
        var isVariant: Bool { stored == nil && !varied.isEmpty }
    }

    /// Answers a request from the cache, or sends it and stores the response.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - next: The rest of the chain.
    /// - Returns: The response, with the status of the cache in its `Cache-Status`.
    /// - Throws: The errors of `next`; ``TransportError`` with the code `bodyTooLarge` if a stored body is larger than
    ///   ``RequestOptions/maximumBufferedBody``; `CancellationError` if the call is cancelled.
    public func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        let method = request.urlRequest.httpMethod ?? "GET"
        guard method == "GET" || method == "HEAD" else { return try await forward(request, method, next) }
        guard let call = call(request, isHead: method == "HEAD", next) else {
            let response = try await next(request)
            return Self.with(CacheStatus(.miss, .bypass), response, request)
        }
        if isPrompt { return try await answer(call, next) }
        return try await next.waiting(for: request) { try await self.answer(call, next) }
    }

    // MARK: Requests

    /// Fields of a request for a part of a response, or for a response that the caller already has.
    private static let conditions = [
        "Range", "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range",
    ]

    /// Returns the lookup for a request; `nil` if the cache does not handle the request.
    private func call(_ request: TransportRequest, isHead: Bool, _ next: InterceptorChain) -> Call? {
        let urlRequest = request.urlRequest
        guard request.body == nil, urlRequest.httpBody == nil,
            urlRequest.httpBodyStream == nil, let target = request.target
        else { return nil }
        var wanted = CacheMachine.Request()
        if let fields = urlRequest.allHTTPHeaderFields, !fields.isEmpty {
            guard Self.conditions.allSatisfy({ urlRequest.value(forHTTPHeaderField: $0) == nil }) else { return nil }
            if let value = urlRequest.value(forHTTPHeaderField: "Cache-Control") {
                wanted.directives = CacheControl([value])
            } else if let value = urlRequest.value(forHTTPHeaderField: "Pragma") {
                wanted.directives.noCache = CacheControl([value]).noCache
            }
        }
        guard !wanted.directives.noStore else { return nil }
        switch urlRequest.cachePolicy {
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: wanted.ignoresStored = true
        case .reloadRevalidatingCacheData: wanted.directives.maxAge = 0
        case .returnCacheDataElseLoad: wanted.directives.maxStale = .max
        case .returnCacheDataDontLoad:
            wanted.directives.maxStale = .max
            wanted.directives.onlyIfCached = true
        default: break
        }
        var selecting = request
        selecting.urlRequest = keyed(urlRequest)
        let identity = next.clientIdentity(for: target)
        let key = CacheKey(selecting, target, identity: identity, ignoresCookies: core.ignoresCookies)
        return Call(request: request, isHead: isHead, base: key, wanted: wanted)
    }

    /// Returns the parts of a request that select a stored response, except for the fields that `Vary` names.
    func keyed(_ request: URLRequest) -> URLRequest {
        guard core.ignoresCookies, request.value(forHTTPHeaderField: "Cookie") != nil else { return request }
        var request = request
        request.setValue(nil, forHTTPHeaderField: "Cookie")
        return request
    }

    /// Sends a request of another method, and removes the responses that it may have changed.
    private func forward(
        _ request: TransportRequest,
        _ method: String,
        _ next: InterceptorChain
    ) async throws -> TransportResponse {
        let isSafe = HTTPMethod(method).isSafe
        let url = request.urlRequest.url
        do {
            let response = try await next(request)
            if !isSafe, let url, (200..<400).contains(response.head.statusCode.rawValue) {
                await remove(CacheRules.invalidated(by: response.urlRequest.url ?? url, response.head.headers))
                if response.urlRequest.url != url { await remove(CacheRules.invalidated(by: url, [:])) }
            }
            return Self.with(CacheStatus(.miss, .method), response, request)
        } catch {
            // The server may have processed the request.
            if !isSafe, let url { await remove(CacheRules.invalidated(by: url, [:])) }
            throw error
        }
    }

    private func find(_ call: Call) async -> Found {
        var found = Found(key: call.base)
        found.stored = await core.storage.response(for: call.base)
        if case .variants(let names) = found.stored?.head.kind {
            found.varied = names
            found.key = call.base.variant(names, of: call.request.urlRequest)
            found.stored = await core.storage.response(for: found.key)
            if let stored = found.stored, stored.head.kind != .response { found.stored = nil }
        }
        // Only a caller that does not follow redirects needs the body of a redirect.
        if found.stored?.head.isBodiless == true, !call.request.followsRedirects { found.stored = nil }
        return found
    }

    // MARK: Responses

    private func answer(_ call: Call, _ next: InterceptorChain) async throws -> TransportResponse {
        try Task.checkCancellation()
        let found = await find(call)
        let now = core.now
        let decision = CacheMachine.decide(
            call.wanted,
            stored: found.stored?.head,
            now: now,
            isVariant: found.isVariant
        )
        switch (decision, found.stored) {
        case (.serve(let status), let stored?): return try await Self.serve(stored, status, call, now: now)
        case (.serveAndRevalidate(let status), let stored?):
            refresh(found.key) { [weak self] in
                await self?.refresh(stored, found, Self.background(call, next.clock), next)
            }
            return try await Self.serve(stored, status, call, now: now)
        case (.revalidate(let reason), let stored?):
            return try await revalidate(stored, found, reason, call, next)
        case (.forward(let reason), _): return try await fetch(found, CacheStatus(.miss, reason), call, next)
        default: return Self.unavailable(call)
        }
    }

    /// Returns the response if the request forbids asking the server (RFC 9111 §5.2.1.7).
    private static func unavailable(_ call: Call) -> TransportResponse {
        let url = call.request.urlRequest.url ?? URL(filePath: "/")
        let response = TransportResponse(
            head: ResponseHead(url: url, statusCode: .gatewayTimeout, headers: ["Content-Length": "0"]),
            body: nil,
            urlRequest: call.request.urlRequest
        )
        return with(CacheStatus(.miss, detail: "only-if-cached"), response, call.request)
    }

    /// Creates a response from the stored one.
    static func serve(
        _ stored: StoredResponse,
        _ status: CacheStatus,
        _ call: Call,
        now: Double
    ) async throws -> TransportResponse {
        var headers = stored.head.headers
        headers["Age"] = String(Int(stored.head.freshness.age(at: now)))
        let head = ResponseHead(
            url: call.request.urlRequest.url ?? URL(filePath: "/"),
            statusCode: StatusCode(rawValue: stored.head.statusCode),
            httpVersion: stored.head.httpVersion,
            headers: headers + [status.field]
        )
        var response = TransportResponse(head: head, body: nil, urlRequest: call.request.urlRequest)
        try await fill(&response, with: stored.body, call)
        report(status, call.request)
        return response
    }

    static func fill(_ response: inout TransportResponse, with body: StoredBody, _ call: Call) async throws {
        guard !call.isHead else { return }
        switch (body, call.request.delivery) {
        case (.data(let data), .streamed): response.stream = ResponseBody(data)
        case (.stream(let stream), .streamed): response.stream = stream
        case (.data(let data), .buffered):
            try check(data.count, call.request)
            response.body = data.isEmpty ? nil : data
        case (.stream(let stream), .buffered):
            try check(Int(clamping: stream.expectedLength ?? 0), call.request)
            let data = try await stream.collect(upTo: call.request.options.maximumBufferedBody)
            response.body = data.isEmpty ? nil : data
        }
        guard let reporter = call.request.reporter, call.request.delivery == .buffered else { return }
        let count = Int64(response.body?.count ?? 0)
        reporter.willReceive(count)
        if count > 0 { reporter.didReceive(count) }
    }

    private static func check(_ count: Int, _ request: TransportRequest) throws {
        guard count > request.options.maximumBufferedBody else { return }
        throw request.error(.bodyTooLarge)
    }

    // MARK: Background revalidation

    /// The time limit of a revalidation in the background.
    private static let refreshLimit = Duration.seconds(60)

    private func refresh(_ stored: StoredResponse, _ found: Found, _ call: Call, _ next: InterceptorChain) async {
        guard let response = try? await revalidate(stored, found, .stale, call, next) else { return }
        guard let stream = response.stream, response.head.cacheStatus?.outcome == .miss else { return }
        // Reading it to the end stores it.
        do { for try await _ in stream {} } catch {}
    }

    /// Returns a call that revalidates the response that another call received.
    private static func background(_ call: Call, _ clock: TransferClock) -> Call {
        var request = call.request.of(call.request.call.withNewAttempts())
        request.reporter = nil
        request.attemptLimit = nil
        request.delivery = .streamed
        request.deadline = clock.instant.advanced(by: refreshLimit)
        if call.isHead { request.urlRequest.httpMethod = "GET" }
        return Call(request: request, isHead: false, base: call.base, wanted: CacheMachine.Request())
    }

    // MARK: Reports

    static func with(
        _ status: CacheStatus,
        _ response: TransportResponse,
        _ request: TransportRequest
    ) -> TransportResponse {
        var response = response
        response.head = ResponseHead(record: response.head.record.adding(status.field))
        report(status, request)
        return response
    }

    static func report(_ status: CacheStatus, _ request: TransportRequest) {
        request.observation?.call.report(.cached(status))
    }
}

extension ResponseRecord {
    /// Returns a record with one more field, and otherwise the bytes that arrived.
    fileprivate func adding(_ field: HTTPHeaderField) -> ResponseRecord {
        var values = values
        if case .raw(let raw) = values.source, raw.bytes.suffix(2) == [0x0D, 0x0A], raw.bytes.suffix(3).first != 0x0A {
            values.source = .raw(RawHead(bytes: raw.bytes + Array("\(field.name): \(field.value)\r\n".utf8)))
        } else if head != nil {
            values.source = .fields(version: httpVersion, headers + [field])
        }
        return ResponseRecord(values)
    }
}
