import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension NetworkTests {
    /// The end of a dispatcher: by request, by force, and by release.
    struct ShutdownTests {
        @Test func shutdownWaitsForWhatRunsAndRefusesWhatComes() async throws {
            let server = try LoopbackServer()
            server.route("/", .hold("gate"), .response(body: "late"))
            let dispatcher = URLRequestDispatcher.forTests()
            let running = Task { try await dispatcher.data(from: server.url("/")) }
            await server.waitUntilHeld("gate")
            let shutdown = Task { await dispatcher.shutdown() }
            var refusal: (any Error)?
            while refusal == nil {
                // Until the shutdown has begun, requests wait at the gate like the first.
                let attempt = Task { try await dispatcher.data(from: server.url("/none")) }
                do { _ = try await attempt.value } catch { refusal = error }
            }
            #expect((refusal as? TransportError)?.code == .shutDown)
            server.release("gate")
            #expect(try await running.value.data == Data("late".utf8))
            await shutdown.value
            #expect(await server.waitForOpenConnections(atMost: 0))
            await dispatcher.shutdown()
        }

        @Test func finishTasksAndInvalidateLetsWhatRunsEnd() async throws {
            let server = try LoopbackServer()
            server.route("/", .hold("gate"), .response(body: "late"))
            let dispatcher = URLRequestDispatcher.forTests()
            let running = Task { try await dispatcher.data(from: server.url("/")) }
            await server.waitUntilHeld("gate")
            dispatcher.finishTasksAndInvalidate()
            let error = try await failure { try await dispatcher.data(from: server.url("/")) }
            #expect((error as? TransportError)?.code == .shutDown)
            server.release("gate")
            #expect(try await running.value.data == Data("late".utf8))
            #expect(await server.waitForOpenConnections(atMost: 0))
        }

        @Test func invalidateAndCancelCancelsWhatRunsAndWaits() async throws {
            let server = try LoopbackServer()
            server.route("/", .hold("gate"), .stall)
            let dispatcher = URLRequestDispatcher.forTests { $0.connections.perHost = 2 }
            let running = (0..<6).map { _ in Task { try await dispatcher.data(from: server.url("/")) } }
            await server.waitUntilHeld("gate", count: 2)
            while try await dispatcher.exchangeCount() < 6 { await Task.yield() }
            dispatcher.invalidateAndCancel()
            for task in running {
                let error = try await failure { try await task.value }
                #expect(error is CancellationError, "\(error)")
            }
            #expect(await server.waitForOpenConnections(atMost: 0))
            let error = try await failure { try await dispatcher.data(from: server.url("/")) }
            #expect((error as? TransportError)?.code == .shutDown)
            await dispatcher.shutdown()
        }

        @Test func releasingTheLastReferenceEndsWhatOutlivesIt() async throws {
            let server = try LoopbackServer()
            server.route("/", .hold("gate"), .stall)
            var dispatcher: URLRequestDispatcher? = URLRequestDispatcher.forTests()
            let core = try #require(dispatcher?.core)
            let running = Task { try await core.data(for: URLRequest(url: server.url("/"))) }
            await server.waitUntilHeld("gate")
            dispatcher = nil
            let error = try await failure { try await running.value }
            #expect((error as? TransportError)?.code == .shutDown, "\(error)")
            #expect(await server.waitForOpenConnections(atMost: 0))
        }

        @Test func releasingClosesIdleConnections() async throws {
            let server = try LoopbackServer()
            server.route("/", .response(body: "ok"))
            do {
                let dispatcher = URLRequestDispatcher.forTests()
                _ = try await dispatcher.data(from: server.url("/"))
                #expect(server.openConnections == 1)
            }
            #expect(await server.waitForOpenConnections(atMost: 0))
        }

        @Test func shutdownAndRequestsAtTheSameTime() async throws {
            let server = try LoopbackServer()
            server.route("/", .response(body: "ok"))
            for _ in 0..<30 {
                let dispatcher = URLRequestDispatcher.forTests { $0.transport.eventLoops = 2 }
                await withTaskGroup(of: Void.self) { group in
                    for index in 0..<40 {
                        group.addTask {
                            do {
                                let response = try await dispatcher.data(from: server.url("/"))
                                #expect(response.data == Data("ok".utf8))
                            } catch {
                                let isRefusal = (error as? TransportError)?.code == .shutDown
                                #expect(isRefusal || error is CancellationError, "\(error)")
                            }
                        }
                        if index == 20 { group.addTask { await dispatcher.shutdown() } }
                        if index == 30 { group.addTask { dispatcher.invalidateAndCancel() } }
                    }
                }
            }
            #expect(await server.waitForOpenConnections(atMost: 0))
        }

        @Test func requestAfterShutdownOfTheTransportThrows() async throws {
            #if os(Linux)
            let transport = try SocketTransport()
            await transport.shutdown()
            let url = try #require(URL(string: "http://127.0.0.1:1/"))
            let error = try await failure { try await transport.send(TransportRequest(URLRequest(url: url))) }
            #expect((error as? TransportError)?.code == .shutDown)
            #expect(await transport.statistics().sockets == 0)
            #endif
        }
    }
}
