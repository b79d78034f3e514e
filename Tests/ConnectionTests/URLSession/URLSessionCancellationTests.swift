import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension NetworkTests {
    /// Cancelling a `URLSessionTransport`'s exchanges, and its own end.
    @Suite(.urlSession) struct URLSessionCancellationTests {
        enum Place: String, CaseIterable, Sendable {
            case beforeTheCall, inTheQueue, beforeTheHead, insideTheBody, insideTheStream, insideTheUpload
            case whileTheBodyIsMade
        }

        @Test(arguments: Place.allCases)
        func cancellingThrowsCancellationErrorAndClosesTheConnection(_ place: Place) async throws {
            let server = try LoopbackServer()
            server.route("/silent", .hold("here"), .stall)
            server.route("/body", .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .hold("here"), .stall)
            server.route("POST", "/upload", .ignoreBody, .hold("here"), .drainBody, .stall)
            let transport = URLSessionTransport.forTests { if place == .inTheQueue { $0.connections.perHost = 1 } }
            let occupant = place == .inTheQueue ? Task { try await transport.get(server.url("/silent")) } : nil
            if occupant != nil { await server.waitUntilHeld("here") }
            let (begun, begins) = AsyncStream<Void>.makeStream()
            let task = Task {
                switch place {
                case .beforeTheCall:
                    withUnsafeCurrentTask { $0?.cancel() }
                    return try await transport.get(server.url("/silent")).body
                case .inTheQueue, .beforeTheHead: return try await transport.get(server.url("/silent")).body
                case .insideTheBody: return try await transport.get(server.url("/body")).body
                case .insideTheStream:
                    let response = try await transport.get(server.url("/body")) { $0.delivery = .streamed }
                    return try await response.stream?.collect(upTo: 100)
                case .insideTheUpload:
                    let body = String(repeating: "x", count: 16 << 20)
                    return try await transport.send(URLRequest("POST", server.url("/upload"), body: body)).body
                case .whileTheBodyIsMade:
                    let endless = AsyncStream<Data>(unfolding: {
                        begins.yield()
                        for await _ in AsyncStream<Void>.makeStream().stream {}
                        return nil
                    })
                    return try await transport.send(URLRequest("POST", server.url("/upload"))) { request in
                        request.body = .stream(endless)
                    }.body
                }
            }
            switch place {
            case .beforeTheCall: break
            case .inTheQueue: while transport.exchangeCount < 2 { await Task.yield() }
            case .whileTheBodyIsMade: for await _ in begun { break }
            default: await server.waitUntilHeld("here")
            }
            task.cancel()
            let error = try await failure { try await task.value }
            #expect(error is CancellationError, "\(error)")
            occupant?.cancel()
            _ = await occupant?.result
            #expect(transport.exchangeCount == 0)
            server.release("here")
            #expect(await server.waitForOpenConnections(atMost: 0))
        }

        @Test func cancellingAfterTheEndDoesNothing() async throws {
            let server = try LoopbackServer()
            server.route("/", .response(body: "ok"))
            let transport = URLSessionTransport.forTests()
            let task = Task { try await transport.get(server.url("/")) }
            #expect(try await task.value.body == Data("ok".utf8))
            task.cancel()
            #expect(try await transport.get(server.url("/")).body == Data("ok".utf8))
        }

        // Foundation traps on a redirect that is answered after its task was cancelled, and `data(for:)` deadlocks.
        @Test(arguments: [["/redirect"], ["/fast", "/slow", "/never", "/redirect", "/401", "/upload"]])
        func aStormOfCancelsEndsEveryRequest(_ paths: [String]) async throws {
            let server = try LoopbackServer()
            server.route("/redirect", .redirect(to: "/fast"))
            server.route("/fast", .response(body: "ok"))
            server.route(
                "/slow",
                .sleep(.milliseconds(5)),
                .send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc"),
                .sleep(.milliseconds(5)),
                .send("def")
            )
            server.route("/never", .stall)
            server.route("/401", .response(status: 401, headers: ["WWW-Authenticate": #"Basic realm="r""#], body: "no"))
            server.route("/upload", .echo)
            let transport = URLSessionTransport.forTests { $0.connections = ConnectionLimits(perHost: 50, total: 50) }
            var random = SeededRandom(seed: 1)
            var (answered, cancelled) = (0, 0)
            for _ in 0..<3 {
                let outcomes = await withTaskGroup(of: Bool?.self) { group in
                    for index in 0..<rounds(1000) {
                        let path = paths[index % paths.count]
                        let request = URLRequest("PUT", server.url(path), body: path == "/upload" ? "body" : nil)
                        let yields = Int.random(in: 0..<400, using: &random)
                        let cancels = index == 0 || path == "/never" || Bool.random(using: &random)
                        group.addTask {
                            let task = Task {
                                // One at least is cancelled in time, however fast the answers come.
                                if index == 0 { withUnsafeCurrentTask { $0?.cancel() } }
                                return try await transport.send(request)
                            }
                            for _ in 0..<yields { await Task.yield() }
                            if cancels { task.cancel() }
                            do {
                                _ = try await task.value
                                return true
                            } catch {
                                return error is CancellationError ? false : nil
                            }
                        }
                    }
                    var outcomes: [Bool?] = []
                    for await outcome in group { outcomes.append(outcome) }
                    return outcomes
                }
                #expect(!outcomes.contains(nil))
                answered += outcomes.count { $0 == true }
                cancelled += outcomes.count { $0 == false }
            }
            #expect(answered + cancelled == 3 * rounds(1000))
            #expect(answered > 0)
            #expect(cancelled > 0)
            #expect(transport.exchangeCount == 0)
            #expect(try await transport.get(server.url("/fast")).body == Data("ok".utf8))
            await transport.shutdown()
            #expect(await server.waitForOpenConnections(atMost: 0))
        }

        // MARK: The transport's end

        @Test func shutdownWaitsForWhatRunsAndRefusesWhatComes() async throws {
            let server = try LoopbackServer()
            server.route("/", .hold("gate"), .response(body: "late"))
            let transport = URLSessionTransport.forTests()
            let running = Task { try await transport.get(server.url("/")) }
            await server.waitUntilHeld("gate")
            let shutdown = Task { await transport.shutdown() }
            // Until the shutdown has begun, requests are answered.
            while (try? await transport.get(server.url("/none"))) != nil {}
            #expect(try await code { try await transport.get(server.url("/none")) } == .shutDown)
            server.release("gate")
            #expect(try await running.value.body == Data("late".utf8))
            await shutdown.value
            await transport.shutdown()
            #expect(await server.waitForOpenConnections(atMost: 0))
        }

        @Test func shutdownWaitsForAStreamThatIsRead() async throws {
            let server = try LoopbackServer()
            server.route("/", .send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc"), .hold("gate"), .send("def"))
            let transport = URLSessionTransport.forTests()
            let response = try await transport.get(server.url("/")) { $0.delivery = .streamed }
            let shutdown = Task { await transport.shutdown() }
            while (try? await transport.get(server.url("/none"))) != nil {}
            server.release("gate")
            #expect(try await response.stream?.collect(upTo: 10) == Data("abcdef".utf8))
            await shutdown.value
        }

        @Test func invalidateAndCancelCancelsWhatRunsAndWaits() async throws {
            let server = try LoopbackServer()
            server.route("/", .hold("gate"), .stall)
            let transport = URLSessionTransport.forTests { $0.connections.perHost = 2 }
            let running = (0..<6).map { _ in Task { try await transport.get(server.url("/")) } }
            await server.waitUntilHeld("gate", count: 2)
            while transport.exchangeCount < 6 { await Task.yield() }
            transport.invalidateAndCancel()
            for task in running {
                let error = try await failure { try await task.value }
                #expect(error is CancellationError, "\(error)")
            }
            server.release("gate")
            #expect(await server.waitForOpenConnections(atMost: 0))
            #expect(try await code { try await transport.get(server.url("/")) } == .shutDown)
            transport.invalidateAndCancel()
            await transport.shutdown()
        }

        @Test func droppingTheTransportClosesItsConnections() async throws {
            let server = try LoopbackServer()
            server.route("/", .response(body: "ok"))
            do {
                let transport = URLSessionTransport.forTests()
                _ = try await transport.get(server.url("/"))
                #expect(server.openConnections == 1)
            }
            #expect(await server.waitForOpenConnections(atMost: 0))
        }

        @Test func droppingTheTransportCancelsAStreamThatOutlivesIt() async throws {
            let server = try LoopbackServer()
            server.route("/", .send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc"), .stall)
            let body: ResponseBody?
            do {
                let transport = URLSessionTransport.forTests()
                body = try await transport.get(server.url("/")) { $0.delivery = .streamed }.stream
            }
            let error = try await failure { try await body?.collect(upTo: 10) }
            #expect(error is CancellationError, "\(error)")
            #expect(await server.waitForOpenConnections(atMost: 0))
        }

        // Foundation traps on a task that is made after its session was invalidated.
        @Test func theEndAndRequestsAtTheSameTime() async throws {
            let server = try LoopbackServer()
            server.route("/", .response(body: "ok"))
            server.route("/redirect", .redirect(to: "/"))
            for _ in 0..<30 {
                let transport = URLSessionTransport.forTests()
                await withTaskGroup(of: Void.self) { group in
                    for index in 0..<40 {
                        group.addTask {
                            do {
                                _ = try await transport.get(server.url(index % 2 == 0 ? "/" : "/redirect"))
                            } catch {
                                let isRefusal = (error as? TransportError)?.code == .shutDown
                                #expect(isRefusal || error is CancellationError, "\(error)")
                            }
                        }
                        if index == 20 { group.addTask { await transport.shutdown() } }
                        if index == 30 { group.addTask { transport.invalidateAndCancel() } }
                    }
                }
            }
            #expect(await server.waitForOpenConnections(atMost: 0))
        }
    }
}
