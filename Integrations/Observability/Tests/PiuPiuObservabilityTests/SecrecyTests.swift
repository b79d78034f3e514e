import Logging
import PiuPiuAsync
import PiuPiuTesting
import Testing
import Tracing

@testable import PiuPiuObservability

/// No observer shows what must stay between a client and a server.
@Suite(.timeLimit(.minutes(2))) struct SecrecyTests {
    /// An error of someone's own, whose description has a secret.
    struct Careless: Error, CustomStringConvertible {
        var description: String { "planted-secret" }
    }

    @Test func secretsAppearNowhere() async throws {
        let bench = try Bench(interceptors: [RetryPolicy.prompt])
        bench.server.sequence(
            "/start",
            [[.response(status: 503, headers: ["Set-Cookie": "id=planted-secret"], body: "planted-secret")]]
                + [[.redirect(to: "/next?key=planted-secret#planted-secret")]]
        )
        bench.server.route("/next", .response(status: 404, reason: "planted-secret", body: "planted-secret"))
        bench.server.route("/broken", .send("HTTP/1.1 planted-secret\r\n\r\n"), .close)
        bench.server.route("/cut", .send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nplanted-secret"), .close)
        let port = try RefusingPort()
        for target in [
            "127.0.0.1:\(bench.server.port)/start", "127.0.0.1:\(bench.server.port)/broken",
            "127.0.0.1:\(bench.server.port)/cut", "127.0.0.1:\(port.port)/",
        ] {
            let text = "http://anna:planted-secret@\(target)?token=planted-secret#planted-secret"
            let url = try #require(URL(string: text))
            var request = URLRequest(url: url)
            for name in ["Authorization", "Cookie", "X-Api-Key"] {
                request.setValue("planted-secret", forHTTPHeaderField: name)
            }
            request.httpBody = Data("planted-secret".utf8)
            request.httpMethod = "PUT"
            _ = try? await bench.dispatcher.data(for: request)
        }
        await bench.dispatcher.shutdown()

        #expect(bench.server.requests.contains { $0.header("X-Api-Key") == "planted-secret" })
        #expect(bench.spans.count >= 6)
        #expect(bench.lines.count == bench.spans.count)
        #expect(bench.timers.count >= 5)
        let reported =
            bench.lines.map { "\($0.level) \($0.message) \($0.metadata)" }
            + bench.spans.map {
                "\($0.operationName) \($0.texts) \(String(describing: $0.status)) \($0.errors) \($0.events)"
            }
            + bench.factory.timers.map { "\($0.label) \($0.dimensions)" }
            + bench.factory.meters.map { "\($0.label) \($0.dimensions)" }
        for text in reported {
            #expect(!text.contains("planted"))
            #expect(!text.contains("anna"))
        }
    }

    @Test func descriptionsOfForeignErrorsAreNotShown() {
        let summary = ExchangeSummary(outcome: .failure(Careless()))
        #expect(summary.errorMessage == nil)
        #expect(ExchangeEnding(summary) == .failure("Careless"))
        let own = ExchangeSummary(outcome: .failure(TransportError(.connectionLost)))
        #expect(own.errorMessage == "The connection ended before the response arrived")
    }
}
