#if os(Linux)
import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension NetworkTests {
    /// Fields whose values look like the notation in which they are handed on.
    struct OddFieldsTests {
        static let values = [
            "a:", ":", "a;", ";", "a: b", "a; b:", "::", ";:", "X: y;", "", " ", "a\tb", "é", "\"", "a,b,", "%00",
            "\u{202E}:", String(repeating: ":", count: 9_000),
        ]

        @Test(arguments: values) func valuesArriveAsTheyAre(_ value: String) async throws {
            let expected = value == " " ? "" : value
            let http1 = try LoopbackServer()
            http1.route("/", .response(body: "ok"))
            let http2 = try HTTP2Script(tls: nil) { $0.respond(body: $0.request["x-odd"] ?? "none") }
            let dispatcher = URLRequestDispatcher.forTests { $0.transport.cleartextHTTP2 = [http2.url("/")] }
            func request(_ url: URL) -> URLRequest {
                var request = URLRequest(url: url)
                request.setValue(value, forHTTPHeaderField: "X-Odd")
                request.setValue("last", forHTTPHeaderField: "X-Last")
                return request
            }
            _ = try await dispatcher.data(for: request(http1.url("/")))
            #expect(http1.requests.first?.header("X-Odd") == expected)
            #expect(http1.requests.first?.header("X-Last") == "last")
            let response = try await dispatcher.data(for: request(http2.url("/")))
            #expect(response.head?.httpVersion == "HTTP/2")
            #expect(String(decoding: response.data ?? Data(), as: UTF8.self) == expected)
        }
    }
}
#endif
