import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension NetworkTests {
    /// Each limit: it is not reached early, it ends what would never end, and the error names it.
    ///
    /// How late it comes depends on the machine, and no test says anything about that.
    struct TimeoutTests {
        /// Runs an operation that ends in nothing but a timeout, and checks which, and that it does not come early.
        private func expectTimeout(
            _ phase: TimeoutPhase,
            after limit: Duration,
            _ operation: () async throws -> Void
        ) async throws {
            let start = ContinuousClock.now
            let error = try await failure(of: operation)
            let elapsed = start.duration(to: .now)
            #expect((error as? TransportError)?.code == .timeout(phase), "\(error)")
            #expect(elapsed >= limit)
        }

        @Test func headLimitEndsASilentServer() async throws {
            let server = try LoopbackServer()
            server.route("/", .stall)
            let dispatcher = URLRequestDispatcher.forTests { $0.timeouts.head = .milliseconds(350) }
            try await expectTimeout(.head, after: .milliseconds(350)) {
                _ = try await dispatcher.data(from: server.url("/"))
            }
        }

        @Test func idleLimitIsPushedBackByEveryByte() async throws {
            try await atSomeScale { scale in
                let server = try LoopbackServer()
                server.route(
                    "/",
                    .send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n"),
                    .repeat("x", count: 8, every: .milliseconds(80 * scale))
                )
                let dispatcher = URLRequestDispatcher.forTests { $0.timeouts.idle = .milliseconds(500 * scale) }
                // The body takes longer than the limit, no pause does.
                let response = try await dispatcher.data(from: server.url("/"))
                #expect(response.data?.count == 8)
            }
        }

        @Test("A line of a head that drips pushes the idle limit back", arguments: [true, false])
        func idleLimitIsPushedBackWithinALine(_ isSecondRequest: Bool) async throws {
            try await atSomeScale { scale in
                let server = try LoopbackServer()
                server.route("/before", .response(body: "before"))
                server.route(
                    "/",
                    .send("HTTP/1.1 200 OK\r\nX: "),
                    .repeat("x", count: 8, every: .milliseconds(80 * scale)),
                    .send("\r\nContent-Length: 2\r\n\r\nok")
                )
                let dispatcher = URLRequestDispatcher.forTests { $0.timeouts.idle = .milliseconds(500 * scale) }
                if isSecondRequest { _ = try await dispatcher.data(from: server.url("/before")) }
                #expect(try await dispatcher.data(from: server.url("/")).data == Data("ok".utf8))
            }
        }

        @Test("A request whose limit passes while it waits in the queue is not sent")
        func totalLimitInTheQueue() async throws {
            let server = try LoopbackServer()
            server.route("/first", .hold("first"), .response(body: "first"))
            server.route("/second", .response(body: "second"))
            let dispatcher = URLRequestDispatcher.forTests {
                $0.connections = ConnectionLimits(perHost: 1, total: 8)
            }
            let first = Task { try await dispatcher.data(from: server.url("/first")) }
            await server.waitUntilHeld("first")
            var options = dispatcher.configuration.options
            options.timeouts.total = .milliseconds(100)
            try await expectTimeout(.total, after: .milliseconds(100)) {
                _ = try await dispatcher.data(for: URLRequest(url: server.url("/second")), options: options)
            }
            server.release("first")
            _ = try await first.value
            #expect(server.requests(for: "/second").isEmpty)
        }

        @Test func idleLimitEndsAStalledBody() async throws {
            let server = try LoopbackServer()
            server.route("/", .send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nabc"), .stall)
            let dispatcher = URLRequestDispatcher.forTests { $0.timeouts.idle = .milliseconds(250) }
            try await expectTimeout(.idle, after: .milliseconds(250)) {
                _ = try await dispatcher.data(from: server.url("/"))
            }
        }

        #if os(Linux)
        @Test("A server that stops reading an upload gets the limit once, and not twice")
        func idleLimitEndsAStalledUpload() async throws {
            let server = try LoopbackServer()
            server.route("POST", "/", .ignoreBody, .hold("never"))
            let request = URLRequest("POST", server.url("/"), body: String(repeating: "x", count: 32 << 20))
            try await atSomeScale { scale in
                let dispatcher = URLRequestDispatcher.forTests {
                    $0.timeouts.idle = .milliseconds(300 * scale)
                    $0.timeouts.total = .milliseconds(540 * scale)
                }
                let error = try await failure { try await dispatcher.data(for: request) }
                guard (error as? TransportError)?.code == .timeout(.idle) else { throw error }
            }
        }

        @Test("Without a limit for connecting, the idle limit ends a handshake in which nothing comes")
        func idleLimitEndsASilentHandshake() async throws {
            let server = try RawServer { connection in
                while try !connection.read().isEmpty {}
            }
            let dispatcher = URLRequestDispatcher.forTests {
                $0.timeouts = Timeouts(connect: nil, idle: .milliseconds(300), total: .seconds(60))
            }
            let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
            try await expectTimeout(.idle, after: .milliseconds(300)) { _ = try await dispatcher.data(from: url) }
        }
        #endif

        @Test func totalLimitEndsASlowBody() async throws {
            let server = try LoopbackServer()
            server.route("/", .send("HTTP/1.1 200 OK\r\n\r\n"), .repeat("x", every: .milliseconds(20)))
            let dispatcher = URLRequestDispatcher.forTests { $0.timeouts.total = .milliseconds(400) }
            try await expectTimeout(.total, after: .milliseconds(400)) {
                _ = try await dispatcher.data(from: server.url("/"))
            }
        }

        @Test func totalLimitCountsOverRedirects() async throws {
            let server = try LoopbackServer()
            server.route("/a", .sleep(.milliseconds(300)), .redirect(to: "/b"))
            server.route("/b", .stall)
            let dispatcher = URLRequestDispatcher.forTests { $0.timeouts.total = .milliseconds(600) }
            try await expectTimeout(.total, after: .milliseconds(600)) {
                _ = try await dispatcher.data(from: server.url("/a"))
            }
        }

        @Test func requestMayBringItsOwnLimits() async throws {
            let server = try LoopbackServer()
            server.route("/", .stall)
            let dispatcher = URLRequestDispatcher.forTests()
            var options = dispatcher.configuration.options
            options.timeouts.head = .milliseconds(200)
            try await expectTimeout(.head, after: .milliseconds(200)) {
                _ = try await dispatcher.data(for: URLRequest(url: server.url("/")), options: options)
            }
        }

        @Test func queueLimitEndsARequestThatGetsNoConnection() async throws {
            let server = try LoopbackServer()
            server.route("/held", .hold("gate"), .response(body: "late"))
            let dispatcher = URLRequestDispatcher.forTests {
                $0.connections.perHost = 1
                $0.timeouts.queue = .milliseconds(300)
            }
            async let first = dispatcher.data(from: server.url("/held"))
            await server.waitUntilHeld("gate")
            try await expectTimeout(.queue, after: .milliseconds(300)) {
                _ = try await dispatcher.data(from: server.url("/never"))
            }
            #expect(server.requests(for: "/never").isEmpty)
            server.release("gate")
            #expect(try await first.data == Data("late".utf8))
        }

        @Test func timeInTheQueueCountsForNoOtherLimit() async throws {
            try await atSomeScale { scale in
                let server = try LoopbackServer()
                server.route("/", .sleep(.milliseconds(150 * scale)), .response(body: "ok"))
                let limit = Duration.milliseconds(700 * scale)
                let dispatcher = URLRequestDispatcher.forTests {
                    $0.connections.perHost = 1
                    $0.timeouts = Timeouts(queue: .generous, connect: limit, head: limit, idle: limit)
                }
                // Ten in a row take more than twice as long as any limit but the queue's.
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<10 {
                        group.addTask {
                            let response = try await dispatcher.data(from: server.url("/"))
                            #expect(response.data == Data("ok".utf8))
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(server.acceptedConnections == 1)
            }
        }

        @Test func uploadThatIsNotReadEndsIdle() async throws {
            let server = try LoopbackServer()
            server.route("POST", "/", .ignoreBody, .stall)
            let dispatcher = URLRequestDispatcher.forTests { $0.timeouts.idle = .milliseconds(400) }
            var request = URLRequest(url: server.url("/"), method: .post)
            request.httpBody = Data(count: 32 << 20)
            let sent = request
            try await expectTimeout(.idle, after: .milliseconds(400)) { _ = try await dispatcher.data(for: sent) }
        }

        @Test func headLimitBeginsWhenTheBodyWasSent() async throws {
            try await atSomeScale { scale in
                let server = try LoopbackServer()
                let pause = Duration.milliseconds(600 * scale)
                server.route("POST", "/", .ignoreBody, .sleep(pause), .drainBody, .response(body: "ok"))
                let dispatcher = URLRequestDispatcher.forTests { $0.timeouts.head = .milliseconds(400 * scale) }
                var request = URLRequest(url: server.url("/"), method: .post)
                request.httpBody = Data(count: 32 << 20)
                // Sending takes longer than the limit, because the server does not read for a while.
                let response = try await dispatcher.data(for: request)
                #expect(response.data == Data("ok".utf8))
            }
        }

        @Test func zeroEndsAtOnce() async throws {
            let server = try LoopbackServer()
            let dispatcher = URLRequestDispatcher.forTests { $0.timeouts.total = .zero }
            try await expectTimeout(.total, after: .zero) { _ = try await dispatcher.data(from: server.url("/")) }
        }
    }
}
