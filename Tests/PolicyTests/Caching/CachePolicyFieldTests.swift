import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

/// The cache policy of a request speaks to the caches on the way, too.
struct CachePolicyFieldTests {
    @Test(
        arguments: [
            (.useProtocolCachePolicy, nil, nil, nil), (.reloadIgnoringLocalCacheData, nil, nil, nil),
            (.reloadIgnoringLocalAndRemoteCacheData, nil, "no-cache", "no-cache"),
            (.reloadIgnoringLocalAndRemoteCacheData, "max-age=5", "max-age=5", nil),
            (.reloadRevalidatingCacheData, nil, "max-age=0", nil),
            (.reloadRevalidatingCacheData, "no-store", "no-store", nil),
        ] as [(URLRequest.CachePolicy, String?, String?, String?)],
        [false, true]
    )
    func thePolicyIsSent(
        row: (policy: URLRequest.CachePolicy, own: String?, control: String?, pragma: String?),
        hasCache: Bool
    ) async throws {
        let transport = ScriptedTransport { request in
            TransportResponse(
                head: ResponseHead(
                    url: Fixture.url("http://example.com"),
                    statusCode: .ok,
                    headers: ["Cache-Control": "max-age=60", "ETag": "\"a\""]
                ),
                body: Data("body".utf8),
                urlRequest: request.urlRequest
            )
        }
        let cache = ResponseCache(.memory(limit: 100_000))
        let dispatcher = URLRequestDispatcher(interceptors: hasCache ? [cache] : [], transport: transport)
        var request = Fixture.request
        // Something is stored, which the policy has to reach beyond.
        _ = try await dispatcher.data(for: request)
        request.cachePolicy = row.policy
        request.setValue(row.own, forHTTPHeaderField: "Cache-Control")
        _ = try await dispatcher.data(for: request)
        let isAnswered = hasCache && row.policy == .useProtocolCachePolicy
        #expect(transport.requests.count == (isAnswered ? 1 : 2))
        guard !isAnswered, let sent = transport.requests.last?.urlRequest else { return }
        #expect(sent.value(forHTTPHeaderField: "Cache-Control") == row.control)
        #expect(sent.value(forHTTPHeaderField: "Pragma") == row.pragma)
    }
}
