#if os(Linux)
import Glibc
import PiuPiuAsync
import PiuPiuEngine
import PiuPiuTesting
import SuiteSupport
import Synchronization
import TestSupport
import Testing

extension ConnectionNetworkTests {
    /// Names that are looked up for connections, by a resolver of the test's own.
    struct NameLookupNetworkTests {
        /// Finds the same address for all names but those that begin with `hang`, which hang until the test ends.
        private final class Resolver: Sendable {
            let questions = Locked<[String]>([])
            let address: Locked<String>
            let mayEnd = Atomic<Bool>(false)

            init(_ address: String) { self.address = Locked(address) }

            var lookups: NameLookups {
                NameLookups { [self] host, _ in
                    questions.withLock { $0.append(host) }
                    while host.hasPrefix("hang"), !mayEnd.load(ordering: .acquiring) { usleep(1000) }
                    let found = SocketAddress(literal: address.withLock { $0 }, port: 0)
                    return found.map { .success([$0]) } ?? .failure(LookupFailure(.notFound, code: EAI_NONAME))
                }
            }
        }

        @Test("Names that hang keep no other name waiting", arguments: [(1, 1), (4, 1), (1, 3), (4, 3)])
        func namesThatHang(_ loops: Int, _ count: Int) async throws {
            let server = try LoopbackServer()
            let resolver = Resolver("127.0.0.1")
            defer { resolver.mayEnd.store(true, ordering: .releasing) }
            let lookups = resolver.lookups
            var configuration = TransportConfiguration(proxy: .none, eventLoops: loops)
            configuration.connections = ConnectionLimits(perHost: 8, total: 2000)
            let transports = try (0..<count).map { _ in
                try SocketTransport(configuration: configuration, lookups: lookups)
            }
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<400 {
                    group.addTask {
                        var request = TransportRequest(URLRequest(url: Fixture.url("http://hang\(number % 40).test/")))
                        request.options.timeouts.connect = nil
                        _ = try? await transports[number % count].send(request)
                    }
                }
                // Until all of them look their names up.
                while await Self.exchanges(transports) < 400 { await Task.yield() }
                for (number, transport) in transports.enumerated() {
                    let url = Fixture.url("http://quick\(number).test:\(server.port)/")
                    let response = try? await transport.send(TransportRequest(URLRequest(url: url)))
                    #expect(response?.head.statusCode == .notFound, "\(number)")
                }
                group.cancelAll()
            }
            let asked = resolver.questions.withLock { $0 }
            #expect(Set(asked).count == asked.count && lookups.threadCount <= 64)
        }

        private static func exchanges(_ transports: [SocketTransport]) async -> Int {
            var sum = 0
            for transport in transports { sum += await transport.statistics().exchanges }
            return sum
        }

        @Test("After a failover by DNS, the next attempt finds the new address", arguments: [1, 3])
        func addressesThatCannotBeConnectedToAreForgotten(_ loops: Int) async throws {
            let server = try LoopbackServer()
            let resolver = Resolver("127.0.0.2")
            let configuration = TransportConfiguration(proxy: .none, eventLoops: loops)
            let transport = try SocketTransport(configuration: configuration, lookups: resolver.lookups)
            func status() async throws -> StatusCode {
                let request = URLRequest(url: Fixture.url("http://a.test:\(server.port)/"))
                return try await transport.send(TransportRequest(request)).head.statusCode
            }
            await #expect(throws: TransportError.self) { try await status() }
            resolver.address.withLock { $0 = "127.0.0.1" }
            #expect(try await status() == .notFound)
            #expect(resolver.questions.withLock { $0.count } == 2)
        }
    }
}
#endif
