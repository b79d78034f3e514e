#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import Glibc
import PiuPiuTesting
import TestSupport
import Testing

extension ConnectionNetworkTests {
    /// The settings of addresses, TCP and the life of connections, as servers and the system see them.
    struct NetworkSettingsTests {
        private let server: LoopbackServer

        init() throws {
            server = try LoopbackServer()
            server.route("/", .response(body: "ok"))
        }

        private func dispatcher(_ change: (inout NetworkConfiguration) -> Void) -> URLRequestDispatcher {
            URLRequestDispatcher.forTests { change(&$0.transport.network) }
        }

        /// The addresses and sockets of this process that are connected to a port.
        private func clients(of port: Int) -> [(socket: Int32, address: String, port: Int)] {
            (0..<Int32(4096)).compactMap { socket -> (socket: Int32, address: String, port: Int)? in
                var (peer, own, length) = (sockaddr_in(), sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
                func read(
                    _ address: inout sockaddr_in,
                    _ ask: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
                ) -> Bool {
                    withUnsafeMutablePointer(to: &address) {
                        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { ask(socket, $0, &length) == 0 }
                    }
                }
                guard read(&peer, { getpeername($0, $1, $2) }), peer.sin_family == sa_family_t(AF_INET),
                    UInt16(bigEndian: peer.sin_port) == port, read(&own, { getsockname($0, $1, $2) })
                else { return nil }
                var text = [CChar](repeating: 0, count: 64)
                inet_ntop(AF_INET, &own.sin_addr, &text, 64)
                let name = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
                return (socket, String(decoding: name, as: UTF8.self), Int(UInt16(bigEndian: own.sin_port)))
            }
        }

        private func option(_ socket: Int32, _ level: Int32, _ name: Int32) -> Int32 {
            var (value, length) = (Int32(-1), socklen_t(MemoryLayout<Int32>.size))
            getsockopt(socket, level, name, &value, &length)
            return value
        }

        @Test func theLocalEndIsAsChosen() async throws {
            for end in [LocalEnd.address("127.0.0.3"), .interface("lo")] {
                let dispatcher = dispatcher { $0.localEnd = end }
                for _ in 0..<2 { _ = try await dispatcher.data(from: server.url("/")) }
                #expect(
                    clients(of: server.port).map(\.address) == [end == .interface("lo") ? "127.0.0.1" : "127.0.0.3"]
                )
                await dispatcher.shutdown()
            }
        }

        @Test func theLocalPortIsInTheRange() async throws {
            // The system itself chooses none of these, nor do other tests.
            let ports = 65_000...65_500
            let dispatcher = dispatcher { $0.localPorts = ports }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { _ = try await dispatcher.data(from: server.url("/")) } }
                try await group.waitForAll()
            }
            let used = clients(of: server.port).map(\.port)
            #expect(!used.isEmpty && used.allSatisfy(ports.contains), "\(used)")
        }

        @Test func aLocalPortThatIsTakenCannotConnect() async throws {
            let dispatcher = dispatcher { $0.localPorts = server.port...server.port }
            await expect(.cannotConnect) { try await dispatcher.data(from: server.url("/")) }
            #expect(server.acceptedConnections == 0)
        }

        @Test(arguments: [LocalEnd.address("192.0.2.1"), .interface("nosuch0")])
        func aLocalEndThatDoesNotExistCannotConnect(_ end: LocalEnd) async throws {
            let error = try await failure { try await dispatcher { $0.localEnd = end }.data(from: server.url("/")) }
            #expect((error as? TransportError)?.code == .cannotConnect, "\(error)")
            #expect(server.acceptedConnections == 0)
        }

        @Test func theSystemProbesAndGivesUpAsChosen() async throws {
            let dispatcher = dispatcher {
                $0.keepAlive = TCPKeepAlive(idle: .seconds(33), interval: .milliseconds(6500))
                $0.userTimeout = .milliseconds(12_345)
            }
            _ = try await dispatcher.data(from: server.url("/"))
            let client = try #require(clients(of: server.port).first).socket
            let tcp = Int32(IPPROTO_TCP)
            #expect(option(client, SOL_SOCKET, SO_KEEPALIVE) == 1)
            #expect(option(client, tcp, TCP_KEEPIDLE) == 33 && option(client, tcp, TCP_KEEPINTVL) == 7)
            #expect(option(client, tcp, TCP_USER_TIMEOUT) == 12_345)
        }

        @Test func theSystemGivesUpAfterTheChosenNumberOfProbes() async throws {
            let dispatcher = dispatcher { $0.keepAlive = TCPKeepAlive(count: 5) }
            _ = try await dispatcher.data(from: server.url("/"))
            let client = try #require(clients(of: server.port).first).socket
            #expect(option(client, SOL_SOCKET, SO_KEEPALIVE) == 1)
            #expect(option(client, Int32(IPPROTO_TCP), TCP_KEEPCNT) == 5)
        }

        @Test func theDefaultsLeaveTheSystemsSettings() async throws {
            let dispatcher = dispatcher { _ in }
            _ = try await dispatcher.data(from: server.url("/"))
            let client = try #require(clients(of: server.port).first).socket
            #expect(option(client, SOL_SOCKET, SO_KEEPALIVE) == 0)
            #expect(option(client, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT) == 0)
        }

        @Test func theVersionOfIPIsAsChosen() async throws {
            let url = Fixture.url("http://localhost:\(server.port)/")
            #expect(try await dispatcher { $0.ipVersion = .v4 }.data(from: url).data == Data("ok".utf8))
            let error = try await failure { try await dispatcher { $0.ipVersion = .v6 }.data(from: url) }
            let code = (error as? TransportError)?.code
            #expect(code == .cannotConnect || code == .cannotResolveHost, "\(error)")
            #expect(server.acceptedConnections == 1)
        }

        private func proxyProtocolServer() throws -> (NginxVariant, URL, HeldPort) {
            let held = try HeldPort()
            let port = held.port
            let answer = #"location / { return 200 "$proxy_protocol_addr $proxy_protocol_server_port"; }"#
            let nginx = try NginxVariant(http: "server { listen 127.0.0.1:\(port) proxy_protocol; \(answer) }")
            return (nginx, Fixture.url("http://127.0.0.1:\(port)/"), held)
        }

        @Test(.enabled(if: NginxVariant.isAvailable, "nginx and openssl are needed"))
        func theServerGetsThePROXYProtocol() async throws {
            let (nginx, url, held) = try proxyProtocolServer()
            defer { withExtendedLifetime((nginx, held)) {} }
            let dispatcher = dispatcher { $0.haproxyHeader = HAProxyHeader() }
            for _ in 0..<3 {
                #expect(try await dispatcher.data(from: url).decodeString() == "127.0.0.1 \(held.port)")
            }
        }

        @Test(.enabled(if: NginxVariant.isAvailable, "nginx and openssl are needed"))
        func theServerGetsTheClientOfThePROXYProtocol() async throws {
            let (nginx, url, held) = try proxyProtocolServer()
            defer { withExtendedLifetime((nginx, held)) {} }
            let dispatcher = dispatcher { $0.haproxyHeader = HAProxyHeader(clientAddress: "192.0.2.7") }
            #expect(try await dispatcher.data(from: url).decodeString().hasPrefix("192.0.2.7"))
        }
    }
}
#endif
