import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

// Faults of the connection, and of what comes before a response.
extension NetworkTests.FaultTests {
    /// A head that comes a byte at a time keeps the idle limit away; the head's own limit catches it.
    @Test func slowHead() async throws {
        let server = try LoopbackServer()
        server.route("/slow", .send("HTTP/1.1 200 OK\r\nX: "), .repeat("x", every: .milliseconds(50)))
        let dispatcher = URLRequestDispatcher.forTests { $0.timeouts.head = .milliseconds(300) }
        let error = try await failure { try await dispatcher.data(from: server.url("/slow")) }
        #expect((error as? TransportError)?.code == .timeout(.head))
    }

    @Test func refusedConnection() async throws {
        let port = try RefusingPort()
        let dispatcher = URLRequestDispatcher.forTests()
        let url = try #require(URL(string: "http://127.0.0.1:\(port.port)/"))
        let error = try await failure { try await dispatcher.data(from: url) }
        #expect((error as? TransportError)?.code == .cannotConnect)
        #expect((error as? TransportError)?.isSafeToRetry == true)
    }

    @Test func unknownHost() async throws {
        let dispatcher = URLRequestDispatcher.forTests()
        let url = try #require(URL(string: "http://does-not-exist.invalid/"))
        let error = try await failure { try await dispatcher.data(from: url) }
        #expect((error as? TransportError)?.code == .cannotResolveHost)
    }

    @Test(arguments: [[Step.reset], [.close]])
    func closedOnAccept(_ steps: [Step]) async throws {
        let server = try LoopbackServer(onConnect: steps)
        let dispatcher = URLRequestDispatcher.forTests()
        let error = try await failure { try await dispatcher.data(from: server.baseURL) }
        // A reset may come before connecting is over, when nothing has been sent.
        let codes: [TransportError.Code] = [.connectionLost, .cannotConnect]
        #expect((error as? TransportError).map { codes.contains($0.code) } == true, "\(error)")
    }

    @Test func stalledOnAccept() async throws {
        let server = try LoopbackServer(onConnect: [.stall])
        let dispatcher = URLRequestDispatcher.forTests { $0.timeouts.idle = .milliseconds(200) }
        let error = try await failure { try await dispatcher.data(from: server.baseURL) }
        #expect((error as? TransportError)?.code == .timeout(.idle))
    }

    @Test func stalledHandshake() async throws {
        let server = try LoopbackServer(onConnect: [.stall])
        let dispatcher = URLRequestDispatcher.forTests { $0.timeouts.connect = .milliseconds(250) }
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        let start = ContinuousClock.now
        let error = try await failure { try await dispatcher.data(from: url) }
        #expect((error as? TransportError)?.code == .timeout(.connect))
        #expect(start.duration(to: .now) >= .milliseconds(250))
    }

    @Test func plainAnswerToTLS() async throws {
        let server = try LoopbackServer(onConnect: [.send("HTTP/1.1 400 Bad Request\r\n\r\n"), .close])
        let dispatcher = URLRequestDispatcher.forTests()
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        let error = try await failure { try await dispatcher.data(from: url) }
        #expect((error as? TransportError)?.code == .tls)
    }

    @Test func errorKnowsWhatHadArrived() async throws {
        let server = try server([.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\nX: y\r\n\r\nabc"), .close])
        let dispatcher = URLRequestDispatcher.forTests()
        let error = try await failure { try await dispatcher.data(from: server.url("/fault")) }
        let transport = try #require(error as? TransportError)
        #expect(transport.bytesReceived == 3)
        #expect(transport.response?.statusCode == .ok)
        #expect(transport.response?.headers["x"] == "y")
        #expect(transport.underlyingDescription?.isEmpty == false)
    }
}
