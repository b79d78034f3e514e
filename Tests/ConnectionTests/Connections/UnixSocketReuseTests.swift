#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import Glibc
import PiuPiuTesting
import TestSupport
import Testing

extension ConnectionNetworkTests {
    /// Which connections to a Unix socket are used again; all of them have the same addresses.
    struct UnixSocketReuseTests {
        private static let origin = Fixture.url("http://docker")
        private let server: LoopbackServer

        init() throws {
            server = try LoopbackServer()
        }

        private func url(_ path: String) -> URL { Fixture.url("http://docker" + path) }

        private func dispatcher(_ relay: UnixRelay) -> URLRequestDispatcher {
            URLRequestDispatcher.forTests { $0.transport.routes[Self.origin] = relay.route }
        }

        private func body(_ dispatcher: URLRequestDispatcher, _ path: String) async throws -> String {
            try await dispatcher.data(from: url(path)).decodeString()
        }

        @Test(arguments: [false, true]) func bothKindsOfSocketsAreUsedAgain(_ isAbstract: Bool) async throws {
            let relay = try UnixRelay(to: server.port, isAbstract: isAbstract)
            server.route("/", .response(body: "ok"))
            let dispatcher = dispatcher(relay)
            for round in 0..<5 {
                let response = try await dispatcher.data(from: url("/"))
                #expect(response.metrics?.isReusedConnection == (round > 0))
            }
            #expect(server.acceptedConnections == 1)
            #expect(server.requests.allSatisfy { $0.header("Host") == "docker" })
        }

        // The connection that must not be used is told apart from the ones that may.
        @Test(arguments: 0..<4, [false, true])
        func anUnrequestedResponseIsNotTakenForTheNext(_ poisoned: Int, _ closes: Bool) async throws {
            let relay = try UnixRelay(to: server.port)
            let stray = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstray"
            for index in 0..<4 {
                server.route(
                    "/first/\(index)",
                    index == poisoned
                        ? [.hold("begin"), .response(body: "first"), .hold("stray"), .send(stray)]
                            + (closes ? [.close] : [])
                        : [.hold("begin"), .response(body: "first")]
                )
            }
            for index in 0..<12 { server.route("/next/\(index)", .response(body: "next \(index)")) }
            let dispatcher = dispatcher(relay)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<4 {
                    group.addTask {
                        let answer = try await body(dispatcher, "/first/\(index)")
                        #expect(answer == "first")
                    }
                    while server.acceptedConnections <= index { await Task.yield() }
                }
                server.release("begin")
                try await group.waitForAll()
            }
            let before = server.bytesSent
            server.release("stray")
            await relay.waitForBytes(before + stray.utf8.count)
            for index in 0..<4 { #expect(try await body(dispatcher, "/next/\(index)") == "next \(index)") }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 4..<12 {
                    group.addTask {
                        let answer = try await body(dispatcher, "/next/\(index)")
                        #expect(answer == "next \(index)")
                    }
                }
                try await group.waitForAll()
            }
            #expect(server.requests.count == 16)
        }

        @Test func connectionsThatTheServerClosedAreReplaced() async throws {
            let relay = try UnixRelay(to: server.port)
            server.route("/", .response(body: "ok"), .hold("close"), .close)
            server.route("POST", "/", .echo)
            let dispatcher = dispatcher(relay)
            for _ in 0..<5 {
                #expect(try await body(dispatcher, "/") == "ok")
                server.release("close")
                #expect(await server.waitForOpenConnections(atMost: 0))
            }
            #expect(server.acceptedConnections == 5)
            let echoed = try await dispatcher.data(for: URLRequest("POST", url("/"), body: "hello"))
            #expect(echoed.data == Data("hello".utf8))
        }

        @Test func streamsAndUploadsWork() async throws {
            let relay = try UnixRelay(to: server.port)
            let piece = String(repeating: "x", count: 1000)
            server.route(
                "/stream",
                .send("HTTP/1.1 200 OK\r\nContent-Length: 500000\r\n\r\n"),
                .repeat(piece, count: 500)
            )
            server.route("PUT", "/upload", .echo)
            let dispatcher = dispatcher(relay)
            for _ in 0..<2 {
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<20 {
                        group.addTask {
                            let response = try await dispatcher.stream(for: URLRequest(url: url("/stream")))
                            var count = 0
                            for try await part in response.data { count += part.count }
                            return count
                        }
                        group.addTask {
                            let request = URLRequest("PUT", url("/upload"))
                            let body = RequestBody.data(Data(repeating: 0x79, count: 500_000))
                            return try await dispatcher.upload(for: request, from: body).response().data?.count ?? 0
                        }
                    }
                    for try await count in group { #expect(count == 500_000) }
                }
            }
        }

        @Test func cancellingClosesTheConnection() async throws {
            let relay = try UnixRelay(to: server.port)
            server.route("/held", .hold("never"))
            server.route("/", .response(body: "ok"))
            let dispatcher = dispatcher(relay)
            for _ in 0..<20 {
                let task = Task { try await dispatcher.data(from: url("/held")) }
                await server.waitUntilHeld("never")
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
                #expect(await server.waitForOpenConnections(atMost: 0))
            }
            #expect(try await body(dispatcher, "/") == "ok")
        }

        // Connecting to a full queue fails at once with EAGAIN, which means something else for TCP.
        @Test func aFullQueueIsAConnectionThatCannotBeOpened() async throws {
            let relay = try UnixRelay(to: nil, backlog: 0)
            var waiting: [Int32] = []
            while let socket = relay.tryConnecting() { waiting.append(socket) }
            defer { for socket in waiting { close(socket) } }
            let error = try await failure { try await body(dispatcher(relay), "/") } as? TransportError
            #expect(error?.code == .cannotConnect && error?.isSafeToRetry == true, "\(String(describing: error))")
        }
    }
}
#endif
