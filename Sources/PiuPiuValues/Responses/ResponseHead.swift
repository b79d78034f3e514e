/// The head of an HTTP response: status, version and header fields.
///
/// The fields are parsed, and the `HTTPURLResponse` is built, when they are first accessed. The head of a response
/// keeps the answered request in memory.
public struct ResponseHead: Sendable {
    package let record: ResponseRecord

    package init(record: ResponseRecord) {
        self.record = record
    }

    /// Creates a head from its parts, for mocks and for your own transports.
    ///
    /// - Parameters:
    ///   - url: The URL that was requested.
    ///   - statusCode: The status code.
    ///   - httpVersion: The protocol version, such as `HTTP/1.1`.
    ///   - headers: The header fields.
    ///   - metrics: The timing of the exchange, if known.
    ///   - informational: The interim responses that preceded it, oldest first.
    public init(
        url: URL,
        statusCode: StatusCode,
        httpVersion: String = "HTTP/1.1",
        headers: HTTPHeaderFields = [:],
        metrics: ExchangeMetrics? = nil,
        informational: [InformationalResponse] = []
    ) {
        let source = ResponseRecord.Source.fields(version: httpVersion, headers)
        record = ResponseRecord(
            .init(
                url: url,
                statusCode: statusCode.rawValue,
                source: source,
                metrics: metrics,
                extras: .make(informational: informational)
            )
        )
    }

    /// Creates a head from Foundation's response; `nil` if the response has no URL.
    ///
    /// - Parameter response: The response; its URL can be missing only in responses that are not from a server.
    public init?(_ response: HTTPURLResponse) {
        guard response.url != nil else { return nil }
        record = ResponseRecord(response, urlRequest: nil)
    }

    /// The URL that was requested.
    public var url: URL { record.values.url }

    /// The status code.
    public var statusCode: StatusCode { StatusCode(rawValue: record.values.statusCode) }

    /// The protocol version from the status line, such as `HTTP/1.1` or `HTTP/2`.
    public var httpVersion: String { record.httpVersion }

    /// The timing of the exchange; `nil` if the transport did not measure it.
    public var metrics: ExchangeMetrics? { record.values.metrics }

    /// The header fields, in the order they arrived.
    public var headers: HTTPHeaderFields { record.headers }

    /// The interim responses that preceded the final one, such as "103 Early Hints", oldest first.
    ///
    /// They do not include "100 Continue", and there are at most ``InformationalResponse/maximumCount``; together with the
    /// final head they count toward ``RequestOptions/maximumHead``. `URLSession` does not report interim responses.
    public var informational: [InformationalResponse] { record.informational }

    /// Returns the first value of a field, without parsing the others.
    ///
    /// - Parameter name: The field's name; case does not matter.
    /// - Returns: The value of the first line of that name; `nil` if there is none.
    public func firstValue(of name: String) -> String? { record.firstValue(of: name) }

    /// Returns the values of a field as they arrived, for references, whose bytes are escaped unchanged.
    package func bytes(of name: String) -> [[UInt8]] { record.bytes(of: name) }

    /// The head as Foundation's type, built once.
    ///
    /// Lines of the same name are joined with `", "`, because `HTTPURLResponse` has one value for each name.
    public var urlResponse: HTTPURLResponse { record.httpURLResponse }
}

extension ResponseHead: Redacted {
    /// The status line and the fields, with secrets replaced, as ``HTTPHeaderFields/description`` shows them.
    public var description: String {
        "\(httpVersion) \(statusCode.rawValue)\n\(headers)"
    }

    /// The status line and the fields, with secrets replaced.
    package var shown: KeyValuePairs<String, Any> { ["description": description] }
}

extension HTTPHeaderFields {
    /// Creates a list from the fields of Foundation's response.
    init(_ response: HTTPURLResponse) {
        self.init()
        // Foundation's dictionary has no order. Sorting it gives the same list for the same response.
        for (name, value) in response.allHeaderFields.map({ ("\($0)", "\($1)") }).sorted(by: { $0.0 < $1.0 }) {
            append(name: name, value: value)
        }
    }
}
