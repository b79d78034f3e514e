import InMemoryTracing
import PiuPiuAsync
import PiuPiuTesting
import Testing

@testable import PiuPiuObservability

/// Nothing is lost or left over under load.
@Suite(.timeLimit(.minutes(5))) struct LoadTests {
    @Test func aThousandConcurrentExchangesLeaveNothingBehind() async throws {
        let bench = try Bench()
        bench.server.route("/ok", .response(body: "hello"))
        bench.server.route("/missing", .response(status: 404))
        bench.server.route("/lost", .close)
        bench.server.route("/long", .send("HTTP/1.1 200 OK\r\n\r\n"), .repeat("x"))
        bench.server.route("/stall", .stall)

        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<1_000 {
                group.addTask {
                    switch number % 10 {
                    case 0: _ = try await bench.dispatcher.data(from: bench.server.url("/missing"))
                    case 1: _ = try? await bench.dispatcher.data(from: bench.server.url("/lost"))
                    case 2:
                        let body = try await bench.dispatcher.stream(for: URLRequest(url: bench.server.url("/long")))
                            .data
                        for try await _ in body { break }
                    case 3:
                        let call = Task { try await bench.dispatcher.data(from: bench.server.url("/stall")) }
                        if number % 20 == 3 { await Task.yield() }
                        call.cancel()
                        _ = await call.result
                    default: _ = try await bench.dispatcher.data(from: bench.server.url("/ok"))
                    }
                }
            }
            try await group.waitForAll()
        }
        await bench.dispatcher.shutdown()

        let spans = bench.spans
        // A call that was cancelled early enough began no exchange.
        #expect((900...1_000).contains(spans.count))
        #expect(Set(spans.map(\.spanID)).count == spans.count)
        #expect(bench.lines.count == spans.count)
        #expect(bench.timers.reduce(0) { $0 + $1.values.count } == spans.count)
        #expect(spans.count { $0.texts["error.type"] == "404" } == 100)
        #expect(spans.count { $0.texts["error.type"] == nil } == 600)
        #expect(
            spans.count {
                $0.texts["error.type"] == "cancelled" && $0.attributes.get("http.response.status_code") != nil
            } == 100
        )
        #expect(bench.isSettled)

        // Each request carries the span of its own exchange. A lost one is sent again by the transport, as the same exchange.
        let requests = bench.server.requests
        let sent = requests.filter { $0.path != "/lost" }.compactMap { $0.header(InMemoryTracer.spanIDKey) }
        #expect(Set(sent).count == sent.count)
        let paths = Dictionary(uniqueKeysWithValues: spans.map { ($0.spanID, $0.texts["url.full"] ?? "") })
        for request in requests {
            #expect(paths[request.header(InMemoryTracer.spanIDKey) ?? ""]?.hasSuffix(request.path) == true)
        }
    }
}
