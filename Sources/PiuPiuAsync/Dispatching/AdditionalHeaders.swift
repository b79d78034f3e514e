/// The header fields that a dispatcher adds to requests that lack them.
package struct AdditionalHeaders: Sendable {
    private let fields: [HTTPHeaderField]
    /// The fields for the base URL's origin only.
    private let secrets: [HTTPHeaderField]
    /// The origin of the base URL; `nil` if all requests get all fields.
    private let origin: String?

    init(_ configuration: URLRequestDispatcher.Configuration) {
        let redaction = Redaction.standard.hiding(configuration.sensitiveHeaders)
        guard let baseURL = configuration.baseURL else {
            fields = Array(configuration.additionalHeaders)
            secrets = []
            origin = nil
            return
        }
        // If the base URL is not valid, use an origin that no request has.
        origin = (try? RequestTarget(baseURL))?.origin ?? ""
        fields = configuration.additionalHeaders.filter { !redaction.isSensitive($0.name) }
        secrets = configuration.additionalHeaders.filter { redaction.isSensitive($0.name) }
    }

    /// Returns whether all requests that lack a field get it.
    package func contains(_ name: HTTPHeaderName) -> Bool {
        fields.contains { $0.name.isEqualIgnoringASCIICase(to: name.rawValue) }
    }

    /// Adds the fields that a request lacks; the request must have a URL.
    func add(to request: inout TransportRequest) {
        Self.add(fields, to: &request.urlRequest)
        guard !secrets.isEmpty, let target = request.target, target.origin == origin else { return }
        Self.add(secrets, to: &request.urlRequest)
    }

    private static func add(_ fields: [HTTPHeaderField], to request: inout URLRequest) {
        // Decide for all fields before adding any: a default field may have several lines.
        let missing = fields.filter { request.value(forHTTPHeaderField: $0.name) == nil }
        for field in missing { request.add(field) }
    }
}

extension AdditionalHeaders: Redacted {
    /// The names, without the values.
    package var shown: KeyValuePairs<String, Any> { ["names": (fields + secrets).map(\.name)] }
}
