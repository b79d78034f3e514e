#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import PiuPiuTesting
import TestSupport
import Testing

@testable import PiuPiuValues

extension ProxyNetworkTests {
    /// What observers and metrics tell of connections through proxies.
    struct ProxyObservationTests {
        private final class Summaries: ExchangeObserver {
            private let state = Locked<[ExchangeSummary]>([])

            var all: [ExchangeSummary] { state.withLock { $0 } }

            func observe(_ event: ExchangeEvent) {
                if case .exchangeEnded(let summary) = event.kind { state.withLock { $0.append(summary) } }
            }
        }

        /// A proxy of any kind, and the server behind it.
        private static func server() throws -> RawServer {
            try RawServer { connection in
                let first = try connection.read(1)
                switch first[0] {
                case 5:
                    _ = try connection.read(Int(try connection.read(1)[0]))
                    connection.write([5, 0])
                    // An address of IPv4.
                    _ = try connection.read(10)
                    connection.write([5, 0, 0, 1, 127, 0, 0, 1, 0, 80])
                case 4:
                    _ = try connection.read(7)
                    while try connection.read(1) != [0] {}
                    connection.write([0, 90, 0, 0, 0, 0, 0, 0])
                case 0x43:
                    try readHead(connection)
                    connection.write(
                        Array("HTTP/1.1 200 OK\r\nX-Long: \(String(repeating: "x", count: 900))\r\n\r\n".utf8)
                    )
                default: try respond(connection)
                }
                while true { try respond(connection) }
            }
        }

        private static func respond(_ connection: RawConnection) throws {
            try readHead(connection)
            connection.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".utf8))
        }

        private static func readHead(_ connection: RawConnection) throws {
            var head: [UInt8] = []
            while !head.suffix(4).elementsEqual([13, 10, 13, 10]) { head += try connection.read(1) }
        }

        struct Way: Sendable {
            var kind: ProxyServer.Kind
            var isTunnelled: Bool
        }

        private static let ways = [
            Way(kind: .http, isTunnelled: false), Way(kind: .http, isTunnelled: true),
            Way(kind: .socks4, isTunnelled: false), Way(kind: .socks5h, isTunnelled: false),
        ]

        @Test(arguments: ways)
        func theConnectionIsThatOfTheProxy(_ way: Way) async throws {
            let server = try Self.server()
            let observer = Summaries()
            let proxy = try ProxyServer(way.kind, host: "127.0.0.1", port: server.port)
            let dispatcher = URLRequestDispatcher.through(.server(proxy)) {
                $0.observers = [observer]
                $0.transport.eventLoops = 1
                if way.isTunnelled {
                    $0.transport.routes[Fixture.url("http://127.0.0.9")] = .host("127.0.0.8", port: 80)
                }
            }
            for isReused in [false, true] {
                let response = try await dispatcher.data(from: Fixture.url("http://127.0.0.9/"))
                let metrics = try #require(response.metrics)
                #expect(metrics.isReusedConnection == isReused)
                #expect((metrics.connect > .zero) == !isReused && metrics.secureConnect == .zero)
                #expect(metrics.firstByte <= metrics.total)
                #expect(metrics.nameLookup <= metrics.connect)
            }
            let connections = observer.all.compactMap(\.connection)
            #expect(connections.map(\.isReused) == [false, true])
            for connection in connections {
                #expect(connection.proxy == "\(way.kind)://127.0.0.1:\(server.port)")
                #expect(connection.remoteAddress == "127.0.0.1:\(server.port)")
                #expect(connection.httpVersion == "HTTP/1.1")
            }
            #expect(server.acceptedConnections == 1)
        }
    }
}
#endif
