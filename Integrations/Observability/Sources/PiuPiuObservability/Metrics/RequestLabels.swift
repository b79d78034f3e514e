import PiuPiuAsync

/// The labels of a metric that are known when an exchange begins.
struct RequestLabels: Hashable {
    var method: String
    var server: Server?
    var template: String?

    /// A server; `nil` in its place stands for all that are not shown by their names.
    struct Server: Hashable {
        var address: String
        var port: Int
        var scheme: String

        init(_ exchange: ObservedExchange) {
            address = exchange.serverAddress
            port = exchange.port
            scheme = exchange.scheme
        }
    }

    /// The labels that stand for all combinations that are too many.
    static let other = RequestLabels(method: HTTPConventions.other)

    /// The names and values; the values of absent labels are `nil`.
    var dimensions: [(String, String?)] {
        [
            ("http.request.method", method),
            ("server.address", server?.address ?? HTTPConventions.other),
            ("server.port", server.map { "\($0.port)" }),
            ("url.scheme", server?.scheme),
            ("url.template", template),
        ]
    }
}

/// The labels of a metric that are known when an exchange ends.
struct ResponseLabels: Hashable {
    var request: RequestLabels
    var statusCode: Int?
    var errorType: String?
    var protocolVersion: String?

    init(_ request: RequestLabels, _ summary: ExchangeSummary) {
        self.request = request
        statusCode = summary.statusCode?.rawValue
        errorType = ExchangeEnding(summary).errorType
        protocolVersion = HTTPConventions.protocolVersion(summary.connection)
    }

    private init() { request = .other }

    /// The labels that stand for all combinations that are too many.
    static let other = ResponseLabels()

    /// The names and values; the values of absent labels are `nil`.
    var dimensions: [(String, String?)] {
        request.dimensions + [
            ("http.response.status_code", statusCode.map { "\($0)" }),
            ("error.type", errorType),
            ("network.protocol.version", protocolVersion),
        ]
    }
}
