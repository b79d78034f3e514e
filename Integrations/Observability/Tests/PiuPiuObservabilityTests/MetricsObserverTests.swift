import MetricsTestKit
import PiuPiuAsync
import PiuPiuTesting
import Testing

@testable import PiuPiuObservability

@Suite(.timeLimit(.minutes(2))) struct MetricsObserverTests {
    @Test func aResponseIsMeasuredWithTheConventionsLabels() async throws {
        let bench = try Bench()
        bench.server.route("/users/7", .response(body: "hello"))
        var options = RequestOptions()
        options.routeTemplate = "/users/{id}"

        let clock = ContinuousClock()
        let time = try await clock.measure {
            _ = try await bench.dispatcher.data(from: bench.server.url("/users/7?token=1"), options: options)
        }

        let request = [
            ("http.request.method", "GET"), ("server.address", "127.0.0.1"), ("server.port", "\(bench.server.port)"),
            ("url.scheme", "http"), ("url.template", "/users/{id}"),
        ]
        let timer = try bench.factory.expectTimer(
            "http.client.request.duration",
            request + [("http.response.status_code", "200"), ("network.protocol.version", "1.1")]
        )
        #expect(bench.timers.count == 1)
        #expect(timer.displayUnit == .seconds)
        #expect(timer.values.count == 1)
        #expect(timer.lastValue.map { $0 > 0 && Duration.nanoseconds($0) <= time } == true)
        let meter = try bench.factory.expectMeter("http.client.active_requests", request)
        #expect(meter.values == [1, 0])
        #expect(bench.isSettled)
    }

    @Test func endingsAreToldApart() async throws {
        let bench = try Bench(interceptors: [RetryPolicy.prompt])
        bench.server.route("/ok", .response())
        bench.server.route("/missing", .response(status: 404))
        bench.server.sequence("/busy", [[.response(status: 503)], [.response()]])
        bench.server.route("/old", .redirect(to: "/ok"))
        bench.server.route("/stall", .stall)
        for path in ["/ok", "/missing", "/busy", "/old"] {
            _ = try await bench.dispatcher.data(from: bench.server.url(path))
        }
        var request = URLRequest(url: bench.server.url("/ok"))
        request.httpMethod = "BREW"
        _ = try await bench.dispatcher.data(for: request)
        let port = try RefusingPort()
        _ = try? await bench.dispatcher.data(from: port.url)
        let call = Task { try await bench.dispatcher.data(from: bench.server.url("/stall")) }
        await bench.server.waitForRequests(1, path: "/stall")
        call.cancel()
        _ = await call.result
        await bench.dispatcher.shutdown()

        let counts = Dictionary(bench.timers.map { ($0.dimensions.text, $0.values.count) }) { $0 + $1 }
        let get = "http.request.method=GET"
        #expect(
            counts == [
                "\(get) http.response.status_code=200 network.protocol.version=1.1": 3,
                "\(get) http.response.status_code=302 network.protocol.version=1.1": 1,
                "\(get) http.response.status_code=404 error.type=404 network.protocol.version=1.1": 1,
                "\(get) http.response.status_code=503 error.type=503 network.protocol.version=1.1": 1,
                "\(get) error.type=cancelled network.protocol.version=1.1": 1,
                "\(get) error.type=cannotConnect": 3,
                "http.request.method=_OTHER http.response.status_code=200 network.protocol.version=1.1": 1,
            ]
        )
        #expect(bench.isSettled)
    }

    @Test func aRequestIsActiveUntilItsStreamEnds() async throws {
        let bench = try Bench()
        bench.server.route("/", .send("HTTP/1.1 200 OK\r\n\r\n"), .repeat("x"))

        func readOneChunk() async throws {
            let body = try await bench.dispatcher.stream(for: URLRequest(url: bench.server.url("/"))).data
            for try await _ in body {
                #expect(bench.factory.meters.map(\.lastValue) == [1])
                break
            }
        }
        try await readOneChunk()
        await bench.dispatcher.shutdown()

        #expect(bench.factory.meters.map(\.values) == [[1, 0]])
        #expect(bench.isSettled)
    }

    @Test func serversBeyondTheLimitShareAnAddress() async throws {
        let bench = try Bench(measuring: { MetricsObserver(factory: $0, maximumServers: 1) })
        bench.server.route("/", .response())
        _ = try await bench.dispatcher.data(from: bench.server.url("/"))
        let localhost = try #require(URL(string: "http://localhost:\(bench.server.port)/"))
        _ = try await bench.dispatcher.data(from: localhost)
        let other = try LoopbackServer()
        other.route("/", .response())
        _ = try await bench.dispatcher.data(from: other.url("/"))
        _ = try await bench.dispatcher.data(from: bench.server.url("/"))

        func timers(of address: String) -> [TestTimer] {
            bench.factory.timers(label: "http.client.request.duration", dimensions: [("server.address", address)])
        }
        #expect(timers(of: "127.0.0.1").map(\.values.count) == [2])
        let rest = timers(of: "_OTHER")
        #expect(rest.map(\.values.count) == [2])
        #expect(
            rest.first?.dimensions.map(\.0) == [
                "http.request.method", "server.address", "http.response.status_code", "network.protocol.version",
            ]
        )
        #expect(bench.timers.count == 2)
        #expect(bench.isSettled)
    }

    @Test func labelsBeyondTheLimitAreCountedTogether() async throws {
        let bench = try Bench(measuring: { MetricsObserver(factory: $0, maximumLabelSets: 3) })
        for status in 200..<220 { bench.server.route("/\(status)", .response(status: status)) }

        for _ in 1...2 {
            for status in 200..<220 { _ = try await bench.dispatcher.data(from: bench.server.url("/\(status)")) }
        }

        #expect(bench.timers.count == 3)
        let rest = try bench.factory.expectTimer(
            "http.client.request.duration",
            [("http.request.method", "_OTHER"), ("server.address", "_OTHER")]
        )
        #expect(rest.values.count == 36)
        #expect(bench.timers.reduce(0) { $0 + $1.values.count } == 40)
    }

    @Test func theLimitHoldsUnderConcurrency() async {
        let table = MetricTable<Int, Int>(maximum: 10, other: -1)
        let made = Protected<Set<Int>>([])
        await withTaskGroup(of: Void.self) { group in
            for label in 0..<1_000 {
                group.addTask {
                    let metric = table.metric(label % 100) { label in
                        made.withLock { _ = $0.insert(label) }
                        return label
                    }
                    #expect(metric == label % 100 || metric == -1)
                }
            }
        }
        #expect(made.withLock { $0.count } == 10)
    }

    @Test func absentLabelsCanBeEmpty() async throws {
        let bench = try Bench(measuring: { MetricsObserver(factory: $0, maximumServers: 0, fillsAbsentLabels: true) })
        bench.server.route("/", .response())
        _ = try await bench.dispatcher.data(from: bench.server.url("/"))
        let port = try RefusingPort()
        _ = try? await bench.dispatcher.data(from: port.url)

        let names = [
            "http.request.method", "server.address", "server.port", "url.scheme", "url.template",
            "http.response.status_code", "error.type", "network.protocol.version",
        ]
        #expect(bench.timers.count == 2)
        for timer in bench.timers { #expect(timer.dimensions.map(\.0) == names) }
        let errors = bench.timers.map { timer in timer.dimensions.first { $0.0 == "error.type" }?.1 }
        #expect(Set(errors) == ["", "cannotConnect"])
    }

    @Test func durationsAreClamped() {
        #expect(Duration.seconds(-1).clampedNanoseconds == 0)
        #expect(Duration.nanoseconds(1_500_000_001).clampedNanoseconds == 1_500_000_001)
        #expect(Duration(secondsComponent: .max, attosecondsComponent: 0).clampedNanoseconds == .max)
        let almost = Duration(secondsComponent: 9_223_372_036, attosecondsComponent: 999_999_999_999_999_999)
        #expect(almost.clampedNanoseconds == .max)
    }
}
