#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import PiuPiuTesting
import TestSupport
import Testing

@testable import PiuPiuExchange
@testable import PiuPiuSockets
@testable import PiuPiuValues

extension ConnectionNetworkTests {
    /// Changes of the configuration, streams, uploads and cancellation, all at once.
    struct ConnectionStormTests {
        private enum End: Hashable {
            case done, cancelled
            case failed(String)
        }

        private let server: LoopbackServer

        init() throws {
            server = try LoopbackServer()
            server.route("/", .response(body: String(repeating: "x", count: 20_000)))
            server.route("POST", "/", .response(body: "ok"))
        }

        private static func configurations(_ authority: URL?, _ origin: URL) throws -> [TransportConfiguration] {
            var plain = TransportConfiguration(proxy: .none)
            plain.certificateAuthorityFile = authority
            plain.eventLoops = 2
            var all = [plain]
            func add(_ change: (inout TransportConfiguration) throws -> Void) rethrows {
                var other = plain
                try change(&other)
                all.append(other)
            }
            if authority != nil { add { $0.tlsByOrigin = [origin: TLSConfiguration()] } }
            add { $0.proxy = .choosing { _ in nil } }
            add { $0.routes[origin] = .host("127.0.0.1", port: origin.port ?? 80) }
            add {
                $0.network.resolve = ["piupiu.test:80": ["127.0.0.1"]]
                $0.network.userTimeout = .seconds(30)
            }
            guard let authority else { return all }
            try add {
                $0.certificateAuthorityFile = nil
                $0.tls.authorities = .certificates(try Data(contentsOf: authority))
                $0.tls.maximumVersion = .tls12
            }
            return all
        }

        private static func transfer(_ kind: Int, _ url: URL, over transport: SocketTransport) async throws {
            switch kind % 4 {
            case 0:
                var request = TransportRequest(URLRequest(url: url, method: .get))
                request.delivery = .streamed
                let response = try await transport.send(request)
                for try await _ in try #require(response.stream) where kind % 8 == 4 { break }
            case 1:
                var request = TransportRequest(URLRequest(url: url, method: .post))
                let pieces = AsyncStream<Data> { continuation in
                    for _ in 0..<20 { continuation.yield(Data(repeating: 0x61, count: 4000)) }
                    continuation.finish()
                }
                let body = RequestBody.stream(pieces)
                let names: [HTTPHeaderName] = ["X-Sum"]
                request.body = kind % 8 == 1 ? body : body.withTrailers(names) { ["X-Sum": "1"] }
                _ = try await transport.send(request)
            default: _ = try await transport.send(TransportRequest(URLRequest(url: url, method: .get)))
            }
        }

        private static func end(
            of kind: Int,
            _ url: URL,
            cancelledAfter yields: Int?,
            over transport: SocketTransport
        ) async -> End {
            let task = Task { try await transfer(kind, url, over: transport) }
            if let yields {
                for _ in 0..<yields { await Task.yield() }
                task.cancel()
            }
            do {
                try await task.value
                return .done
            } catch {
                return error is CancellationError ? .cancelled : .failed("\(error)")
            }
        }

        private static func storm(
            _ count: Int,
            _ url: URL,
            seed: Int,
            over transport: SocketTransport
        ) async -> Set<End> {
            var random = SeededRandom(seed: UInt64(seed))
            return await withTaskGroup(of: End.self) { group in
                var ends: Set<End> = []
                for index in 0..<count {
                    let yields = Bool.random(using: &random) ? Int.random(in: 0..<40, using: &random) : nil
                    group.addTask { await end(of: index, url, cancelledAfter: yields, over: transport) }
                    if index > 40, let end = await group.next() { ends.insert(end) }
                }
                return await group.reduce(into: ends) { $0.insert($1) }
            }
        }

        private static func changes(_ url: URL, _ authority: URL?, seed: Int) async throws {
            let all = try configurations(authority, url)
            let transport = try SocketTransport(configuration: all[0])
            let changes = Task {
                var turn = seed
                while !Task.isCancelled {
                    try transport.reconfigure(all[turn % all.count])
                    turn += 1
                    for _ in 0..<5 { await Task.yield() }
                }
            }
            let ends = await storm(200, url, seed: seed, over: transport)
            #expect(ends.isSubset(of: [.done, .cancelled]))
            changes.cancel()
            try await changes.value
            while await transport.statistics().exchanges > 0 { await Task.yield() }
            try transport.reconfigure(all[0])
            while await transport.statistics().sockets > 0 { await Task.yield() }
            await transport.shutdown()
        }

        @Test(arguments: 0..<3)
        func withoutTLS(seed: Int) async throws {
            try await Self.changes(server.url("/"), nil, seed: seed)
        }

        @Test(.enabled(if: TLSRelay.isAvailable, "python3 and openssl are needed"), arguments: 0..<3)
        func withTLS(seed: Int) async throws {
            let relay = try TLSRelay(to: server.port)
            try await Self.changes(relay.url("/"), relay.authority, seed: seed)
        }

        /// There are more proxies than profiles are kept.
        @Test(arguments: 0..<2)
        func profilesThatAreRetiredAllTheTime(seed: Int) async throws {
            let turn = Locked(0)
            var configuration = TransportConfiguration(proxy: .none)
            configuration.eventLoops = 2
            configuration.proxy = .choosing { [port = server.port] _ in
                let number = turn.withLock {
                    $0 += 1
                    return $0
                }
                return try ProxyServer("http://user\(number % 97):secret@127.0.0.1:\(port)")
            }
            let transport = try SocketTransport(configuration: configuration)
            let ends = await Self.storm(400, server.url("/"), seed: seed, over: transport)
            #expect(ends.isSubset(of: [.done, .cancelled]))
            while await transport.statistics().exchanges > 0 { await Task.yield() }
            while await transport.statistics().sockets > SocketProfiles.maximumCount { await Task.yield() }
            await transport.shutdown()
        }
    }
}
#endif
