/// The head of a response, for an observer that records it; accessing its fields parses them.
package struct ObservedHead: Sendable {
    private enum Source: Sendable {
        case raw(RawHead)
        case record(ResponseRecord)
    }

    private let source: Source

    /// Creates a head from its bytes.
    init(_ raw: RawHead) {
        source = .raw(raw)
    }

    /// Creates the head of a response, without the request.
    init(_ record: ResponseRecord) {
        source = .record(record.alone)
    }

    /// The version of HTTP in the status line, such as `HTTP/1.1`.
    package var httpVersion: String {
        switch source {
        case .raw(let raw): raw.version
        case .record(let record): record.httpVersion
        }
    }

    /// The header fields in their order, including their secrets.
    package var headers: HTTPHeaderFields {
        switch source {
        case .raw(let raw): raw.fields
        case .record(let record): record.headers
        }
    }

    /// The number of bytes, including the empty line that ends the head; `nil` if it is unknown.
    package var length: Int? {
        if case .raw(let raw) = source { raw.bytes.count + 2 } else { nil }
    }
}

extension ObservedHead: Redacted {
    /// The version, without the fields.
    package var shown: KeyValuePairs<String, Any> { ["httpVersion": httpVersion] }
}
