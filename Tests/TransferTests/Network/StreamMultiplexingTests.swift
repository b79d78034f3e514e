import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

extension TransferNetworkTests {
    /// Several streams on one HTTP/2 connection of a real server.
    @Suite(.enabled(if: NginxServer.shared != nil, "nginx and openssl are needed"))
    struct StreamMultiplexingTests {
        private let nginx: NginxServer
        private let dispatcher: URLRequestDispatcher

        init() throws {
            let nginx = try #require(NginxServer.shared)
            self.nginx = nginx
            dispatcher = .forTests {
                $0.transport.certificateAuthorityFile = nginx.authority
                $0.connections.perHost = 1
            }
        }

        private func stream(_ path: String) async throws -> ResponseBody {
            try await dispatcher.stream(for: URLRequest(url: nginx.url(nginx.http2, path))).data
        }

        @Test func streamsShareAConnection() async throws {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        var count = 0
                        for try await chunk in try await stream("/mega.bin") { count += chunk.count }
                        return count
                    }
                }
                for try await count in group { #expect(count == 1 << 20) }
            }
        }

        /// There is no time limit that could be too short for a busy machine: what is held up waits for a reader that only
        /// comes afterwards, and ends with the time limit of the test.
        @Test func aStreamThatIsNotReadHoldsUpNobody() async throws {
            let dispatcher = URLRequestDispatcher.forTests {
                $0.transport.certificateAuthorityFile = nginx.authority
                $0.connections.perHost = 3
            }
            let unread = try await dispatcher.stream(for: URLRequest(url: nginx.url(nginx.http2, "/mega.bin"))).data
            for path in ["/mega.bin", "/hello"] {
                let request = URLRequest(url: nginx.url(nginx.http2, path))
                #expect(try await dispatcher.stream(for: request).data.collect(upTo: 1 << 20).isEmpty == false)
                #expect(try await dispatcher.data(for: request).data?.isEmpty == false)
            }
            // All of them speak HTTP/2.
            let hello = URLRequest(url: nginx.url(nginx.http2, "/hello"))
            #expect(try await dispatcher.data(for: hello).head?.httpVersion.hasPrefix("HTTP/2") == true)
            let version = try await dispatcher.stream(for: hello).head?.httpVersion
            #expect(version == "HTTP/2")
            #expect(try await unread.collect(upTo: 1 << 20).count == 1 << 20)
        }

        @Test(arguments: [true, false])
        func othersEndWhetherTheStreamIsReadOrDropped(_ isRead: Bool) async throws {
            var unread: ResponseBody? = try await stream("/mega.bin")
            let ended = Tally()
            let others = Task {
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for path in ["/mega.bin", "/mega.bin", "/hello"] {
                        group.addTask {
                            defer { ended.add() }
                            return try await stream(path).collect(upTo: 1 << 20).count
                        }
                    }
                    return try await group.reduce(0, +)
                }
            }
            // They may all be done: nobody is held up.
            while try await dispatcher.exchangeCount() < 2, ended.count < 3 { await Task.yield() }
            if isRead { #expect(try await unread?.collect(upTo: 1 << 20).count == 1 << 20) }
            unread = nil
            #expect(try await others.value > 2 << 20)
        }

        @Test func whatGrowsInDecompressionIsHeldBackToo() async throws {
            var count = 0
            let request = URLRequest(url: nginx.url(nginx.http1, "/bomb.txt"))
            for try await chunk in try await dispatcher.stream(for: request).data {
                #expect(chunk.count <= 384 * 1024)
                count += chunk.count
                // Everything that can arrive meanwhile does.
                if count < 4 << 20 { _ = try await dispatcher.data(from: nginx.url(nginx.http2, "/hello")) }
            }
            #expect(count == 50_000_000)
        }

        @Test func aStreamThatIsDroppedLeavesTheConnection() async throws {
            func connection() async throws -> Substring? {
                let text = try await dispatcher.data(from: nginx.url(nginx.http2, "/hello")).decodeString()
                return text.split(separator: " ").dropFirst().first
            }
            var connections: Set<Substring?> = [try await connection()]
            for _ in 0..<20 {
                for try await _ in try await stream("/mega.bin") { break }
                _ = try await stream("/drip.bin")
                connections.insert(try await connection())
            }
            #expect(connections.count == 1)
            #expect(try await dispatcher.exchangeCount() == 0)
        }
    }
}
