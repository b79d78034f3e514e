#if os(Linux)
import PiuPiuAsync
import PiuPiuRecording
import PiuPiuTesting
import TestSupport
import Testing

/// Recordings of exchanges that are observed, without bodies.
@Suite(.timeLimit(.generous)) struct HARTimelineTests {
    private let recorder = HARRecorder()
    private let server: LoopbackServer
    private let retry = RetryPolicy(retries: 1, backoff: Backoff(base: .zero))

    init() throws {
        server = try LoopbackServer()
        server.route("/", .json(#"{"id":1}"#))
    }

    private func dispatcher(
        _ interceptors: [any Interceptor] = [],
        _ configure: (inout URLRequestDispatcher.Configuration) -> Void = { _ in }
    ) -> URLRequestDispatcher {
        .forTests(interceptors: interceptors) {
            $0.observers = [recorder]
            configure(&$0)
        }
    }

    /// What was recorded when nothing is in progress any more, checked as a file and read from it.
    private func recorded(location: SourceLocation = #_sourceLocation) async throws -> [HAR.Entry] {
        while recorder.underWayCount > 0 { await Task.yield() }
        let data = try recorder.har.data()
        #expect(HARFileCheck.problems(data) == [], sourceLocation: location)
        let har = try HAR(data)
        #expect(har == recorder.har, sourceLocation: location)
        return har.entries
    }

    @Test func aResponse() async throws {
        var request = URLRequest(url: server.url("/?a=1"), method: .post)
        request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
        request.httpBody = Data("12345".utf8)
        _ = try await dispatcher().data(for: request)
        let entry = try #require(try await recorded().first)
        #expect(entry.request.method == "POST" && entry.request.url == server.url("/?a=1").absoluteString)
        #expect(entry.request.headers["Authorization"] == "<redacted>")
        #expect(entry.request.bodySize == 5 && entry.request.postData == nil)
        #expect(entry.response.status == 200 && entry.response.error == nil)
        #expect(entry.response.headers["Content-Type"] == "application/json")
        #expect(entry.response.content == HAR.Content(size: 8, mimeType: "application/json", isTruncated: true))
        #expect(entry.response.bodySize == 8 && entry.response.headersSize > 30)
        #expect(entry.response.transferSize == entry.response.bodySize + entry.response.headersSize)
        #expect(entry.request.httpVersion == "HTTP/1.1" && entry.response.httpVersion == "HTTP/1.1")
        #expect(entry.serverIPAddress == "127.0.0.1" && entry.connection.flatMap { Int($0) } != nil)
        #expect(entry.timings.blocked >= 0 && entry.timings.connect >= 0 && entry.timings.ssl == -1)
        let error = try await failure { try await HARFixture.offline(recorder.har).data(for: request) }
        #expect((error as? HARError)?.code == .incompleteEntry || (error as? HARError)?.code == .noMatch)
    }

    @Test func redirectsShareAConnection() async throws {
        server.route("/old", .redirect(to: "/older"))
        server.route("/older", .redirect(to: "/", status: 307))
        let response = try await dispatcher().data(from: server.url("/old"))
        #expect(response.history.count == 2)
        let entries = try await recorded()
        #expect(entries.map(\.response.status) == [302, 307, 200])
        #expect(entries.map(\.request.url) == ["/old", "/older", "/"].map { server.url($0).absoluteString })
        #expect(entries.map { $0.response.headers["Location"] } == ["/older", "/", nil])
        #expect(Set(entries.map(\.connection)).count == 1 && entries[0].connection != nil)
        #expect(entries.map { $0.timings.connect == -1 } == [false, true, true])
        #expect(entries.map { $0.timings.dns == -1 } == [false, true, true])
    }

    @Test func attempts() async throws {
        server.sequence("/busy", [[.response(status: 503, body: "later")], [.response(body: "now")]])
        _ = try await dispatcher([retry]).data(from: server.url("/busy"))
        let entries = try await recorded()
        #expect(entries.map(\.response.status) == [503, 200])
        #expect(entries.map(\.comment) == [nil, "Attempt 2."])
    }

    @Test func failuresToConnect() async throws {
        let port = try RefusingPort()
        await #expect(throws: TransportError.self) { try await dispatcher([retry]).data(from: port.url) }
        let entries = try await recorded()
        #expect(entries.map(\.response.status) == [0, 0])
        #expect(entries.map(\.response.error) == ["cannotConnect", "cannotConnect"])
        for entry in entries {
            #expect(entry.timings.connect >= 0 && entry.timings.wait == 0 && entry.timings.receive == 0)
            #expect(entry.connection == nil)
        }
    }

    @Test func responsesThatBreakOff() async throws {
        server.route("/gone", .close)
        server.route("/cut", .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), .close)
        for path in ["/gone", "/cut"] {
            await #expect(throws: TransportError.self) { try await dispatcher().data(from: server.url(path)) }
        }
        let entries = try await recorded()
        #expect(entries.map(\.response.status) == [0, 200])
        #expect(entries.map(\.response.error) == ["connectionLost", "truncatedBody"])
        #expect(entries.map(\.response.content.size) == [0, 3])
    }

    @Test func cancelledCalls() async throws {
        server.route("/held", .hold("gate"))
        server.route("/endless", .send("HTTP/1.1 200 OK\r\n\r\n"), .repeat("x"))
        let dispatcher = dispatcher { $0.connections = ConnectionLimits(perHost: 1, total: 1) }
        let held = Task { try await dispatcher.data(from: server.url("/held")) }
        await server.waitUntilHeld("gate")
        let queued = Task { try await dispatcher.data(from: server.url("/")) }
        while recorder.underWayCount < 2 { await Task.yield() }
        for task in [queued, held] {
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        for try await _ in try await dispatcher.stream(for: URLRequest(url: server.url("/endless"))).data { break }
        let entries = try await recorded()
        #expect(entries.map(\.response.status) == [0, 0, 200])
        #expect(entries.map(\.response.error) == ["cancelled", "cancelled", "cancelled"])
        // One waited for its response, the other for a connection.
        #expect(entries[0].connection != nil && entries[1].connection == nil)
        #expect(entries[1].timings.total == entries[1].timings.blocked)
        #expect(entries[2].response.content.size > 0)
    }

    @Test(.enabled(if: HTTP2Script.isAvailable, "python3 is needed"))
    func exchangesShareAConnectionOfHTTP2() async throws {
        let count = 20
        let script = try HTTP2Script { exchange in
            if exchange.request.stream == 1 { return exchange.respond(body: "a") }
            exchange.hold("gate") { $0.respond(200, body: "abc") }
        }
        let dispatcher = dispatcher { $0.transport.certificateAuthorityFile = script.authority }
        _ = try await dispatcher.data(from: script.url("/first"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask { _ = try await dispatcher.data(from: script.url("/\(number)")) }
            }
            await script.waitUntilHeld("gate", count: count)
            script.release("gate")
            try await group.waitForAll()
        }
        let entries = try await recorded()
        #expect(entries.count == count + 1 && entries.allSatisfy { $0.response.status == 200 })
        #expect(entries.allSatisfy { $0.response.httpVersion == "HTTP/2" && $0.response.headersSize == -1 })
        #expect(Set(entries.map(\.connection)).count == 1)
        #expect(entries[0].timings.ssl >= 0 && entries[0].timings.connect >= entries[0].timings.ssl)
        #expect(entries.dropFirst().allSatisfy { $0.timings.connect == -1 && $0.timings.ssl == -1 })
        // All were sent before one was answered.
        let starts = entries.dropFirst().compactMap { RFC3339.date(from: $0.startedDateTime) }
        let ends = zip(starts, entries.dropFirst()).map { $0 + $1.timings.total / 1000 }
        #expect(try #require(starts.max()) <= #require(ends.min()))
    }

    @Test func aHundredInFlight() async throws {
        server.route("/held", .hold("gate"), .response(body: "abc"))
        let dispatcher = dispatcher { $0.connections = ConnectionLimits(perHost: 10, total: 10) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask { _ = try await dispatcher.data(from: server.url("/held?\(number)")) }
            }
            while recorder.underWayCount < 100 { await Task.yield() }
            #expect(recorder.har.entries.isEmpty)
            await server.waitUntilHeld("gate", count: 10)
            server.release("gate")
            try await group.waitForAll()
        }
        let entries = try await recorded()
        #expect(entries.count == 100 && Set(entries.map(\.request.url)).count == 100)
        #expect(entries.allSatisfy { $0.response.status == 200 && $0.response.content.size == 3 })
        #expect(Set(entries.map(\.connection)).count <= 10)
    }

    @Test func whatDoesNotFitIsCounted() async throws {
        let small = HARRecorder(maximumSize: 2000)
        let dispatcher = URLRequestDispatcher.forTests { $0.observers = [small] }
        server.route("/large", .response(headers: ["X-Large": String(repeating: "x", count: 1000)]))
        for _ in 0..<3 { _ = try await dispatcher.data(from: server.url("/large")) }
        #expect(small.har.entries.count == 1 && small.skippedCount == 2)
        #expect(HARFileCheck.problems(try small.har.data()) == [])
    }

    @Test func observedExchangesAreSaved() async throws {
        let folder = try DownloadFolder()
        let saving = HARRecorder(savingTo: folder["a.har"])
        let dispatcher = URLRequestDispatcher.forTests { $0.observers = [saving] }
        for _ in 0..<3 { _ = try await dispatcher.data(from: server.url("/")) }
        while (try? HAR(contentsOf: folder["a.har"]).entries.count) != 3 { await Task.yield() }
    }

    @Test func aTransportThatReportsLittle() async throws {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = [recorder]
        let scripted = URLRequestDispatcher(
            configuration: configuration,
            transport: ScriptedTransport { .scripted(200, for: $0, body: "abc") }
        )
        _ = try await scripted.data(from: Fixture.url("https://example.com/"))
        let entry = try #require(try await recorded().first)
        #expect(entry.response.status == 200 && entry.response.content.isTruncated)
        #expect(entry.connection == nil && entry.timings.connect == -1)
    }

    @Test func anotherProgramReadsTheFile() async throws {
        let python = try? Command("python3")
        guard let python, try await python.exitStatus(["-c", "import haralyzer"]) == 0 else {
            print("Skipped: python3 has no haralyzer, an independent reader of HAR files")
            return
        }
        server.route("/old", .redirect(to: "/"))
        _ = try await dispatcher().data(from: server.url("/old"))
        let folder = try DownloadFolder()
        try await recorder.save(to: folder["a.har"])
        let program = """
            import sys, haralyzer
            pages = haralyzer.HarParser.from_file(sys.argv[1]).pages
            entries = [entry for page in pages for entry in page.entries]
            assert len(pages) == 1, pages
            assert [entry.status for entry in entries] == [302, 200], entries
            assert all(entry.time >= 0 and entry.startTime for entry in entries)
            assert entries[0].startTime <= entries[1].startTime
            assert entries[0].serverAddress == "127.0.0.1"
            """
        try python.run("-c", program, folder["a.har"].path(percentEncoded: false))
    }
}
#endif
