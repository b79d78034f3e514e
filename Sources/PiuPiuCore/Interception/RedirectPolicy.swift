/// An interceptor that follows redirects without leaking secrets to other origins.
///
/// The transport never follows a redirect itself. A 301, 302, 303, 307 or 308 response with a `Location` is followed by
/// these rules:
///
/// - **Method and body** (RFC 9110 §15.4): 303 changes every method except `HEAD` to `GET`; 301 and 302 change `POST`
///   to `GET`. The body and the fields that describe it are then dropped. In all other cases, including every 307 and
///   308, the method and the body stay the same.
/// - **Secrets**: if the scheme, host or port changes, `Authorization`, `Cookie`, `Proxy-Authorization`, `Origin`,
///   `Referer`, `Host`, fields whose names have a word such as `token`, `key` or `user`, and the fields named in
///   ``RequestOptions/sensitiveHeaders`` are dropped and not restored on a later hop. User information in a `Location`
///   is not used. A token request of ``OAuth2ClientCredentials`` does not go to another origin: the redirect is refused.
/// - **Targets**: only `http` and `https`; from https to http only if ``allowsDowngrade`` is `true`.
/// - **Targets** are resolved by RFC 3986 §5: escapes stay unchanged, and only characters that must not be sent are escaped.
/// - **Limits**: at most ``limit`` redirects, including those to a URL that was visited before, as in other clients. If
///   ``allowsCycles`` is `false`, never twice to the same URL with the same method.
///
/// A refused redirect throws a ``TransportError`` with the code `unsafeRedirect`, `invalidRedirect`, `redirectLoop` or
/// `tooManyRedirects`, and with the redirect's head in ``TransportError/response``. A redirect without a `Location`, or
/// with an empty one, is an ordinary response. ``Response/history`` lists the redirects that were followed.
///
/// The caller does not get the body of a redirect that is followed. The transport on Linux waits for it only while the
/// connection is worth keeping, and neither decodes it nor applies limits or checks to it. Recorders, and interceptors with
/// ``Interceptor/interceptsEachHop``, get the body if it arrived completely.
public struct RedirectPolicy: Interceptor, Hashable {
    /// How many redirects are followed for one request.
    public var limit: Int
    /// Whether a redirect from https to http is allowed.
    public var allowsDowngrade: Bool
    /// Whether a URL may be visited twice; `true` by default.
    ///
    /// Some sites set a cookie or wait for something before they redirect back. The ``limit`` counts each visit.
    public var allowsCycles: Bool

    /// `false`: all callers are treated alike.
    public var distinguishesCallers: Bool { false }

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - limit: How many redirects are followed; 20 by default, as in most clients.
    ///   - allowsDowngrade: Whether a redirect from https to http is allowed.
    ///   - allowsCycles: Whether a URL may be visited twice; the limit counts each visit.
    public init(limit: Int = 20, allowsDowngrade: Bool = false, allowsCycles: Bool = true) {
        self.limit = limit
        self.allowsDowngrade = allowsDowngrade
        self.allowsCycles = allowsCycles
    }

    /// Sends a request and follows redirects.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - next: The rest of the chain.
    /// - Returns: The first response that is not a redirect.
    /// - Throws: ``TransportError`` if a redirect is refused, and the errors of `next`.
    public func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        var request = request
        if !request.followsRedirects { request.followsRedirects = true }
        let response = try await next(request)
        guard Self.isRedirect(response) else { return response }
        return try await follow(response, request, next)
    }

    /// Whether a response is a redirect to follow.
    package static func isRedirect(_ response: TransportResponse) -> Bool {
        location(of: response) != nil
    }

    /// Follows a redirect and those after it.
    ///
    /// A separate function, to keep the frame of ordinary requests small.
    package func follow(
        _ first: TransportResponse,
        _ original: TransportRequest,
        _ next: InterceptorChain
    ) async throws -> TransportResponse {
        var response = first
        var request = original
        var history: [Redirect] = []
        var visited: Set<String> = allowsCycles ? [] : [Self.key(request.urlRequest)]
        while let location = Self.location(of: response) {
            // The URL that was sent, which an interceptor of each hop may have changed.
            let source = response.urlRequest.url ?? request.urlRequest.url ?? response.head.url
            let target = try self.target(location, from: source, request: request, response: response)
            guard history.count < limit else {
                throw refusal(.tooManyRedirects, request, response, "RedirectPolicy.limit is \(limit)")
            }
            let redaction = Redaction.standard.hiding(request.options.sensitiveHeaders)
            let statusCode = response.head.statusCode
            let rewritten = Self.rewritten(
                request.urlRequest,
                from: source,
                to: target,
                statusCode: statusCode.rawValue,
                redaction: redaction
            )
            guard allowsCycles || visited.insert(Self.key(rewritten)).inserted else {
                let reason = "\(shown(target)) was visited before; set RedirectPolicy.allowsCycles to allow this"
                throw refusal(.redirectLoop, request, response, reason)
            }
            let method = request.urlRequest.httpMethod ?? "GET"
            let dropsBody = Self.becomesGet(method, statusCode: statusCode.rawValue)
            if dropsBody { request.body = nil }
            if Self.changesOrigin(request.urlRequest, from: source, to: target) {
                guard !request.call.context.staysAtOrigin else {
                    let reason = "\(shown(target)) is of another origin, which gives no token"
                    throw refusal(.unsafeRedirect, request, response, reason)
                }
                request.isForeignRedirect = true
            }
            request.urlRequest = rewritten
            let metrics = response.head.metrics
            history.append(Redirect(statusCode: statusCode, source: source, target: target, metrics: metrics))
            // The body is not read, and the next request may need its connection.
            response.stream?.discard()
            if let call = request.observation?.call {
                call.report(.redirected(statusCode, location: Redaction.standard.location(of: target)))
                request.observation = .redirect(ObservedRedirect(call, count: history.count))
            }
            do {
                response = try await next(request)
            } catch var error as TransportError where error.isSafeToRetry {
                // Sending the whole call again is not safe, because a server has answered its first request.
                error.isSafeToRetry = false
                throw error
            }
        }
        response.history = history + response.history
        return response
    }

    // MARK: Rules

    package static let statusCodes: Set<Int> = [301, 302, 303, 307, 308]

    /// The bytes of the target; `nil` if the response is not a redirect, or names no target.
    private static func location(of response: TransportResponse) -> [UInt8]? {
        guard statusCodes.contains(response.head.statusCode.rawValue) else { return nil }
        return response.head.bytes(of: "Location").first.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The target of a request for a WebSocket, whose scheme may be `ws` or `wss`, with the scheme of the request.
    private static func httpLocation(_ location: [UInt8]) -> [UInt8] {
        let scheme = String(decoding: location.prefix { $0 != 0x3A }, as: UTF8.self).lowercased()
        return ["ws", "wss"].contains(scheme) ? Array("http".utf8) + location.dropFirst(2) : location
    }

    private static func key(_ request: URLRequest) -> String {
        let url = request.url?.absoluteString ?? ""
        return (request.httpMethod ?? "GET") + " " + url.prefix { $0 != "#" }
    }

    private func target(
        _ location: [UInt8],
        from source: URL,
        request: TransportRequest,
        response: TransportResponse
    ) throws -> URL {
        guard let base = URLReference(source.absoluteString.utf8),
            var reference = URLReference(request.tunnel == nil ? location : Self.httpLocation(location))?
                .resolved(against: base), let resolved = reference.url
        else { throw refusal(.invalidRedirect, request, response) }
        // RFC 9110 §10.2.2: the fragment stays with the request.
        reference.fragment = reference.fragment ?? base.fragment
        if reference.userInformation != base.userInformation || !Self.isSameOrigin(resolved, source) {
            reference.userInformation = nil
        }
        guard let target = reference.url else { throw refusal(.invalidRedirect, request, response) }
        do throws(RequestTarget.Refusal) {
            let isSecure = try RequestTarget(target).isSecure
            let wasSecure = request.target(of: source)?.isSecure ?? false
            if wasSecure, !isSecure, !allowsDowngrade { throw RequestTarget.Refusal.scheme }
        } catch .scheme {
            let reason = "\(shown(target)) is less secure; set RedirectPolicy.allowsDowngrade to allow http"
            throw refusal(.unsafeRedirect, request, response, reason)
        } catch .invalid {
            throw refusal(.invalidRedirect, request, response)
        }
        return target
    }

    private static func rewritten(
        _ request: URLRequest,
        from source: URL,
        to target: URL,
        statusCode: Int,
        redaction: Redaction
    ) -> URLRequest {
        // Foundation on Linux traps if a request without a URL is changed.
        guard request.url != nil else { return URLRequest(url: target) }
        var next = request
        next.url = target
        let method = request.httpMethod ?? "GET"
        let becomesGet = becomesGet(method, statusCode: statusCode)
        let changesOrigin = changesOrigin(request, from: source, to: target)
        if becomesGet {
            next.httpMethod = "GET"
            next.httpBody = nil
        }
        for name in (request.allHTTPHeaderFields ?? [:]).keys {
            let lowercased = name.lowercased()
            let describesBody = lowercased.hasPrefix("content-") || bodyBound.contains(lowercased)
            let isSecret = redaction.isSensitive(name) || originBound.contains(lowercased)
            if becomesGet && describesBody || changesOrigin && isSecret {
                next.setValue(nil, forHTTPHeaderField: name)
            }
        }
        return next
    }

    /// Whether a redirect leads to another origin than the request had before or after an interceptor changed it.
    private static func changesOrigin(_ request: URLRequest, from source: URL, to target: URL) -> Bool {
        request.url.map { !isSameOrigin($0, target) } ?? true || !isSameOrigin(source, target)
    }

    /// Whether a redirect turns a request into one without a body (RFC 9110 §15.4).
    package static func becomesGet(_ method: String, statusCode: Int) -> Bool {
        statusCode == 303 ? method != "HEAD" : statusCode <= 302 && method == "POST"
    }

    /// Fields other than `Content-…` that are meaningful only with a body (RFC 9110 §10.1.1 and §15.4).
    private static let bodyBound: Set<String> = ["digest", "expect", "last-modified", "repr-digest"]

    /// Fields other than the secrets that are meaningful only for one origin.
    private static let originBound: Set<String> = ["www-authenticate", "origin", "host", "referer"]

    private static func isSameOrigin(_ a: URL, _ b: URL) -> Bool {
        guard let first = try? RequestTarget(a), let second = try? RequestTarget(b) else { return false }
        return first.origin == second.origin
    }

    /// A target as shown in an error, without anything that can hold a secret.
    private func shown(_ target: URL) -> String {
        guard let parsed = try? RequestTarget(target) else { return "A URL with the scheme \(target.scheme ?? "none")" }
        return parsed.origin + target.path(percentEncoded: true)
    }

    private func refusal(
        _ code: TransportError.Code,
        _ request: TransportRequest,
        _ response: TransportResponse,
        _ reason: String? = nil
    ) -> TransportError {
        request.error(code, reason: reason.map { "\(code.text): \($0)" }, response: response.head)
    }
}

extension RedirectPolicy: PromptInterceptor {}
