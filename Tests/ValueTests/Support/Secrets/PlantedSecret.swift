import PiuPiuAsync
import TestSupport

/// A value that holds the secret, and what kind of thing it is.
struct PlantedSecret {
    let kind: String
    let value: Any

    init(_ kind: String, _ value: Any) {
        self.kind = kind
        self.value = value
    }
}

extension PlantedSecret {
    static let secret = SecretSearch.secret

    /// A URL with the secret wherever a URL is not shown.
    static let url = Fixture.url("https://user:\(secret)@example.com/a?token=\(secret)#\(secret)")

    /// The fields of a request whose values are secrets, with the name that the options mark.
    static let fields = [
        "Authorization": "Bearer \(secret)", "Cookie": "id=\(secret)", "Proxy-Authorization": "Basic \(secret)",
        "X-Mine": secret,
    ]

    static let options = RequestOptions(timeouts: Timeouts(idle: nil), sensitiveHeaders: ["x-mine"])

    static let body = Data("{\"password\":\"\(secret)\"}".utf8)

    static var request: URLRequest {
        var request = URLRequest(url: url, method: .post)
        request.allHTTPHeaderFields = fields
        request.httpBody = body
        return request
    }

    static var transportRequest: TransportRequest { TransportRequest(request, options: options) }

    /// The fields of a response whose values are secrets by their own names.
    static let responseFields: HTTPHeaderFields = ["Set-Cookie": "id=\(secret)", "X-Auth-Token": secret]

    static var head: ResponseHead { ResponseHead(url: url, statusCode: .ok, headers: responseFields) }

    static var response: Response<Data?> { Response(data: body, urlRequest: request, head: head, history: [redirect]) }

    static let redirect = Redirect(statusCode: .found, source: url, target: url)

    static var chunks: AsyncStream<Data> {
        AsyncStream { continuation in
            continuation.yield(body + Data("\n\(secret)\n".utf8))
            continuation.finish()
        }
    }
}
