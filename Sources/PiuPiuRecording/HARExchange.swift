import PiuPiuAsync

/// An exchange that is being recorded.
struct HARExchange: Sendable {
    private let request: TransportRequest
    private let limit: Int
    private let date = Date()
    private let start = ContinuousClock.now
    private var head: ContinuousClock.Instant?
    /// The request's body, if it is known before it is sent.
    private var requestBody: HARTakenBody?
    /// The tap on the request's body, if the body is a stream.
    private var requestTap: HARTap?

    init(_ request: TransportRequest, limit: Int) {
        self.request = request
        self.limit = limit
    }

    /// Returns the request to send; its body is recorded now, or while it is sent.
    mutating func observingBody() async -> TransportRequest {
        var request = request
        if let body = request.body, body.isRepeatable {
            let data = try? await body.collect(upTo: limit)
            requestBody = HARTakenBody(data ?? Data(), limit: limit)
            // The body is too large or cannot be read; sending it fails with the same error.
            if data == nil {
                requestBody?.isComplete = false
                requestBody?.size = Int(clamping: body.length ?? 0)
            }
        } else if let body = request.body {
            let tap = HARTap(limit: limit)
            requestTap = tap
            request.body = body.observed(by: tap)
        } else {
            requestBody = HARTakenBody(request.urlRequest.httpBody ?? Data(), limit: limit)
        }
        return request
    }

    mutating func hasHead() {
        head = .now
    }

    /// The entries to record for an exchange that failed.
    func entries(failure: any Error) -> [HAR.Entry] {
        let response = HAR.Response(status: 0, httpVersion: "", error: Self.text(failure))
        let timings = HAR.Timings(metrics: nil, head: start.duration(to: .now), end: start.duration(to: .now))
        return [entry(recorded(request.urlRequest, version: "", hasBody: true), response, timings)]
    }

    /// The entries to record for an exchange: its redirects and its response.
    func entries(_ response: TransportResponse, body: HARTakenBody) -> [HAR.Entry] {
        let version = response.head.httpVersion
        var entries: [HAR.Entry] = []
        var next = recorded(request.urlRequest, version: version, hasBody: true)
        for (index, redirect) in response.history.enumerated() {
            let head = HAR.Response(
                status: redirect.statusCode.rawValue,
                httpVersion: version,
                headers: ["Location": redirect.target.absoluteString]
            )
            entries.append(entry(next, head, HAR.Timings(), comment: "Known from the history only."))
            let becomesGet = RedirectPolicy.becomesGet(next.method, statusCode: redirect.statusCode.rawValue)
            if index == response.history.count - 1 {
                let hasBody = !becomesGet && next.postData != nil
                next = recorded(response.urlRequest, version: version, hasBody: hasBody)
                next.url = redirect.target.absoluteString
            } else {
                next.url = redirect.target.absoluteString
                if becomesGet { (next.method, next.postData, next.bodySize) = ("GET", nil, 0) }
            }
        }
        let type = response.head.firstValue(of: "Content-Type") ?? ""
        // A body that was not decompressed could contain secrets that cannot be found.
        let isEncoded = !request.decodesContent && response.head.headers.contains("Content-Encoding")
        var content = HAR.Content(
            isEncoded ? Data() : body.bytes,
            mimeType: type,
            isTruncated: body.isTruncated || isEncoded && body.size > 0
        )
        content.size = Int64(body.size)
        let final = HAR.Response(
            status: response.head.statusCode.rawValue,
            httpVersion: version,
            headers: response.head.headers,
            content: content,
            error: body.error
        )
        let end = start.duration(to: .now)
        let timings = HAR.Timings(
            metrics: response.head.metrics,
            head: head.map { start.duration(to: $0) } ?? end,
            end: end
        )
        let comment = body.isTruncated ? "The body is not complete, and cannot be replayed." : nil
        return entries + [entry(next, final, timings, comment: comment)]
    }

    /// Describes why an exchange failed, without any data of the request.
    static func text(_ error: any Error) -> String {
        switch error {
        case let error as TransportError: "\(error.code)"
        case is CancellationError: "cancelled"
        default: "\(type(of: error))"
        }
    }

    private func entry(
        _ request: HAR.Request,
        _ response: HAR.Response,
        _ timings: HAR.Timings,
        comment: String? = nil
    ) -> HAR.Entry {
        HAR.Entry(
            startedDateTime: startedDateTime,
            request: request,
            response: response,
            timings: timings,
            comment: comment
        )
    }

    private func recorded(_ urlRequest: URLRequest, version: String, hasBody: Bool) -> HAR.Request {
        let fields = (urlRequest.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        let body = hasBody ? requestBody ?? requestTap?.body : nil
        let type = urlRequest.value(forHTTPHeaderField: "Content-Type") ?? ""
        return HAR.Request(
            method: urlRequest.httpMethod ?? "GET",
            url: urlRequest.url?.absoluteString ?? "",
            httpVersion: version,
            headers: HTTPHeaderFields(fields.map { HTTPHeaderField(name: $0.key, value: $0.value) }),
            postData: body.flatMap { body in
                body.bytes.isEmpty && !body.isTruncated
                    ? nil : HAR.PostData(body.bytes, mimeType: type, isTruncated: body.isTruncated)
            },
            bodySize: Int64(body?.size ?? 0)
        )
    }

    /// The start time, with milliseconds, as is usual in HAR files.
    private var startedDateTime: String {
        guard let seconds = RFC3339.string(from: date) else { return "1970-01-01T00:00:00Z" }
        let time = date.timeIntervalSince1970
        let milliseconds = Int(((time - time.rounded(.down)) * 1000).rounded(.down))
        return seconds.dropLast() + String(format: ".%03dZ", milliseconds)
    }
}
