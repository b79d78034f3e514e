/// A validated request, in the form that a transport's engine uses.
///
/// Requests are prepared on the caller's thread, so the event loop only has to pass pointers on. It is a class, so that
/// a request moves through the queue to the loop as one reference.
package final class PreparedRequest: Sendable {
    /// The framing of the message.
    package enum Kind: Sendable {
        /// No content, and no `Content-Length`.
        case withoutContent
        /// `HEAD`: like ``withoutContent``, and the response has no content either.
        case head
        /// Content in memory; empty content is sent with `Content-Length: 0`.
        case withContent(Data)
        /// Content that is produced while it is sent.
        // Indirect, because most requests have none, but each reserves memory for it.
        indirect case withStream(ResolvedBody)
    }

    package let target: RequestTarget
    package let method: String
    package let kind: Kind
    /// The header fields, except those that depend on the HTTP version, the connection and the content.
    package let fields: FieldList
    /// The fields for the proxy that opens a tunnel; empty for plain HTTP.
    package let proxyFields: FieldList
    /// Whether the caller set credentials for the proxy.
    package let hasProxyAuthorization: Bool
    /// Whether the caller set its own `Host` and `Accept` fields.
    package let hasHost: Bool
    package let hasAccept: Bool
    /// Whether responses are decompressed.
    ///
    /// `false` if the caller set an `Accept-Encoding` or a `Range`, or turned decompression off.
    package let decodesContent: Bool
    /// Whether the connection closes after the exchange, because the caller set `Connection: close`.
    package let closesConnection: Bool
    /// Whether the content waits for "100 Continue" (RFC 9110 §10.1.1), because of the caller's field or the options.
    package let expectsContinue: Bool
    /// Whether the engine may resend the request if a reused connection turns out to be dead (RFC 9110 §9.2.2).
    package let isIdempotent: Bool
    /// The request after all interceptors.
    package let request: TransportRequest
    package var delivery: BodyDelivery { request.delivery }
    package var options: RequestOptions { request.options }
    package var deadline: ContinuousClock.Instant? { request.deadline }

    /// Inspects the body's files on the file threads, compresses bytes in memory, and prepares the request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - userAgent: The `User-Agent` to send if the request has none.
    /// - Returns: The prepared request.
    /// - Throws: The errors of ``init(_:userAgent:body:)``.
    @inline(never)
    package static func make(_ request: TransportRequest, userAgent: String?) async throws -> PreparedRequest {
        guard let body = request.body, body.hasFiles || body.isCompressed else {
            return try PreparedRequest(request, userAgent: userAgent)
        }
        let resolved = try await body.prepared()
        return try PreparedRequest(request, userAgent: userAgent, body: resolved)
    }

    /// Validates and prepares a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - userAgent: The `User-Agent` to send if the request has none.
    ///   - body: The request's body, if its files have been inspected.
    /// - Throws: ``TransportError`` with the code `invalidRequest`, `invalidURL` or `unsupportedScheme`, or
    ///   ``TransferError`` if a file cannot be sent.
    package init(_ request: TransportRequest, userAgent: String?, body: ResolvedBody? = nil) throws {
        let urlRequest = request.urlRequest
        func refuse(_ code: TransportError.Code, _ reason: String, field: String? = nil) -> TransportError {
            TransportError(
                code,
                reason: "\(code.text): \(reason)",
                request: urlRequest,
                sensitiveHeaders: request.options.sensitiveHeaders + (field.map { [$0] } ?? [])
            )
        }
        guard let url = urlRequest.url else { throw refuse(.invalidURL, "there is none") }
        do throws(RequestTarget.Refusal) {
            target = try request.parsedTarget(url)
        } catch .scheme {
            let code = TransportError.Code.unsupportedScheme
            let hint = "Configuration.allowsFileURLs permits requests for files"
            throw request.error(code, reason: url.isFileURL ? "\(code.text): \(hint)" : nil)
        } catch .invalid(let reason) {
            throw refuse(.invalidURL, reason)
        }

        method = urlRequest.httpMethod ?? "GET"
        let methodName = method
        guard !methodName.isEmpty, methodName.utf8.allSatisfy(\.isTokenCharacter) else {
            throw refuse(.invalidRequest, "the method is not a token (RFC 9110 §9.1)")
        }
        guard methodName != "CONNECT" else { throw refuse(.invalidRequest, "CONNECT is for proxies") }
        guard urlRequest.httpBodyStream == nil else {
            throw refuse(.invalidRequest, "httpBodyStream is not supported; upload(for:from:) sends streams")
        }

        guard urlRequest.httpBody == nil || request.body == nil else {
            throw refuse(.invalidRequest, "it already has a body in addition to the one to upload")
        }
        let content = try Self.content(of: request, body)
        if ["GET", "HEAD", "TRACE"].contains(methodName) {
            switch content {
            case .withContent(let data) where data.isEmpty && request.body == nil: break
            case _ where methodName == "GET" && request.options.allowsBodyInGET: break
            default: throw refuse(.invalidRequest, "\(methodName) has no body (RFC 9110 §9.3)")
            }
        }
        switch (methodName, content) {
        case ("HEAD", _): kind = .head
        case ("POST", _), ("PUT", _), ("PATCH", _): kind = content
        case (_, .withContent(let data)) where data.isEmpty && request.body == nil: kind = .withoutContent
        default: kind = content
        }

        var fields = RequestFields(isSecure: target.isSecure)
        do throws(RequestFields.Refusal) {
            for (name, value) in urlRequest.allHTTPHeaderFields ?? [:] {
                let name = request.options.spelling(of: name)
                try fields.append(name: name, value: value, contentLength: kind.length)
            }
            try fields.finish(
                content: kind.framing,
                userAgent: userAgent,
                userInformation: target.userInformation,
                expectContinue: request.options.expectContinue
            )
        } catch {
            throw refuse(.invalidRequest, error.reason, field: error.name)
        }
        guard fields.list.lines.count + target.url.utf8.count <= Self.maximumHead else {
            throw refuse(.invalidRequest, "its head is larger than \(Self.maximumHead) bytes")
        }
        self.fields = fields.list
        proxyFields = fields.forProxy
        hasProxyAuthorization = fields.hasProxyAuthorization
        hasHost = fields.hasHost
        hasAccept = fields.hasAccept
        decodesContent =
            !fields.hasAcceptEncoding && !fields.hasRange && request.options.decompression.isOn
        closesConnection = fields.closesConnection
        expectsContinue = fields.expectsContinue
        isIdempotent = Self.idempotentMethods.contains(methodName) || fields.hasIdempotencyKey
        self.request = request
    }

    /// The maximum size of a request's head, in bytes: 1 MiB, including the fields that a transport adds.
    private static let maximumHead = (1 << 20) - 4096

    /// The content to send, in memory if possible.
    @inline(never)
    private static func content(of request: TransportRequest, _ resolved: ResolvedBody?) throws -> Kind {
        guard let body = request.body else { return .withContent(request.urlRequest.httpBody ?? Data()) }
        let resolved = try resolved ?? body.resolved()
        // An empty stream is not consumed; it is sent like any other empty content.
        guard let data = resolved.data ?? (resolved.length == 0 ? Data() : nil) else { return .withStream(resolved) }
        resolved.tap?.take(all: data)
        return .withContent(data)
    }

    /// Whether trailers follow the content.
    package var sendsTrailers: Bool {
        guard case .withStream(let body) = kind else { return false }
        return body.trailers != nil
    }

    /// The header fields without the expectation of "100 Continue".
    package var fieldsWithoutExpectation: FieldList { fields.filter("expect", isKept: false) }

    /// The idempotent methods of RFC 9110 §9.2.2; methods that are not registered there are excluded.
    private static let idempotentMethods: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]
}

extension PreparedRequest: Redacted {
    /// The method and the URL, without secrets, header fields or body.
    package var shown: KeyValuePairs<String, Any> {
        ["method": method, "url": target.url.prefix { $0 != "?" }]
    }
}

extension PreparedRequest.Kind {
    /// The number of bytes sent after the head; `nil` if it is unknown.
    package var length: Int64? {
        switch self {
        case .withoutContent, .head: 0
        case .withContent(let data): Int64(data.count)
        case .withStream(let body): body.length
        }
    }

    /// The content's length and trailers; `nil` for none.
    var framing: (length: Int64?, trailers: RequestTrailers?)? {
        switch self {
        case .withoutContent, .head: nil
        case .withContent: (length, nil)
        case .withStream(let body): (length, body.trailers)
        }
    }
}
