import PiuPiuAsync

/// Values that many suites need.
package enum Fixture {
    package static let url = url("https://example.com/posts/1")
    package static let request = URLRequest(url: url, method: .get)

    package static func url(_ text: String) -> URL {
        URL(string: text) ?? URL(fileURLWithPath: "/not-a-url")
    }

    package static func head(
        _ statusCode: StatusCode = .ok,
        headers: HTTPHeaderFields = [:],
        metrics: ExchangeMetrics? = nil
    ) -> ResponseHead {
        ResponseHead(url: url, statusCode: statusCode, headers: headers, metrics: metrics)
    }

    package static func response(
        _ body: String?,
        _ statusCode: StatusCode = .ok,
        headers: HTTPHeaderFields = [:]
    ) -> Response<Data?> {
        Response(data: body.map { Data($0.utf8) }, urlRequest: request, head: head(statusCode, headers: headers))
    }

    /// What a value shows when it is printed, debugged or dumped.
    package static func allTexts(of value: some Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        return "\(value)\n\(String(reflecting: value))\n\(dumped)"
    }
}
