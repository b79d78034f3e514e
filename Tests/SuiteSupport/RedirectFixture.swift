import PiuPiuAsync
import TestSupport
import Testing

/// A web of redirects, and what a policy did in it.
package struct RedirectFixture {
    /// What a URL answers: a status and perhaps a `Location`.
    package struct Answer: Sendable {
        package var statusCode: Int
        package var location: String?

        package init(statusCode: Int, location: String? = nil) {
            self.statusCode = statusCode
            self.location = location
        }
    }

    package let transport: ScriptedTransport
    private let policy: RedirectPolicy

    /// Creates a web.
    ///
    /// - Parameters:
    ///   - answers: What answers with a redirect, by URL without fragment; everything else answers with 200.
    ///   - policy: The policy.
    package init(_ answers: [String: Answer], policy: RedirectPolicy = RedirectPolicy()) {
        self.policy = policy
        transport = ScriptedTransport { request in
            let url = String((request.urlRequest.url?.absoluteString ?? "").prefix { $0 != "#" })
            guard let answer = answers[url] else { return .scripted(200, for: request, body: "end") }
            var headers: HTTPHeaderFields = ["Set-Cookie": "id=hunter2"]
            if let location = answer.location { headers["Location"] = location }
            return .scripted(answer.statusCode, for: request, headers: headers)
        }
    }

    /// Creates a web in which each URL leads to the next with a 307.
    package init(chain: [String], policy: RedirectPolicy = RedirectPolicy()) {
        let pairs = zip(chain, chain.dropFirst()).map { ($0, Answer(statusCode: 307, location: $1)) }
        self.init(Dictionary(pairs) { first, _ in first }, policy: policy)
    }

    /// Sends a request into the web.
    package func send(
        _ request: URLRequest,
        options: RequestOptions = RequestOptions(sensitiveHeaders: ["X-Api-Key"]),
        deadline: ContinuousClock.Instant? = nil
    ) async throws -> TransportResponse {
        let request = TransportRequest(request, options: options, deadline: deadline)
        return try await InterceptorChain([policy], transport: transport)(request)
    }

    /// The requests that were sent.
    package var sent: [URLRequest] { transport.requests.map(\.urlRequest) }

    /// A request that has one of everything.
    package static func request(_ method: String, _ url: String, body: String? = nil) -> URLRequest {
        var request = URLRequest(url: Fixture.url(url))
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        request.allHTTPHeaderFields = [
            "Accept": "text/html", "X-Trace": "1",
            "Authorization": "Bearer hunter2", "Cookie": "a=hunter2", "Proxy-Authorization": "Basic hunter2",
            "X-Api-Key": "hunter2", "Origin": "https://a.example", "Host": "virtual.example",
            "Referer": "https://a.example/secret", "Cookie2": "hunter2", "WWW-Authenticate": "hunter2",
        ]
        if body != nil {
            let fields = [
                "Content-Type": "text/plain", "Content-Length": "4", "content-language": "en",
                "CONTENT-ENCODING": "identity",
                "Content-MD5": "x", "Digest": "x", "Expect": "100-continue",
            ]
            for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        }
        return request
    }

    /// Fields that may not be seen by another origin.
    package static let bound = [
        "authorization", "cookie", "cookie2", "host", "origin", "proxy-authorization", "referer", "www-authenticate",
        "x-api-key",
    ]

    /// Fields that mean something with a body only.
    package static let ofBody = [
        "content-encoding", "content-language", "content-length", "content-md5", "content-type", "digest", "expect",
    ]

    /// The names of a request's fields, in lower case and in order.
    package static func names(_ request: URLRequest?) -> [String] {
        (request?.allHTTPHeaderFields ?? [:]).keys.map { $0.lowercased() }.sorted()
    }
}
