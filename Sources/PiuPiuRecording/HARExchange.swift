import PiuPiuAsync

/// An exchange that is being recorded.
struct HARExchange: Sendable {
    private let request: TransportRequest
    private let limit: Int
    private let date: Date
    private let start = ContinuousClock.now
    private var head: ContinuousClock.Instant?
    /// The request's body, if it is known before it is sent.
    private var requestBody: HARTakenBody?
    /// The tap on the request's body, if the body is a stream.
    private var requestTap: HARTap?

    init(_ request: TransportRequest, limit: Int, at date: Date) {
        self.request = request
        self.date = date
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

    /// The request, with the part of its body that is recorded so far.
    var recordedRequest: HAR.Request { recorded(request.urlRequest, version: "", hasBody: true) }

    /// The entries to record for an exchange that failed.
    func entries(failure: any Error) -> [HAR.Entry] {
        let response = HAR.Response(status: 0, httpVersion: "", error: Self.text(failure))
        let timings = HAR.Timings(metrics: nil, head: start.duration(to: .now), end: start.duration(to: .now))
        return [entry(recordedRequest, response, timings, at: date)]
    }

    /// Returns the recorded form of a response's body.
    func content(_ response: TransportResponse, body: HARTakenBody) -> HAR.Content {
        let type = response.head.firstValue(of: "Content-Type") ?? ""
        // A body that was not decompressed could contain secrets that can't be found.
        let codings = response.head.headers.values(for: "Content-Encoding")
        let coding = ReadableBody.coding(codings, isDecoded: request.decodesContent)
        let isEncoded = !ReadableBody.isReadable(body.bytes, type: type, coding: coding)
        var content = HAR.Content(
            isEncoded ? Data() : body.bytes,
            mimeType: type,
            isTruncated: body.isTruncated || isEncoded && body.size > 0
        )
        content.size = Int64(body.size)
        return content
    }

    /// The entries to record for an exchange: its redirects and its response.
    func entries(_ response: TransportResponse, body: HARTakenBody) -> [HAR.Entry] {
        let version = response.head.httpVersion
        var entries: [HAR.Entry] = []
        var next = recorded(request.urlRequest, version: version, hasBody: true)
        var date = date
        for (index, redirect) in response.history.enumerated() {
            // The URL keeps the request's fragment, which was not in the field.
            let keepsFragment = redirect.target.fragment == redirect.source.fragment
            let head = HAR.Response(
                status: redirect.statusCode.rawValue,
                httpVersion: version,
                headers: ["Location": keepsFragment ? redirect.target.withoutFragment : redirect.target.absoluteString]
            )
            let total = redirect.metrics?.total ?? .zero
            let timings = redirect.metrics.map { HAR.Timings(metrics: $0, head: $0.firstByte, end: total) }
            entries.append(entry(next, head, timings ?? .init(), at: date, comment: "Known from the history only."))
            date += (timings?.total ?? 0) / 1000
            let becomesGet = RedirectPolicy.becomesGet(next.method, statusCode: redirect.statusCode.rawValue)
            if index == response.history.count - 1 {
                let hasBody = !becomesGet && next.postData != nil
                next = recorded(response.urlRequest, version: version, hasBody: hasBody)
                next.url = redirect.target.withoutFragment
            } else {
                next.url = redirect.target.withoutFragment
                if becomesGet { (next.method, next.postData, next.bodySize) = ("GET", nil, 0) }
            }
        }
        let final = HAR.Response(
            status: response.head.statusCode.rawValue,
            httpVersion: version,
            headers: response.head.headers,
            content: content(response, body: body),
            error: body.error
        )
        let end = start.duration(to: .now)
        let timings = HAR.Timings(
            metrics: response.head.metrics,
            head: head.map { start.duration(to: $0) } ?? end,
            end: end
        )
        let comment = body.isTruncated ? "The body is not complete, and cannot be replayed." : nil
        var last = entry(next, final, timings, at: date, comment: comment)
        if final.status == 101 {
            last.resourceType = HAR.Entry.webSocketType
            last.showWebSocketURL()
            last.comment = nil
        }
        return entries + [last]
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
        at date: Date,
        comment: String? = nil
    ) -> HAR.Entry {
        var entry = HAR.Entry(
            startedDateTime: HAR.Entry.dateTime(date),
            request: request,
            response: response,
            timings: timings,
            comment: comment
        )
        entry.resourceType = "fetch"
        return entry
    }

    private func recorded(_ urlRequest: URLRequest, version: String, hasBody: Bool) -> HAR.Request {
        var recorded = HAR.Request(urlRequest, httpVersion: version)
        guard hasBody, let body = requestBody ?? requestTap?.body else { return recorded }
        recorded.bodySize = Int64(body.size)
        if !body.bytes.isEmpty || body.isTruncated {
            let type = urlRequest.value(forHTTPHeaderField: "Content-Type") ?? ""
            let coding = urlRequest.value(forHTTPHeaderField: "Content-Encoding")
            // A compressed body could contain secrets that can't be found.
            let isEncoded = !ReadableBody.isReadable(body.bytes, type: type, coding: coding)
            recorded.postData = HAR.PostData(
                isEncoded ? Data() : body.bytes,
                mimeType: type,
                isTruncated: body.isTruncated || isEncoded && body.size > 0
            )
        }
        return recorded
    }
}
