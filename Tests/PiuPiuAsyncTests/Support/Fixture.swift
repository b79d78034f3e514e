import PiuPiuAsync

/// Values that many suites need.
enum Fixture {
    static let url = url("https://example.com/posts/1")
    static let request = URLRequest(url: url, method: .get)

    static func url(_ text: String) -> URL {
        URL(string: text) ?? URL(fileURLWithPath: "/not-a-url")
    }

    static func head(
        _ statusCode: StatusCode = .ok,
        headers: HTTPHeaderFields = [:],
        metrics: ExchangeMetrics? = nil
    ) -> ResponseHead {
        ResponseHead(url: url, statusCode: statusCode, headers: headers, metrics: metrics)
    }

    static func response(
        _ body: String?,
        _ statusCode: StatusCode = .ok,
        headers: HTTPHeaderFields = [:]
    ) -> Response<Data?> {
        Response(data: body.map { Data($0.utf8) }, urlRequest: request, head: head(statusCode, headers: headers))
    }

    /// What a value shows when it is printed, debugged or dumped.
    static func allTexts(of value: some Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        return "\(value)\n\(String(reflecting: value))\n\(dumped)"
    }
}

/// A generator that gives the same numbers in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
