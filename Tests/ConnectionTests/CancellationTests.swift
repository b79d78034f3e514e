import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// The point at which a request is cancelled.
enum CancellationPoint: String, CaseIterable, Sendable {
    case beforeTheCall, inTheQueue, insideAnInterceptor, insideTheHandshake, beforeTheHead, insideTheHead
    case insideTheBody, insideTheUpload, afterARedirect
}

extension NetworkTests {
    struct CancellationTests {
        /// An interceptor that waits until its task is cancelled.
        private struct Waiting: Interceptor {
            let entered: AsyncStream<Void>.Continuation

            func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
                entered.yield()
                for await _ in AsyncStream<Void>.makeStream().stream {}
                try Task.checkCancellation()
                return try await next(request)
            }
        }

        @Test(arguments: CancellationPoint.allCases)
        func cancellingThrowsCancellationErrorAndClosesTheExchange(at point: CancellationPoint) async throws {
            let server = try LoopbackServer(
                onConnect: point == .insideTheHandshake ? [.hold("handshake"), .stall] : []
            )
            server.route("/silent", .hold("here"), .stall)
            server.route("/head", .send("HTTP/1.1 200 OK\r\nX: "), .hold("here"), .stall)
            server.route("/body", .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .hold("here"), .stall)
            server.route("/redirect", .redirect(to: "/silent"))
            server.route("POST", "/upload", .ignoreBody, .hold("here"), .drainBody, .stall)
            let (entered, entering) = AsyncStream<Void>.makeStream()
            let dispatcher = URLRequestDispatcher.forTests(
                interceptors: point == .insideAnInterceptor ? [Waiting(entered: entering)] : []
            ) {
                if point == .inTheQueue { $0.connections.perHost = 1 }
            }
            var request = URLRequest(url: server.url("/silent"))
            switch point {
            case .insideTheHead: request.url = server.url("/head")
            case .insideTheBody: request.url = server.url("/body")
            case .afterARedirect: request.url = server.url("/redirect")
            case .insideTheHandshake: request.url = URL(string: "https://127.0.0.1:\(server.port)/")
            case .insideTheUpload:
                request = URLRequest("POST", server.url("/upload"), body: String(repeating: "x", count: 16 << 20))
            default: break
            }

            let sent = request
            let occupant = point == .inTheQueue ? Task { try await dispatcher.data(for: sent) } : nil
            if occupant != nil { await server.waitUntilHeld("here") }
            let task = Task {
                if point == .beforeTheCall { withUnsafeCurrentTask { $0?.cancel() } }
                return try await dispatcher.data(for: sent)
            }
            switch point {
            case .beforeTheCall: break
            case .inTheQueue: while try await dispatcher.exchangeCount() < 2 { await Task.yield() }
            case .insideAnInterceptor: for await _ in entered { break }
            case .insideTheHandshake: await server.waitUntilHeld("handshake")
            default: await server.waitUntilHeld("here")
            }
            task.cancel()
            let error = try await failure { try await task.value }

            #expect(error is CancellationError, "\(error)")
            occupant?.cancel()
            if let occupant {
                let other = try await failure { try await occupant.value }
                #expect(other is CancellationError)
            }
            #expect(try await dispatcher.exchangeCount() == 0)
            server.release("here")
            server.release("handshake")
            // The server sees its connections closed.
            #expect(await server.waitForOpenConnections(atMost: 0))
        }

        @Test func cancellingAfterTheEndDoesNothing() async throws {
            let server = try LoopbackServer()
            server.route("/", .response(body: "ok"))
            let dispatcher = URLRequestDispatcher.forTests()
            let task = Task { try await dispatcher.data(from: server.url("/")) }
            #expect(try await task.value.data == Data("ok".utf8))
            task.cancel()
            #expect(try await dispatcher.data(from: server.url("/")).data == Data("ok".utf8))
        }

        @Test func stormOfCancels() async throws {
            let server = try LoopbackServer()
            server.route("/fast", .response(body: "ok"))
            server.route(
                "/slow",
                .sleep(.milliseconds(5)),
                .send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc"),
                .sleep(.milliseconds(5)),
                .send("def")
            )
            server.route("/never", .stall)
            let dispatcher = URLRequestDispatcher.forTests { $0.connections = ConnectionLimits(perHost: 50, total: 50) }
            for round in 0..<5 {
                let urls = ["/fast", "/slow", "/never"].map { server.url($0) }
                let errors = await storm(rounds(1000), seed: round, of: dispatcher, to: urls, cancelsAll: true)
                #expect(errors == [])
                #expect(try await dispatcher.exchangeCount() == 0)
            }
            // What is left works.
            #expect(try await dispatcher.data(from: server.url("/fast")).data == Data("ok".utf8))
            await dispatcher.shutdown()
            #expect(await server.waitForOpenConnections(atMost: 0))
        }
    }
}
