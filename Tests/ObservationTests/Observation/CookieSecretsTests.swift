import PiuPiuAsync
import PiuPiuRecording
import SuiteSupport
import TestSupport
import Testing

/// A secret in a cookie, which the jar stores and sends while everything that can tell of it is on.
@Suite(.timeLimit(.generous)) struct CookieSecretsTests {
    private static let secret = SecretSearch.secret

    /// Sets the cookie, redirects, fails, and repeats what it got where servers do.
    private static func site() -> ScriptedTransport {
        ScriptedTransport { request in
            let cookie = request.urlRequest.value(forHTTPHeaderField: "Cookie") ?? "none"
            // Under the name of a secret, in a text, within a path, and as JSON and URLs spell it.
            let body = #"{"cookie":"\#(cookie)","text":"you sent \#(cookie)!","path":"/of/\#(secret)/"}"#
            let fields: HTTPHeaderFields = [
                "Set-Cookie": "id=\(secret); Path=/", "Set-Cookie": "\(secret)", "Content-Type": "application/json",
            ]
            switch request.urlRequest.url?.path {
            case "/login":
                var fields = fields
                fields["Location"] = "/denied"
                return .scripted(303, for: request, headers: fields)
            case "/denied": return .scripted(403, for: request, headers: fields, body: body)
            case "/broken": throw TransportError(.connectionLost, request: request.urlRequest)
            default: return .scripted(200, for: request, headers: fields, body: body)
            }
        }
    }

    @Test func nothingShowsTheValueOfACookie() async throws {
        let (lines, bodies, statistics) = (LogLines(), LogLines(), Statistics())
        let (observer, interceptor) = (HARRecorder(), HARRecorder())
        let jar = CookieJar()
        var configuration = URLRequestDispatcher.Configuration()
        configuration.cookies = jar
        configuration.observers = [lines.observer(), bodies.observer(bodies: .upTo(200)), statistics, observer]
        let dispatcher = URLRequestDispatcher(
            configuration: configuration,
            interceptors: [interceptor, RetryPolicy(retries: 1, backoff: Backoff(base: .zero))],
            transport: Self.site()
        )
        var shown: [Any] = [jar, configuration, dispatcher]
        for path in ["/login", "/denied", "/broken", "/"] {
            do {
                let response = try await dispatcher.data(from: Fixture.url("https://example.com\(path)"))
                shown += [response, try response.urlRequest.curlCommand()]
                _ = try response.validated()
            } catch {
                shown += [error, error.localizedDescription, (error as NSError).userInfo]
            }
        }
        // Two: one with the secret as its value, and one that is nothing else.
        #expect(jar.snapshot.cookies.map(\.value) == [Self.secret, Self.secret])
        #expect(lines.texts.count >= 5)
        #expect(bodies.texts.contains { $0.contains("you sent <redacted>") })
        for line in lines.texts + bodies.texts { #expect(!SecretSearch.isFound(in: line), "\(line)") }
        shown += [statistics, statistics.snapshot(), statistics.snapshot().prometheusText, jar.snapshot]
        for recorder in [observer, interceptor] {
            let text = String(decoding: try recorder.har.data(), as: UTF8.self)
            #expect(recorder.har.entries.count >= 4)
            shown += [recorder, recorder.har, text]
        }
        for value in shown {
            for showing in SecretSearch.showings(of: value) {
                #expect(!showing.tells, "\(type(of: value)), \(showing.way): \(showing.text.prefix(600))")
            }
        }
    }
}
