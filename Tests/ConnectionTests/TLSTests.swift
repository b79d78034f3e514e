import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

extension NetworkTests {
    /// TLS, HTTP/2 and compression against a real nginx.
    @Suite(.enabled(if: NginxServer.shared != nil, "nginx and openssl are needed"))
    struct TLSTests {
        private let nginx: NginxServer

        init() throws {
            nginx = try #require(NginxServer.shared)
        }

        private func dispatcher(_ configure: (inout URLRequestDispatcher.Configuration) -> Void = { _ in })
            -> URLRequestDispatcher
        {
            URLRequestDispatcher.forTests {
                $0.transport.certificateAuthorityFile = nginx.authority
                configure(&$0)
            }
        }

        /// What `/hello` says: protocol, connection, and which request of the connection it was.
        private func hello(_ dispatcher: URLRequestDispatcher, _ port: Int) async throws -> [String] {
            try await dispatcher.data(from: nginx.url(port, "/hello")).decodeString().split(separator: " ").map(
                String.init
            )
        }

        @Test func http2IsAgreedOnAndHTTP1Too() async throws {
            let dispatcher = dispatcher()
            #expect(try await hello(dispatcher, nginx.http2)[0] == "HTTP/2.0")
            #expect(try await hello(dispatcher, nginx.http1)[0] == "HTTP/1.1")
            #expect(try await hello(dispatcher, nginx.plain)[0] == "HTTP/1.1")
            let response = try await dispatcher.data(from: nginx.url(nginx.http2, "/hello"))
            #expect(response.head?.httpVersion == "HTTP/2")
            #expect(response.head?.statusCode == .ok)
        }

        @Test func http2CanBeSwitchedOff() async throws {
            let dispatcher = dispatcher { $0.transport.http2 = .never }
            #expect(try await hello(dispatcher, nginx.http2)[0] == "HTTP/1.1")
        }

        @Test func http2RequestsShareAConnection() async throws {
            let dispatcher = dispatcher { $0.connections.perHost = 2 }
            let connections = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<150 { group.addTask { try await hello(dispatcher, nginx.http2)[1] } }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(connections.count <= 2)
        }

        @Test func cancellingAnHTTP2RequestLeavesTheConnection() async throws {
            let dispatcher = dispatcher { $0.connections.perHost = 1 }
            let before = try await hello(dispatcher, nginx.http2)[1]
            for _ in 0..<20 {
                let drip = Task { try await dispatcher.data(from: nginx.url(nginx.http2, "/drip.bin")) }
                while try await dispatcher.exchangeCount() < 1 { await Task.yield() }
                // Another stream works meanwhile.
                #expect(try await hello(dispatcher, nginx.http2)[1] == before)
                drip.cancel()
                let error = try await failure { try await drip.value }
                #expect(error is CancellationError)
            }
            #expect(try await hello(dispatcher, nginx.http2)[1] == before)
        }

        @Test func certificatesNobodyTrustsAreRefused() async throws {
            for port in [nginx.expired, nginx.wrongHost, nginx.selfSigned] {
                let error = try await failure { try await dispatcher().data(from: nginx.url(port, "/hello")) }
                #expect((error as? TransportError)?.code == .tls, "\(error)")
            }
            // Without our authority, the system's are asked, which do not know ours.
            let error = try await failure {
                try await URLRequestDispatcher.forTests().data(from: nginx.url(nginx.http2, "/hello"))
            }
            #expect((error as? TransportError)?.code == .tls)
        }

        @Test func missingAuthorityFileIsAnError() async throws {
            let dispatcher = URLRequestDispatcher.forTests {
                $0.transport.certificateAuthorityFile = URL(filePath: "/does/not/exist.pem")
            }
            let error = try await failure { try await dispatcher.data(from: nginx.url(nginx.http2, "/hello")) }
            #expect((error as? TransportError)?.code == .tls, "\(error)")
        }

        @Test func plainRequestToATLSPortGetsTheServersAnswer() async throws {
            let url = try #require(URL(string: "http://localhost:\(nginx.http2)/hello"))
            let response = try await dispatcher().data(from: url)
            #expect(response.head?.statusCode == .badRequest)
        }

        @Test func redirectFromTLSToPlainIsRefusedUnlessAllowed() async throws {
            let url = nginx.url(nginx.http2, "/to-plain")
            let error = try await failure { try await dispatcher().data(from: url) }
            #expect((error as? TransportError)?.code == .unsafeRedirect)
            #expect((error as? TransportError)?.response?.statusCode.rawValue == 302)
            let response = try await dispatcher { $0.redirects?.allowsDowngrade = true }.data(from: url)
            #expect(response.head?.statusCode == .ok)
            #expect(response.history.map(\.source) == [url])
        }

        @Test func compressedBodiesAreDecompressed() async throws {
            let dispatcher = dispatcher()
            let response = try await dispatcher.data(from: nginx.url(nginx.http2, "/text"))
            #expect(response.headers["Content-Encoding"] == "gzip")
            #expect(try response.decodeString() == String(repeating: "all work and no play ", count: 50))
        }

        @Test func compressionBombIsStoppedAtTheLimit() async throws {
            let dispatcher = dispatcher { $0.maximumBufferedBody = 1 << 20 }
            let error = try await failure { try await dispatcher.data(from: nginx.url(nginx.http2, "/bomb.txt")) }
            let transport = try #require(error as? TransportError)
            #expect(transport.code == .bodyTooLarge)
            #expect(transport.bytesReceived <= 1 << 20)
        }

        @Test func largeBodiesArriveWhole() async throws {
            let dispatcher = dispatcher()
            for port in [nginx.plain, nginx.http1, nginx.http2] {
                let response = try await dispatcher.data(from: nginx.url(port, "/mega.bin"))
                #expect(response.data == Data(repeating: 0x78, count: 1 << 20))
            }
        }

        @Test func stormOfCancelsOverHTTP2() async throws {
            let dispatcher = dispatcher { $0.connections.perHost = 2 }
            for round in 0..<3 {
                let urls = ["/hello", "/mega.bin"].map { nginx.url(nginx.http2, $0) }
                let errors = await storm(500, seed: round, of: dispatcher, to: urls)
                #expect(errors == [])
            }
            #expect(try await hello(dispatcher, nginx.http2)[0] == "HTTP/2.0")
        }
    }
}
