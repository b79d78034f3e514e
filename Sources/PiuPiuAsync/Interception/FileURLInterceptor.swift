/// An interceptor that answers requests for `file:` URLs with the contents of files.
///
/// A dispatcher uses it if ``URLRequestDispatcher/Configuration/allowsFileURLs`` is `true`. It runs outside the redirect
/// policy and inside everything else: an adapter can change a request into one for a file, but a redirect cannot.
struct FileURLInterceptor: Interceptor {
    /// The transport's clock; `nil` for real time.
    let clock: TransferClock?
    /// Whether a ``RequestGuard`` forbids files.
    var isGuarded = false

    /// `false`: all callers get the same files.
    var distinguishesCallers: Bool { false }

    func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        guard let url = request.urlRequest.url?.absoluteURL, url.scheme?.lowercased() == "file" else {
            return try await next(request)
        }
        return try await next.waiting(for: request) { try await answer(request, url) }
    }

    private func answer(_ request: TransportRequest, _ url: URL) async throws -> TransportResponse {
        let file: URL
        do throws(Refusal) {
            guard !isGuarded else { throw Refusal(code: .forbiddenAddress, reason: "it is a file") }
            try Self.check(request.urlRequest, body: request.body)
            file = try Self.file(url)
        } catch {
            throw Self.error(error.code, "\(error.code.text): \(error.reason)", request)
        }
        let reader = FileReader()
        let length = try await reader.open(file)
        var headers: HTTPHeaderFields = ["Content-Type": MediaType.name(ofFile: file.lastPathComponent)]
        if let length { headers["Content-Length"] = "\(length)" }
        let head = ResponseHead(url: url, statusCode: .ok, headers: headers)
        var response = TransportResponse(head: head, body: nil, urlRequest: request.urlRequest)
        guard request.urlRequest.httpMethod != "HEAD" else { return response }
        let body = body(reader, length: length, request)
        guard request.delivery == .buffered else {
            response.stream = body
            return response
        }
        let limit = request.options.maximumBufferedBody
        guard length ?? 0 <= Int64(limit) else { throw Self.error(.bodyTooLarge, nil, request) }
        request.reporter?.willReceive(length)
        let data = try await body.collect(upTo: limit)
        request.reporter?.didReceive(Int64(data.count))
        response.body = data.isEmpty ? nil : data
        return response
    }

    private func body(_ reader: FileReader, length: Int64?, _ request: TransportRequest) -> ResponseBody {
        // Abandoning the body closes the file, even if something still holds the body.
        let open = Locked<FileReader?>(reader)
        return ResponseBody(
            expectedLength: length,
            next: {
                guard let reader = open.withLock({ $0 }) else { throw CancellationError() }
                if let deadline = request.deadline, clock?.instant ?? .now >= deadline {
                    throw Self.error(.timeout(.total), nil, request)
                }
                return try await reader.next()
            },
            cancel: {
                let reader = open.withLock { $0.take() }
                withExtendedLifetime(reader) {}
            }
        )
    }

    private static func error(
        _ code: TransportError.Code,
        _ reason: String?,
        _ request: TransportRequest
    ) -> TransportError {
        request.error(code, reason: reason)
    }

    // MARK: Rules

    /// The reason for refusing a request.
    struct Refusal: Error {
        let code: TransportError.Code
        let reason: String
    }

    private static func check(_ request: URLRequest, body: RequestBody?) throws(Refusal) {
        guard ["GET", "HEAD"].contains(request.httpMethod ?? "GET") else {
            throw Refusal(code: .invalidRequest, reason: "files support only GET and HEAD")
        }
        guard body == nil, request.httpBody?.isEmpty ?? true, request.httpBodyStream == nil else {
            throw Refusal(code: .invalidRequest, reason: "a request for a file has no body")
        }
    }

    /// Returns the file that a URL names, without query and fragment (RFC 8089).
    ///
    /// A URL is refused if another program could understand it differently: it names another machine, its path goes up
    /// with `..`, or a name in it contains a percent-encoded `/` or NUL.
    static func file(_ url: URL) throws(Refusal) -> URL {
        guard ["", "localhost"].contains(url.host(percentEncoded: true)?.lowercased() ?? ""), url.port == nil,
            url.user == nil, url.password == nil
        else { throw Refusal(code: .invalidURL, reason: "the file is on another machine") }
        let path = url.path(percentEncoded: true)
        guard path.hasPrefix("/") else { throw Refusal(code: .invalidURL, reason: "the path is not absolute") }
        for component in path.split(separator: "/") {
            // Check bytes, because a slash and a combining mark after it form one character.
            guard let name = component.removingPercentEncoding, !name.utf8.contains(0),
                !name.utf8.contains(UInt8(ascii: "/"))
            else {
                throw Refusal(code: .invalidURL, reason: "the path contains an invalid file name")
            }
            guard name != ".." else {
                throw Refusal(code: .invalidURL, reason: "the path contains \"..\"; use standardizedFileURL")
            }
        }
        return URL(filePath: url.path(percentEncoded: false), directoryHint: .notDirectory)
    }
}

extension FileURLInterceptor: PromptInterceptor {}

extension FileURLInterceptor: Redacted {
    /// Nothing, because the interceptor has no settings.
    package var shown: KeyValuePairs<String, Any> { [:] }
}
