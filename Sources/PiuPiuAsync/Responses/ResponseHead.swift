/// The head of an HTTP response: status, version and header fields.
///
/// The fields are parsed when they are first asked for, and so is the `HTTPURLResponse` built.
public struct ResponseHead: Sendable {
    private let storage: Storage

    /// Creates a head from its parts, for mocks and for transports of your own.
    ///
    /// - Parameters:
    ///   - url: The URL that was asked.
    ///   - statusCode: The status code.
    ///   - httpVersion: The protocol version, such as `HTTP/1.1`.
    ///   - headers: The header fields.
    ///   - metrics: Where the time went, if known.
    public init(
        url: URL,
        statusCode: StatusCode,
        httpVersion: String = "HTTP/1.1",
        headers: HTTPHeaderFields = [:],
        metrics: ExchangeMetrics? = nil
    ) {
        storage = Storage(
            url: url,
            statusCode: statusCode.rawValue,
            source: .fields(httpVersion, headers),
            metrics: metrics
        )
    }

    /// Creates a head from Foundation's response; `nil` where the response has no URL.
    ///
    /// - Parameter response: The response; its URL may be missing only in responses made by hand.
    public init?(_ response: HTTPURLResponse) {
        guard response.url != nil else { return nil }
        self.init(response, requestURL: nil, metrics: nil)
    }

    /// Creates a head from Foundation's response, whatever its URL.
    init(_ response: HTTPURLResponse, requestURL: URL?, metrics: ExchangeMetrics?) {
        let url = response.url ?? requestURL ?? URL(string: "about:blank") ?? URL(fileURLWithPath: "/")
        storage = Storage(url: url, statusCode: response.statusCode, source: .foundation, metrics: metrics)
        storage.cache.withLock { $0.urlResponse = response }
    }

    /// Creates a head from the bytes that arrived.
    init(url: URL, statusCode: Int, raw: RawHead, metrics: ExchangeMetrics?) {
        storage = Storage(url: url, statusCode: statusCode, source: .raw(raw), metrics: metrics)
    }

    /// The same head, which hides further fields when it is printed.
    ///
    /// - Parameter names: Names of fields that are secrets.
    /// - Returns: The head.
    func hiding(_ names: [String]) -> ResponseHead {
        names.isEmpty ? self : ResponseHead(storage: Storage(storage, hiding: names))
    }

    private init(storage: Storage) {
        self.storage = storage
    }

    /// The URL that was asked.
    public var url: URL { storage.url }

    /// The status code.
    public var statusCode: StatusCode { StatusCode(rawValue: storage.statusCode) }

    /// The protocol version as the status line has it, such as `HTTP/1.1` or `HTTP/2`.
    public var httpVersion: String {
        switch storage.source {
        case .raw(let raw): raw.version
        case .fields(let version, _): version
        case .foundation: "HTTP/1.1"
        }
    }

    /// Where the time of the exchange went; `nil` where the transport did not measure.
    public var metrics: ExchangeMetrics? { storage.metrics }

    /// The header fields, in the order they arrived.
    public var headers: HTTPHeaderFields { parsedHeaders.hiding(storage.sensitiveHeaders) }

    private var parsedHeaders: HTTPHeaderFields {
        if let cached = storage.cache.withLock({ $0.headers }) { return cached }
        let headers =
            switch storage.source {
            case .raw(let raw): raw.fields
            case .fields(_, let fields): fields
            case .foundation: HTTPHeaderFields(urlResponse)
            }
        storage.cache.withLock { $0.headers = headers }
        return headers
    }

    /// The first value of a field, without parsing the others.
    ///
    /// - Parameter name: The field's name, in any case.
    /// - Returns: The value of the first line of that name, `nil` where there is none.
    public func firstValue(of name: String) -> String? {
        if case .raw(let raw) = storage.source { return raw.firstValue(of: name) }
        return headers.values(for: name).first
    }

    /// The head as Foundation's type, built once.
    ///
    /// Lines of the same name are joined with `", "`, as `HTTPURLResponse` has one value for a name.
    public var urlResponse: HTTPURLResponse {
        if let cached = storage.cache.withLock({ $0.urlResponse }) { return cached }
        let built = makeURLResponse()
        // Two threads may both have built one; everybody gets the first.
        return storage.cache.withLock { cache in
            if let first = cache.urlResponse { return first }
            cache.urlResponse = built
            return built
        }
    }

    private func makeURLResponse() -> HTTPURLResponse {
        // Grouped in one pass: a hostile head may have tens of thousands of lines.
        var lines: [String: (name: String, values: [String])] = [:]
        for field in headers {
            lines[field.name.lowercased(), default: (field.name, [])].values.append(field.value)
        }
        let joined = Dictionary(lines.values.map { ($0.name, $0.values.joined(separator: ", ")) }) { first, _ in first }
        let code = storage.statusCode
        if let response = HTTPURLResponse(url: url, statusCode: code, httpVersion: httpVersion, headerFields: joined) {
            return response
        }
        #if canImport(Darwin)
        return HTTPURLResponse(url: url, statusCode: code, httpVersion: nil, headerFields: nil) ?? HTTPURLResponse()
        #else
        // Failable to match Darwin's signature only: no path of swift-corelibs-foundation returns nil.
        preconditionFailure("HTTPURLResponse cannot fail to be created on this platform.")
        #endif
    }
}

extension ResponseHead {
    private enum Source: Sendable {
        case raw(RawHead)
        case fields(String, HTTPHeaderFields)
        case foundation
    }

    private struct Cache: Sendable {
        var headers: HTTPHeaderFields?
        var urlResponse: HTTPURLResponse?
    }

    private final class Storage: Sendable {
        let url: URL
        let statusCode: Int
        let source: Source
        let metrics: ExchangeMetrics?
        /// Names of fields that are secrets, beside the standard ones.
        let sensitiveHeaders: [String]
        let cache: Locked<Cache>

        init(url: URL, statusCode: Int, source: Source, metrics: ExchangeMetrics?) {
            self.url = url
            self.statusCode = statusCode
            self.source = source
            self.metrics = metrics
            sensitiveHeaders = []
            cache = Locked(Cache())
        }

        /// Takes over another head, with what was made of it.
        init(_ other: Storage, hiding names: [String]) {
            url = other.url
            statusCode = other.statusCode
            source = other.source
            metrics = other.metrics
            sensitiveHeaders = names
            let made = other.cache.withLock { $0 }
            cache = Locked(made)
        }
    }
}

extension ResponseHead: Redacted {
    /// The status line and the fields, with secrets replaced.
    public var description: String {
        "\(httpVersion) \(statusCode.rawValue)\n\(headers)"
    }

    /// The status line and the fields, with secrets replaced.
    package var shown: KeyValuePairs<String, Any> { ["description": description] }
}

extension HTTPHeaderFields {
    /// Creates a list from the fields of Foundation's response.
    ///
    /// - Parameter response: The response.
    init(_ response: HTTPURLResponse) {
        self.init()
        // Foundation's dictionary has no order; sorted, the same response always gives the same list.
        for (name, value) in response.allHeaderFields.map({ ("\($0)", "\($1)") }).sorted(by: { $0.0 < $1.0 }) {
            append(name: name, value: value)
        }
    }
}
