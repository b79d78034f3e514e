/// The head of a stored response, and when it arrived.
///
/// Storages keep it as a value, or as its ``bytes``. It contains everything the server sent except cookies and fields for a
/// single connection.
public struct StoredHead: Sendable {
    /// The kind of entry.
    enum Kind: Equatable, Sendable {
        /// A response.
        case response
        /// The response depends on these fields of the request (RFC 9111 §4.1), and is stored for their values.
        case variants([String])
    }

    let kind: Kind
    let statusCode: Int
    let httpVersion: String
    let headers: HTTPHeaderFields
    /// When the request was sent and when the head arrived, in seconds since 1970.
    let requestTime: Double
    let responseTime: Double
    /// Whether the body was not stored, because the response is a redirect that was followed.
    let isBodiless: Bool
    /// Derived from the fields.
    let directives: CacheControl
    let freshness: Freshness

    /// Creates the head of a response.
    init(
        statusCode: Int,
        httpVersion: String,
        headers: HTTPHeaderFields,
        requestTime: Double,
        responseTime: Double,
        isBodiless: Bool = false,
        kind: Kind = .response
    ) {
        self.kind = kind
        self.statusCode = statusCode
        self.httpVersion = httpVersion
        self.headers = headers
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.isBodiless = isBodiless
        directives = CacheControl(headers.values(for: "Cache-Control"))
        freshness = Freshness(
            statusCode: statusCode,
            headers: headers,
            directives: directives,
            requestTime: requestTime,
            responseTime: responseTime
        )
    }

    /// Creates the entry that replaces a response that depends on fields of the request.
    static func variants(_ names: [String]) -> StoredHead {
        StoredHead(
            statusCode: 0,
            httpVersion: "",
            headers: [:],
            requestTime: 0,
            responseTime: 0,
            kind: .variants(names)
        )
    }

    /// The entity tag; `nil` if there is none.
    var entityTag: String? { headers.values(for: "ETag").first.flatMap { $0.isEmpty ? nil : $0 } }

    /// The date of the last modification, if it is a strong validator: at least a second before the creation of the response,
    /// so that a second modification could not have the same date (RFC 9110 §8.8.2.2).
    var lastModified: String? {
        guard let text = headers.values(for: "Last-Modified").first, let modified = HTTPDate.parse(text),
            let date = headers.values(for: "Date").first.flatMap({ HTTPDate.parse($0) }),
            date.timeIntervalSince(modified) >= 1
        else { return nil }
        return text
    }

    /// Whether the server can be asked if the response is still valid.
    var hasValidator: Bool { entityTag != nil || lastModified != nil }

    /// Whether both are heads of one response, which may have been validated in the meantime.
    func isOfSameBody(as other: StoredHead) -> Bool {
        func validators(_ head: StoredHead) -> [[String]] {
            ["ETag", "Last-Modified"].map { head.headers.values(for: $0) }
        }
        return kind == .response && other.kind == .response && statusCode == other.statusCode
            && isBodiless == other.isBodiless && validators(self) == validators(other)
    }

    /// The approximate size of the head in bytes.
    var cost: Int { headers.reduce(200) { $0 + $1.name.utf8.count + $1.value.utf8.count + 40 } }
}

// MARK: As bytes

extension StoredHead {
    private static let version: UInt8 = 1
    /// The maximum length of a head in bytes, and of its number of fields: more than a transport accepts.
    private static let limit = 1 << 24

    /// The head as bytes, for storages that outlive the process.
    public var bytes: Data {
        var writer = Writer()
        writer.bytes.append(Self.version)
        writer.bytes.append(isBodiless ? 1 : 0)
        writer.append(UInt64(bitPattern: Int64(statusCode)))
        writer.append(requestTime.bitPattern)
        writer.append(responseTime.bitPattern)
        writer.append(httpVersion)
        if case .variants(let names) = kind {
            writer.append(UInt64(names.count) | 1 << 63)
            for name in names { writer.append(name) }
        } else {
            writer.append(UInt64(headers.count))
            for field in headers {
                writer.append(field.name)
                writer.append(field.value)
            }
        }
        return writer.bytes
    }

    /// Creates a head from its bytes.
    ///
    /// - Parameter bytes: The value of ``bytes``. Other bytes, of any version or origin, give `nil` or a head whose content
    ///   comes only from them.
    public init?(bytes: Data) {
        guard bytes.count <= Self.limit else { return nil }
        var reader = Reader(rest: bytes[...])
        guard reader.byte() == Self.version, let flags = reader.byte(), flags < 2,
            let code = reader.number().flatMap({ Int(exactly: $0) }), code == 0 || (100..<1000).contains(code),
            let requestTime = reader.time(), let responseTime = reader.time(), let httpVersion = reader.text(),
            let count = reader.number()
        else { return nil }
        var headers = HTTPHeaderFields()
        var names: [String] = []
        for _ in 0..<min(count & (1 << 63 - 1), UInt64(Self.limit)) {
            guard let name = reader.text() else { return nil }
            guard count >> 63 == 0 else {
                names.append(name)
                continue
            }
            guard let value = reader.text() else { return nil }
            headers.append(name: name, value: value)
        }
        guard reader.rest.isEmpty, (code == 0) == (count >> 63 == 1) else { return nil }
        self.init(
            statusCode: code,
            httpVersion: httpVersion,
            headers: headers,
            requestTime: requestTime,
            responseTime: responseTime,
            isBodiless: flags == 1,
            kind: count >> 63 == 1 ? .variants(names) : .response
        )
    }

    private struct Writer {
        var bytes = Data()

        mutating func append(_ number: UInt64) {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }

        mutating func append(_ text: String) {
            append(UInt64(text.utf8.count))
            bytes.append(contentsOf: text.utf8)
        }
    }

    private struct Reader {
        var rest: Data.SubSequence

        mutating func byte() -> UInt8? { rest.popFirst() }

        mutating func number() -> UInt64? {
            guard rest.count >= 8 else { return nil }
            defer { rest = rest.dropFirst(8) }
            return rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }

        mutating func time() -> Double? {
            number().map { Double(bitPattern: $0) }.flatMap { $0.isFinite && abs($0) < 1e12 ? $0 : nil }
        }

        mutating func text() -> String? {
            guard let count = number(), count <= UInt64(rest.count) else { return nil }
            defer { rest = rest.dropFirst(Int(count)) }
            return String(validating: rest.prefix(Int(count)), as: UTF8.self)
        }
    }
}

extension StoredHead: Redacted {
    /// The status code, without header fields.
    package var shown: KeyValuePairs<String, Any> { ["statusCode": statusCode] }
}
