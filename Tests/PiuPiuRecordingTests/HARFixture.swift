import PiuPiuAsync
import PiuPiuRecording
import TestSupport
import Testing

/// What the tests of recordings share.
enum HARFixture {
    /// A transport that must not be reached.
    static func noNetwork() -> ScriptedTransport {
        ScriptedTransport { request in
            Issue.record("The network was asked for \(request.urlRequest.url?.path ?? "")")
            throw TransportError(.cannotConnect)
        }
    }

    /// A dispatcher that answers from a recording only.
    static func offline(
        _ har: HAR,
        _ matching: HARMatching = .strict,
        redirects: RedirectPolicy? = RedirectPolicy(allowsCycles: true)
    ) -> URLRequestDispatcher {
        let replayer = HARReplayer(har, matching: matching, redirects: redirects)
        return URLRequestDispatcher(interceptors: [replayer], transport: noNetwork())
    }

    /// A dispatcher that answers from a script and records it.
    static func recording(
        with recorder: HARRecorder,
        sensitiveHeaders: [String] = [],
        _ script: @escaping ScriptedTransport.Script
    ) -> URLRequestDispatcher {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.sensitiveHeaders = sensitiveHeaders
        return URLRequestDispatcher(
            configuration: configuration,
            interceptors: [recorder],
            transport: ScriptedTransport(script)
        )
    }

    /// An entry for a URL.
    static func entry(
        _ method: String,
        _ url: String,
        headers: HTTPHeaderFields = [:],
        postData: HAR.PostData? = nil,
        status: Int = 200,
        responseHeaders: HTTPHeaderFields = [:],
        body: String = ""
    ) -> HAR.Entry {
        HAR.Entry(
            request: HAR.Request(method: method, url: url, headers: headers, postData: postData),
            response: HAR.Response(
                status: status,
                headers: responseHeaders,
                content: HAR.Content(Data(body.utf8), mimeType: responseHeaders["Content-Type"] ?? "")
            )
        )
    }

    /// An entry for `GET` and a URL.
    static func entry(_ url: String, headers: HTTPHeaderFields = [:], body: String = "") -> HAR.Entry {
        entry("GET", url, headers: headers, body: body)
    }

    /// A request for `GET` and a URL.
    static func request(_ url: String, headers: [String: String] = [:]) -> URLRequest {
        request("GET", url, headers: headers)
    }

    /// A request for a URL.
    static func request(
        _ method: String,
        _ url: String,
        headers: [String: String] = [:],
        body: String? = nil
    ) -> URLRequest {
        var request = URLRequest(url: Fixture.url(url))
        request.httpMethod = method
        request.allHTTPHeaderFields = headers
        request.httpBody = body.map { Data($0.utf8) }
        return request
    }
}

extension URLRequestDispatcher {
    /// The body of a response as text.
    func text(_ request: URLRequest) async throws -> String {
        String(decoding: try await data(for: request).data ?? Data(), as: UTF8.self)
    }
}

/// A post as the samples and the servers of the tests have it.
struct Post: Codable, Sendable {
    var id: Int
    var title: String
}
