/// All of a response except its body.
///
/// The transport makes one record for each response. ``TransportResponse``, ``ResponseHead``, ``Response`` and
/// ``HTTPResponse`` point to it, so copying one of them takes one retain in addition to that of its body.
package final class ResponseRecord: Sendable {
    /// The source of the status and the header fields.
    package enum Source: Sendable {
        /// The bytes that arrived.
        case raw(RawHead)
        /// The protocol version and the fields.
        case fields(version: String, HTTPHeaderFields)
        /// Foundation's response, which need not be HTTP.
        case foundation(URLResponse)

        /// The status code, if the source has it.
        var statusCode: Int? {
            switch self {
            case .raw(let raw): raw.statusCode
            case .fields: nil
            case .foundation(let response): (response as? HTTPURLResponse)?.statusCode
            }
        }
    }

    package struct Values: Sendable {
        package var url: URL
        package var statusCode: Int
        package var source: Source
        var metrics: ExchangeMetrics?
        /// The request as it was sent, after every adapter and redirect; `nil` for a head alone.
        package var urlRequest: URLRequest?
        /// The redirects that were followed, oldest first.
        package var history: [Redirect] = []
        /// The attempts, oldest first; empty if there was only one.
        var attempts: [Attempt] = []
        /// How long the call took; `nil` if it was not measured.
        var elapsed: Duration?
        /// Names of secret fields, in addition to the standard ones.
        package var sensitiveHeaders: [String] = []
        /// The response with which an adapter replaced Foundation's response; it need not be HTTP.
        package var adaptedResponse: URLResponse?
        /// The interim responses and the trailers; `nil` for most responses.
        package var extras: ResponseExtras?
    }

    /// Values that were built from the source, once.
    private struct Cache: Sendable {
        var headers: HTTPHeaderFields?
        var urlResponse: HTTPURLResponse?
    }

    package let values: Values
    private let cache: Locked<Cache>

    package init(_ values: Values) {
        self.values = values
        cache = Locked(Cache())
    }

    private init(_ values: Values, _ cache: Locked<Cache>) {
        self.values = values
        self.cache = cache
    }

    /// Creates the record of a response to a request.
    package convenience init(
        _ source: Source,
        to urlRequest: URLRequest,
        statusCode: Int? = nil,
        metrics: ExchangeMetrics? = nil,
        extras: ResponseExtras? = nil
    ) {
        if case .foundation(let response) = source {
            self.init(response, urlRequest: urlRequest, metrics: metrics)
        } else {
            self.init(
                Values(
                    url: urlRequest.url ?? URL(filePath: "/"),
                    statusCode: statusCode ?? source.statusCode ?? 0,
                    source: source,
                    metrics: metrics,
                    urlRequest: urlRequest,
                    extras: extras
                )
            )
        }
    }

    /// Creates the record of Foundation's response.
    package convenience init(_ response: URLResponse, urlRequest: URLRequest?, metrics: ExchangeMetrics? = nil) {
        self.init(
            Values(
                url: response.url ?? urlRequest?.url ?? URL(string: "about:blank") ?? URL(filePath: "/"),
                statusCode: Source.foundation(response).statusCode ?? 0,
                source: .foundation(response),
                metrics: metrics,
                urlRequest: urlRequest
            )
        )
    }

    /// Returns the record of any response, without building Foundation's type if there is a head.
    package static func of(_ response: some ResponseInterface) -> ResponseRecord {
        (response as? any ResponseRecordCarrying)?.record
            ?? ResponseRecord(response.urlResponse, urlRequest: response.urlRequest)
    }

    /// Returns a record with changed values, but the same status and header fields, and with the values built from these.
    package func with(_ change: (inout Values) -> Void) -> ResponseRecord {
        var values = values
        change(&values)
        return ResponseRecord(values, cache)
    }

    /// Returns the record of the same head, as the response to a request.
    package func answering(_ urlRequest: URLRequest, _ history: [Redirect]) -> ResponseRecord {
        with {
            $0.urlRequest = urlRequest
            $0.history = history
            $0.adaptedResponse = nil
        }
    }

    /// The record of the same head alone, without the request, whose body may be large.
    package var alone: ResponseRecord {
        with {
            $0.urlRequest = nil
            $0.history = []
            $0.attempts = []
            $0.elapsed = nil
            $0.adaptedResponse = nil
        }
    }

    /// Returns a record with the status, the header fields and the interim responses of another.
    package func replacingHead(with other: ResponseRecord) -> ResponseRecord {
        let trailers = values.extras?.trailers ?? [:]
        return other.with {
            $0.extras = .make(informational: $0.extras?.informational ?? [], trailers: trailers)
            $0.urlRequest = values.urlRequest
            $0.history = values.history
            $0.adaptedResponse = values.adaptedResponse
        }
    }

    /// Returns the record that users see: with an adapter's response, and with the names of additional secrets.
    ///
    /// `attempts` is `nil` if there was only one, and `elapsed` if the time was not measured.
    package func surfaced(
        hiding sensitiveHeaders: [String],
        attempts: [Attempt]? = nil,
        elapsed: Duration? = nil
    ) -> ResponseRecord {
        var record = self
        if let adapted = values.adaptedResponse, adapted !== urlResponse {
            record = ResponseRecord(adapted, urlRequest: values.urlRequest, metrics: values.metrics)
                .with {
                    $0.history = values.history
                    $0.extras = values.extras
                }
        }
        let names = sensitiveHeaders.filter { !record.values.sensitiveHeaders.contains($0) }
        guard !names.isEmpty || attempts != nil || elapsed != nil else { return record }
        return record.with {
            $0.sensitiveHeaders += names
            $0.attempts = attempts ?? []
            $0.elapsed = elapsed
        }
    }

    /// The head; `nil` if the response is not HTTP.
    package var head: ResponseHead? {
        if case .foundation(let response) = values.source, !(response is HTTPURLResponse) { return nil }
        return ResponseHead(record: self)
    }

    /// The request that was answered.
    package var urlRequest: URLRequest { values.urlRequest ?? URLRequest(url: values.url) }

    /// The attempts, oldest first; never empty.
    package var attempts: [Attempt] { values.attempts.isEmpty ? [.first] : values.attempts }

    /// The protocol version from the status line.
    package var httpVersion: String {
        switch values.source {
        case .raw(let raw): raw.version
        case .fields(let version, _): version
        case .foundation: "HTTP/1.1"
        }
    }

    /// The header fields, in the order they arrived.
    package var headers: HTTPHeaderFields {
        let fields = cache.withLock { $0.headers } ?? parsed
        return values.sensitiveHeaders.isEmpty ? fields : fields.hiding(values.sensitiveHeaders)
    }

    private var parsed: HTTPHeaderFields {
        let fields =
            switch values.source {
            case .raw(let raw): raw.fields
            case .fields(_, let fields): fields
            case .foundation(let response): (response as? HTTPURLResponse).map { HTTPHeaderFields($0) } ?? [:]
            }
        cache.withLock { $0.headers = fields }
        return fields
    }

    /// The fields of the trailer section.
    package var trailers: HTTPHeaderFields { (values.extras?.trailers ?? [:]).hiding(values.sensitiveHeaders) }

    /// The interim responses, oldest first.
    package var informational: [InformationalResponse] {
        guard let extras = values.extras, !extras.informational.isEmpty else { return [] }
        return extras.informational.map {
            InformationalResponse($0.statusCode, headers: $0.headers.hiding(values.sensitiveHeaders))
        }
    }

    /// The first value of a field, without parsing the others.
    func firstValue(of name: String) -> String? {
        if case .raw(let raw) = values.source { return raw.firstValue(of: name) }
        return headers.values(for: name).first
    }

    /// The values of a field as they arrived, or in UTF-8 if only their text is known.
    func bytes(of name: String) -> [[UInt8]] {
        if case .raw(let raw) = values.source { return raw.bytes(of: name) }
        return headers.values(for: name).map { Array($0.utf8) }
    }

    /// Foundation's response.
    package var urlResponse: URLResponse {
        if case .foundation(let response) = values.source { return response }
        return httpURLResponse
    }

    /// Foundation's response, built once.
    var httpURLResponse: HTTPURLResponse {
        if case .foundation(let response as HTTPURLResponse) = values.source { return response }
        if let built = cache.withLock({ $0.urlResponse }) { return built }
        let built = makeURLResponse()
        // Two threads may both have built a response; every caller gets the first one.
        return cache.withLock { cache in
            if let first = cache.urlResponse { return first }
            cache.urlResponse = built
            return built
        }
    }

    private func makeURLResponse() -> HTTPURLResponse {
        // Grouped in one pass, because a hostile head may have tens of thousands of lines.
        var lines: [String: (name: String, values: [String])] = [:]
        for field in headers {
            lines[field.name.lowercased(), default: (field.name, [])].values.append(field.value)
        }
        let joined = Dictionary(lines.values.map { ($0.name, $0.values.joined(separator: ", ")) }) { first, _ in first }
        let (url, code) = (values.url, values.statusCode)
        if let response = HTTPURLResponse(url: url, statusCode: code, httpVersion: httpVersion, headerFields: joined) {
            return response
        }
        #if canImport(Darwin)
        return HTTPURLResponse(url: url, statusCode: code, httpVersion: nil, headerFields: nil) ?? HTTPURLResponse()
        #else
        // Optional only to match Darwin's signature: no path of swift-corelibs-foundation returns `nil`.
        preconditionFailure("HTTPURLResponse cannot fail to be created on this platform.")
        #endif
    }

    /// The rules for which fields are secrets.
    package var redaction: Redaction { Redaction.standard.hiding(values.sensitiveHeaders) }

    /// One line for logs: version, status and URL, without query, header fields and body.
    package var summary: String {
        let url = Redaction.standard.location(of: urlRequest.url)
        guard head != nil else { return url }
        return "\(httpVersion) \(values.statusCode) \(url)"
    }
}

extension ResponseRecord: Redacted {
    /// Version, status and URL, without query, header fields and body.
    package var shown: KeyValuePairs<String, Any> { ["summary": summary] }
}

/// A response that points to its record.
package protocol ResponseRecordCarrying {
    var record: ResponseRecord { get }
}
