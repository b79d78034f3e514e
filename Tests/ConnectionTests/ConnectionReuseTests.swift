import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension NetworkTests {
    /// Which requests share a connection, and what happens when a shared one turns out to be dead.
    struct ConnectionReuseTests {
        @Test func requestsInARowShareAConnection() async throws {
            let server = try LoopbackServer()
            server.route("/", .response(body: "ok"))
            let dispatcher = URLRequestDispatcher.forTests()
            var reused: [Bool] = []
            for _ in 0..<5 {
                let response = try await dispatcher.data(from: server.url("/"))
                reused.append(response.metrics?.isReusedConnection ?? false)
            }
            #expect(server.acceptedConnections == 1)
            #expect(reused == [false, true, true, true, true])
        }

        @Test("Limits of any size are limits")
        func hugeLimits() async throws {
            let server = try LoopbackServer()
            server.route("/", .response(body: "ok"))
            let dispatcher = URLRequestDispatcher.forTests {
                $0.connections = ConnectionLimits(perHost: .max, total: .max, streamsPerHost: .max)
            }
            for _ in 0..<2 { #expect(try await dispatcher.data(from: server.url("/")).data == Data("ok".utf8)) }
            #expect(server.acceptedConnections == 1)
        }

        @Test func anExchangeOwesNothingToTheOneBefore() async throws {
            let server = try LoopbackServer()
            server.route("/", .response(body: "ok"))
            let dispatcher = URLRequestDispatcher.forTests { $0.connections = ConnectionLimits(perHost: 1, total: 1) }
            func send(_ method: HTTPMethod, _ headers: [String: String] = [:], body: String? = nil) async throws
                -> Bool?
            {
                var request = URLRequest(url: server.url("/"), method: method)
                for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
                request.httpBody = body.map { Data($0.utf8) }
                let response = try await dispatcher.data(for: request)
                #expect(response.data == (method == .head ? nil : Data("ok".utf8)))
                return response.metrics?.isReusedConnection
            }
            let others: [(HTTPMethod, [String: String], String?)] = [
                (.get, ["Accept-Encoding": "identity"], nil), (.get, ["Connection": "close"], nil),
                (.get, ["X-A": "b"], nil),
                (.post, [:], "body"), (.post, [:], String(repeating: "x", count: 100_000)), (.put, [:], ""),
                (.head, [:], nil),
                (.delete, [:], nil), (.options, [:], nil),
            ]
            #expect(try await send(.get) == false)
            for (method, headers, body) in others {
                #expect(try await send(method, headers, body: body) == true, "\(method) \(headers)")
                #expect(try await send(.get) == (headers["Connection"] == nil), "GET after \(method) \(headers)")
                #expect(try await send(.get) == true)
            }
            let plain = server.requests.first
            #expect(plain?.header("Accept-Encoding") != nil)
            #expect(server.requests.count == 1 + 3 * others.count)
            for (index, request) in server.requests.enumerated() where index % 3 != 1 {
                #expect(request.method == "GET" && request.body.isEmpty, "request \(index)")
                #expect(request.headers.map(\.name) == plain?.headers.map(\.name), "request \(index)")
                #expect(request.header("Accept-Encoding") == plain?.header("Accept-Encoding"), "request \(index)")
            }
        }

        @Test func aRequestThatIsTooLongLeavesNothingBehind() async throws {
            let server = try LoopbackServer()
            server.route("/", .response(body: "ok"))
            let dispatcher = URLRequestDispatcher.forTests { $0.connections = ConnectionLimits(perHost: 1, total: 1) }
            _ = try await dispatcher.data(from: server.url("/"))
            // Longer than the server takes.
            let tooLong = try #require(
                URL(string: server.url("/?").absoluteString + String(repeating: "a", count: 8_100_000))
            )
            var post = URLRequest(url: tooLong, method: .post)
            post.httpBody = Data("body".utf8)
            await #expect(throws: TransportError.self) { try await dispatcher.data(for: post) }
            _ = try await dispatcher.data(from: server.url("/"))
            #expect(server.requests.map(\.method) == ["GET", "GET"])
        }

        @Test func limitPerHostHoldsAndNobodyIsForgotten() async throws {
            let server = try LoopbackServer()
            server.route("/", .sleep(.milliseconds(2)), .response(body: "ok"))
            let dispatcher = URLRequestDispatcher.forTests { $0.connections = ConnectionLimits(perHost: 4, total: 100) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        let response = try await dispatcher.data(from: server.url("/"))
                        #expect(response.data == Data("ok".utf8))
                    }
                }
                try await group.waitForAll()
            }
            #expect(server.acceptedConnections <= 4)
            #expect(server.requests.count == 200)
        }

        @Test func limitInAllHoldsOverServers() async throws {
            let servers = try (0..<4).map { _ in try LoopbackServer() }
            for server in servers { server.route("/", .hold("gate"), .response(body: "ok")) }
            let dispatcher = URLRequestDispatcher.forTests { $0.connections = ConnectionLimits(perHost: 2, total: 5) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<16 {
                    group.addTask { _ = try await dispatcher.data(from: servers[index % 4].url("/")) }
                }
                while try await dispatcher.exchangeCount() < 16 { await Task.yield() }
                while servers.reduce(0, { $0 + $1.openConnections }) < 5 { await Task.yield() }
                #expect(servers.reduce(0) { $0 + $1.openConnections } == 5)
                for server in servers { server.release("gate") }
                try await group.waitForAll()
            }
            #expect(servers.reduce(0) { $0 + $1.requests.count } == 16)
        }

        @Test(arguments: [1, 2, 3])
        func severalEventLoopsShareTheLimits(_ loops: Int) async throws {
            let server = try LoopbackServer()
            server.route("/", .response(body: "ok"))
            let dispatcher = URLRequestDispatcher.forTests {
                $0.transport.eventLoops = loops
                $0.connections = ConnectionLimits(perHost: 5, total: 7)
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<100 { group.addTask { _ = try await dispatcher.data(from: server.url("/")) } }
                try await group.waitForAll()
            }
            #expect(server.requests.count == 100)
            #expect(server.acceptedConnections <= 5)
            await dispatcher.shutdown()
            #expect(await server.waitForOpenConnections(atMost: 0))
        }

        @Test func connectionCloseIsHonoured() async throws {
            let server = try LoopbackServer()
            server.route("/", .response(headers: ["Connection": "close"], body: "bye"), .close)
            let dispatcher = URLRequestDispatcher.forTests()
            for _ in 0..<3 {
                let response = try await dispatcher.data(from: server.url("/"))
                #expect(response.data == Data("bye".utf8))
            }
            #expect(server.acceptedConnections == 3)
        }

        @Test func connectionCloseOfTheCallerIsHonoured() async throws {
            let server = try LoopbackServer()
            server.route("/", .response(body: "ok"))
            let dispatcher = URLRequestDispatcher.forTests()
            for _ in 0..<2 {
                _ = try await dispatcher.data(for: URLRequest("GET", server.url("/"), headers: ["Connection": "close"]))
            }
            #expect(server.acceptedConnections == 2)
            #expect(server.requests.last?.header("Connection") == "close")
        }

        /// The server answers once and then closes, without a word, when the second request of the connection arrives.
        private func staleServer(method: String) throws -> LoopbackServer {
            let server = try LoopbackServer()
            server.route("/first", .response(body: "first"))
            server.sequence(method, "/second", [[.close], [.response(body: "second")]])
            return server
        }

        @Test(arguments: ["GET", "PUT", "DELETE"])
        func deadConnectionIsReplacedForAnIdempotentRequest(_ method: String) async throws {
            let server = try staleServer(method: method)
            let dispatcher = URLRequestDispatcher.forTests()
            _ = try await dispatcher.data(from: server.url("/first"))
            let request = URLRequest(method, server.url("/second"), body: method == "PUT" ? "body" : nil)
            let response = try await dispatcher.data(for: request)
            #expect(response.data == Data("second".utf8))
            #expect(server.requests(for: "/second").count == 2)
            #expect(server.acceptedConnections == 2)
        }

        @Test(arguments: ["", "small", String(repeating: "large", count: 50_000)])
        func deadConnectionNeverSendsAPostTwice(_ body: String) async throws {
            let server = try staleServer(method: "POST")
            let dispatcher = URLRequestDispatcher.forTests()
            _ = try await dispatcher.data(from: server.url("/first"))
            let request = URLRequest("POST", server.url("/second"), body: body)
            let error = try await failure { try await dispatcher.data(for: request) }
            #expect((error as? TransportError)?.code == .connectionLost, "\(error)")
            #expect(server.requests(for: "/second").count == 1)
            // The next one goes through.
            #expect(try await dispatcher.data(for: request).data == Data("second".utf8))
        }

        @Test func aPostThatWasSentIsNeverSafeToRetryEvenWhereTheServerIsGone() async throws {
            let server = try LoopbackServer()
            server.route("/first", .response(body: "first"))
            server.route("POST", "/second", .hold("received"), .stall)
            let dispatcher = URLRequestDispatcher.forTests()
            _ = try await dispatcher.data(from: server.url("/first"))
            let post = URLRequest("POST", server.url("/second"), body: "x")
            let task = Task { try await dispatcher.data(for: post) }
            await server.waitUntilHeld("received")
            server.stop()
            let error = try await failure { try await task.value }
            #expect((error as? TransportError)?.code == .connectionLost, "\(error)")
            #expect((error as? TransportError)?.isSafeToRetry == false)
        }

        @Test func deadConnectionsAreReplacedAnyNumberOfTimes() async throws {
            let server = try LoopbackServer()
            server.route("/first", .response(body: "first"))
            let dispatcher = URLRequestDispatcher.forTests()
            for round in 0..<8 {
                server.sequence("GET", "/second\(round)", [[.close], [.response(body: "second")]])
                _ = try await dispatcher.data(from: server.url("/first"))
                let response = try await dispatcher.data(from: server.url("/second\(round)"))
                #expect(response.data == Data("second".utf8))
            }
        }

        @Test func idempotencyKeyLetsAPostBeSentAgain() async throws {
            let server = try staleServer(method: "POST")
            let dispatcher = URLRequestDispatcher.forTests()
            _ = try await dispatcher.data(from: server.url("/first"))
            let request = URLRequest("POST", server.url("/second"), body: "x", headers: ["Idempotency-Key": "1"])
            let response = try await dispatcher.data(for: request)
            #expect(response.data == Data("second".utf8))
            #expect(server.requests(for: "/second").map(\.body) == [Data("x".utf8), Data("x".utf8)])
        }

        @Test func connectionTheServerClosedWhileIdleIsNotUsed() async throws {
            let server = try LoopbackServer()
            server.route("/", .response(body: "ok"), .hold("close"), .close)
            server.route("POST", "/post", .echo)
            let dispatcher = URLRequestDispatcher.forTests()
            _ = try await dispatcher.data(from: server.url("/"))
            server.release("close")
            #expect(await server.waitForOpenConnections(atMost: 0))
            let response = try await dispatcher.data(for: URLRequest("POST", server.url("/post"), body: "hello"))
            #expect(response.data == Data("hello".utf8))
            #expect(server.acceptedConnections == 2)
        }

        @Test func earlyRefusalOfAnUploadIsTheResponse() async throws {
            let server = try LoopbackServer()
            server.route(
                "POST",
                "/",
                .ignoreBody,
                .response(status: 413, headers: ["Connection": "close"], body: "too much"),
                .drainBody,
                .close
            )
            let dispatcher = URLRequestDispatcher.forTests()
            let request = URLRequest("POST", server.url("/"), body: String(repeating: "x", count: 8 << 20))
            let response = try await dispatcher.data(for: request)
            #expect(response.head?.statusCode == .other(413))
            #expect(response.data == Data("too much".utf8))
        }

        @Test func earlySuccessOfAnUploadIsTheResponse() async throws {
            let server = try LoopbackServer()
            server.route("POST", "/", .ignoreBody, .response(body: "enough"), .drainBody)
            let dispatcher = URLRequestDispatcher.forTests()
            let request = URLRequest("POST", server.url("/"), body: String(repeating: "x", count: 8 << 20))
            let response = try await dispatcher.data(for: request)
            #expect(response.data == Data("enough".utf8))
        }
    }
}
