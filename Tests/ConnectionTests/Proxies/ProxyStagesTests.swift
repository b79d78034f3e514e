#if os(Linux)
import Glibc
import PiuPiuAsync
import SuiteSupport
import PiuPiuTesting
import TestSupport
import Testing

@testable import PiuPiuValues

extension ProxyNetworkTests {
    /// Proxies, and servers behind them, that fall silent, go away or say too much while a connection is being opened.
    struct ProxyStagesTests {
        /// How far a proxy comes before it falls silent.
        enum Stage: String, CaseIterable, Sendable {
            case handshakeWithProxy, connect, partOfAnswer, handshakeWithServer
            case connectOverTLS, handshakeWithServerOverTLS
            case method, password, reply, partOfReply, handshakeBehindSOCKS
            case reply4

            var isOverTLS: Bool { self == .connectOverTLS || self == .handshakeWithServerOverTLS }

            /// What the error of a limit says of each step of opening a connection, in their order.
            static let steps = [
                "the connection was being opened", "the TLS handshake with the proxy was not complete",
                "the proxy had not opened the tunnel", "the TLS handshake was not complete",
            ]

            /// What it says of this stage.
            var missing: String {
                switch self {
                case .handshakeWithProxy: Self.steps[1]
                case .connect, .partOfAnswer, .connectOverTLS, .method, .password, .reply, .partOfReply, .reply4:
                    Self.steps[2]
                case .handshakeWithServer, .handshakeWithServerOverTLS, .handshakeBehindSOCKS: Self.steps[3]
                }
            }

            var kind: ProxyServer.Kind {
                switch self {
                case .handshakeWithProxy, .connectOverTLS, .handshakeWithServerOverTLS: .https
                case .connect, .partOfAnswer, .handshakeWithServer: .http
                case .method, .password, .reply, .partOfReply, .handshakeBehindSOCKS: .socks5h
                case .reply4: .socks4a
                }
            }

            /// Reads and answers up to the stage.
            func play(_ connection: RawConnection) throws {
                switch self {
                case .handshakeWithProxy: _ = try connection.read()
                case .connect, .connectOverTLS: try readHead(connection)
                case .partOfAnswer:
                    try readHead(connection)
                    connection.write(Array("HTTP/1.1 200 OK\r\nX: ".utf8))
                case .handshakeWithServer, .handshakeWithServerOverTLS:
                    try readHead(connection)
                    connection.write(Array("HTTP/1.1 200 OK\r\n\r\n".utf8))
                    _ = try connection.read()
                case .method: _ = try connection.read(4)
                case .password:
                    _ = try connection.read(4)
                    connection.write([5, 2])
                    _ = try connection.read(2)
                case .reply, .partOfReply, .handshakeBehindSOCKS:
                    _ = try connection.read(4)
                    connection.write([5, 0])
                    _ = try connection.read(Int(try connection.read(5)[4]) + 2)
                    if self == .partOfReply { connection.write([5, 0, 0, 1, 127]) }
                    guard self == .handshakeBehindSOCKS else { return }
                    connection.write([5, 0, 0, 1, 127, 0, 0, 1, 0, 80])
                    _ = try connection.read()
                case .reply4:
                    _ = try connection.read(8)
                    for _ in 0..<2 { while try connection.read(1) != [0] {} }
                }
            }
        }

        @discardableResult
        private static func readHead(_ connection: RawConnection) throws -> [UInt8] {
            var head: [UInt8] = []
            while !head.suffix(4).elementsEqual([13, 10, 13, 10]) { head += try connection.read(1) }
            return head
        }

        /// A proxy that comes to a stage, and what it notes.
        private struct SilentProxy {
            let server: RawServer
            let relay: TLSRelay?
            let reached: AsyncStream<Void>
            let closed: AsyncStream<Void>

            init(_ stage: Stage) throws {
                let (reached, atStage) = AsyncStream<Void>.makeStream()
                let (closed, atEnd) = AsyncStream<Void>.makeStream()
                server = try RawServer { connection in
                    defer { atEnd.yield() }
                    try stage.play(connection)
                    atStage.yield()
                    while true { _ = try connection.read() }
                }
                relay = stage.isOverTLS ? try TLSRelay(to: server.port) : nil
                (self.reached, self.closed) = (reached, closed)
            }

            func proxy(_ stage: Stage) throws -> ProxyServer {
                let hasPassword = stage.kind != .socks4a
                return try ProxyServer(
                    stage.kind,
                    host: relay == nil ? "127.0.0.1" : "localhost",
                    port: relay?.port ?? server.port,
                    user: "ada",
                    password: hasPassword ? SecretSearch.secret : ""
                )
            }
        }

        private func dispatcher(
            _ silent: SilentProxy,
            _ stage: Stage,
            limit: Duration? = nil
        ) throws -> URLRequestDispatcher {
            .through(.server(try silent.proxy(stage))) {
                $0.transport.certificateAuthorityFile = silent.relay?.authority
                $0.timeouts.connect = limit ?? $0.timeouts.connect
            }
        }

        private static let stages = Stage.allCases.filter { !$0.isOverTLS || TLSRelay.isAvailable }
        private static let url = Fixture.url("https://only-there.invalid/")

        @Test(arguments: stages)
        func givingUpClosesTheConnection(_ stage: Stage) async throws {
            let silent = try SilentProxy(stage)
            let dispatcher = try dispatcher(silent, stage)
            let task = Task { try await dispatcher.data(from: Self.url) }
            for await _ in silent.reached { break }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            for await _ in silent.closed { break }
            await dispatcher.shutdown()
            #expect(silent.server.acceptedConnections == 1)
        }

        @Test(arguments: stages)
        func theLimitIsThatOfConnecting(_ stage: Stage) async throws {
            let silent = try SilentProxy(stage)
            let dispatcher = try dispatcher(silent, stage, limit: .milliseconds(300))
            let error = try await failure { try await dispatcher.data(from: Self.url) }
            #expect(TransportError.Code.of(error) == .timeout(.connect), "\(error)")
            #expect((error as? TransportError)?.isSafeToRetry == true)
            expectNoSecret(in: error)
            // Reading the authorities can take so long that nothing is connected.
            guard silent.server.acceptedConnections > 0 else { return }
            for await _ in silent.closed { break }
            // On a busy machine, the proxy may not have come to its stage.
            let steps = Stage.steps.prefix { $0 != stage.missing } + [stage.missing]
            #expect(steps.contains { "\(error)".hasSuffix(": " + $0) }, "\(error)")
        }

        // MARK: Answers

        /// A dispatcher whose requests to `http://a.example` go through a tunnel.
        private func tunnelling(_ proxy: ProxyServer, authority: URL? = nil) -> URLRequestDispatcher {
            .through(.server(proxy)) {
                $0.transport.routes[Fixture.url("http://a.example")] = .host("b.example", port: 8080)
                $0.transport.certificateAuthorityFile = authority
                $0.transport.eventLoops = 1
            }
        }

        private static let head = "HTTP/1.1 200 OK\r\nX: y\r\nContent-Length: 7\r\n\r\n"
        private static let response = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

        @Test func anAnswerMayComeByteByByte() async throws {
            let server = try RawServer { connection in
                try Self.readHead(connection)
                for byte in Self.head.utf8 {
                    connection.write([byte])
                    // Nothing depends on it; it makes the client read most of them one by one.
                    usleep(2_000)
                }
                try Self.readHead(connection)
                connection.write(Array(Self.response.utf8))
                _ = try? connection.read()
            }
            let dispatcher = tunnelling(try .local(server.port))
            #expect(try await dispatcher.data(from: Fixture.url("http://a.example/")).decodeString() == "hello")
        }

        @Test(arguments: [false, true])
        func anAnswerThatIsCutOffIsAnError(_ isReset: Bool) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for count in 0..<Self.head.utf8.count {
                    group.addTask {
                        let later = Locked<[UInt8]>([])
                        let server = try RawServer { connection in
                            try Self.readHead(connection)
                            connection.write(Array(Self.head.utf8.prefix(count)))
                            guard !isReset else { return connection.reset() }
                            connection.finishSending()
                            while true {
                                let bytes = try connection.read()
                                later.withLock { $0 += bytes }
                            }
                        }
                        let dispatcher = tunnelling(try .local(server.port, user: "ada"))
                        let error = try await failure {
                            try await dispatcher.data(from: Fixture.url("http://a.example/"))
                        }
                        #expect(TransportError.Code.of(error) == .proxy, "\(count): \(error)")
                        #expect((error as? TransportError)?.isSafeToRetry == true, "\(count): \(error)")
                        #expect((error as? TransportError)?.proxyFailure?.statusCode == nil)
                        expectNoSecret(in: error)
                        await dispatcher.shutdown()
                        server.stop()
                        #expect(later.withLock { $0 } == [], "\(count)")
                    }
                }
                try await group.waitForAll()
            }
        }

        @Test(arguments: [false, true])
        func whatFollowsTheAnswerBelongsToTheTunnel(_ isOverTLS: Bool) async throws {
            guard !isOverTLS || TLSRelay.isAvailable else { return }
            let server = try RawServer { connection in
                try Self.readHead(connection)
                connection.write(Array((Self.head + Self.response).utf8))
                _ = try? connection.read()
                _ = try? connection.read()
            }
            let relay = isOverTLS ? try TLSRelay(to: server.port) : nil
            let proxy = try ProxyServer(
                isOverTLS ? .https : .http,
                host: isOverTLS ? "localhost" : "127.0.0.1",
                port: relay?.port ?? server.port
            )
            let dispatcher = tunnelling(proxy, authority: relay?.authority)
            #expect(try await dispatcher.data(from: Fixture.url("http://a.example/")).decodeString() == "hello")
        }

        @Test func anAnswerWithoutEndIsAnError() async throws {
            let closed = Gate()
            let server = try RawServer { connection in
                defer { closed.open() }
                try Self.readHead(connection)
                connection.write(Array("HTTP/1.1 200 OK\r\n".utf8))
                let lines = Array(String(repeating: "X: yyyyyyyyyyyyyy\r\n", count: 1000).utf8)
                for _ in 0..<50 { connection.write(lines) }
                _ = try connection.read()
            }
            let dispatcher = tunnelling(try .local(server.port, user: "ada"))
            let error = try await proxyError { try await dispatcher.data(from: Fixture.url("http://a.example/")) }
            #expect(error.isSafeToRetry)
            try await closed.wait()
        }

        // MARK: Connections

        @Test func aTunnelIsForRequestsWithTheSameCredentials() async throws {
            let server = try RawServer { connection in
                try Self.readHead(connection)
                connection.write(Array("HTTP/1.1 200 OK\r\n\r\n".utf8))
                while true {
                    try Self.readHead(connection)
                    connection.write(Array(Self.response.utf8))
                }
            }
            let dispatcher = tunnelling(try .local(server.port))
            for (credentials, count) in [(nil, 1), ("Basic a", 2), ("Basic a", 2), ("Basic b", 3), (nil, 3)] {
                var request = URLRequest(url: Fixture.url("http://a.example/"))
                request.setValue(credentials, forHTTPHeaderField: "Proxy-Authorization")
                let sent = request
                #expect(try await dispatcher.data(for: sent).decodeString() == "hello")
                #expect(server.acceptedConnections == count, "\(credentials ?? "none")")
            }
        }
    }
}
#endif
