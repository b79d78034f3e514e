#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import Glibc
import PiuPiuTesting
import TestSupport
import Testing

extension ConnectionNetworkTests {
    /// A host with an address of IPv6 that does not answer, and one of IPv4 that does.
    @Suite(.enabled(if: (try? AddressListener("::1")) != nil, "this machine has no ::1"))
    struct HappyEyeballsTests {
        private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nIPv4"

        private let answering: AddressListener
        private let silent: AddressListener
        /// Connections that fill the queue of the silent listener, so that the system drops what else wants to connect.
        private let filling: [PendingConnection]

        private final class PendingConnection: Sendable {
            private let socket: Int32

            init(to port: Int) {
                let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
                socket = Glibc.socket(AF_INET6, kind, 0)
                var target = sockaddr_in6()
                target.sin6_family = sa_family_t(AF_INET6)
                target.sin6_port = UInt16(port).bigEndian
                inet_pton(AF_INET6, "::1", &target.sin6_addr)
                let length = socklen_t(MemoryLayout<sockaddr_in6>.size)
                _ = withUnsafePointer(to: &target) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, length) }
                }
            }

            deinit { close(socket) }
        }

        init() throws {
            // The same port must be free for both.
            var pair: (AddressListener, AddressListener)?
            for _ in 0..<100 where pair == nil {
                let answering = try AddressListener("127.0.0.1", answer: Self.answer)
                pair = (try? AddressListener("::1", port: answering.port, backlog: 0)).map { (answering, $0) }
            }
            (answering, silent) = try #require(pair)
            let port = silent.port
            filling = (0..<4).map { _ in PendingConnection(to: port) }
        }

        /// `localhost` is both addresses, so that a request for such a server would wait for the listener.
        @Test func noServerGetsThePortOfAListenerOnIPv6() throws {
            let listener = try AddressListener("::1")
            #expect(throws: AddressListener.Refusal.self) { try AddressListener("127.0.0.1", port: listener.port) }
        }

        @Test func theHeadStartOfIPv6IsAsChosen() async throws {
            let dispatcher = URLRequestDispatcher.forTests {
                $0.transport.network.resolve = ["both.test:\(answering.port)": ["::1", "127.0.0.1"]]
                $0.transport.network.happyEyeballsDelay = .seconds(1)
            }
            let start = ContinuousClock.now
            let response = try await dispatcher.data(from: Fixture.url("http://both.test:\(answering.port)/"))
            #expect(ContinuousClock.now - start >= .milliseconds(900))
            #expect(response.data == Data("IPv4".utf8))
            #expect(answering.connections() == 1)
            withExtendedLifetime((filling, silent)) {}
        }
    }
}
#endif
