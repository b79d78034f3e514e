#if os(Linux)
import CShims
import Glibc
import PiuPiuEngine
import Testing

extension TLSTests {
    /// TLS within TLS, as behind a proxy that is reached over TLS.
    @Suite(.enabled(if: OpenSSLProgram.path != nil, "openssl is needed"))
    struct TLSLayersTests {
        private let files: TestCertificates
        private let context: TLSContext

        init() throws {
            files = try TestCertificates.shared.get()
            context = try TLSSettings.trusting(files).load()
        }

        private func tunnel(
            outer: TLSSettings.Version = .tls13,
            inner: TLSSettings.Version = .tls13,
            certificate: String = "good"
        ) throws -> TLSTunnel {
            TLSTunnel(
                outer: try TestServer(TestServer.Options(maximum: outer), files),
                inner: try TestServer(TestServer.Options(certificate: certificate, maximum: inner), files)
            )
        }

        /// Connects through a tunnel; the handshake with the server is not begun.
        private func client(
            _ tunnel: TLSTunnel,
            input: TLSInput = TLSInput(),
            _ script: @escaping @Sendable (TestServer.Connection) -> Void
        ) throws -> TestClient {
            let proxy = try TestClient(try tunnel.connect(script), context, input: input)
            #expect(try proxy.handshake() == nil)
            return try TestClient(over: proxy, context)
        }

        private static func pattern(_ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 31) &+ ($0 >> 8)) }
        }

        struct Shape: Sendable {
            var count: Int
            /// How many bytes are in one record of the outer connection.
            var piece: Int
            /// How many bytes one receive takes.
            var capacity: Int
        }

        private static let shapes = [
            Shape(count: 1 << 20, piece: 1 << 14, capacity: 64 << 10),
            Shape(count: 1 << 18, piece: 1 << 14, capacity: 1),
            Shape(count: 1 << 18, piece: 777, capacity: 100), Shape(count: 1 << 14, piece: 1, capacity: 64 << 10),
            Shape(count: 1 << 14, piece: 6, capacity: 5000),
        ]

        private static let versions: [(TLSSettings.Version, TLSSettings.Version)] = [
            (.tls13, .tls13), (.tls13, .tls12), (.tls12, .tls13), (.tls12, .tls12),
        ]

        @Test(arguments: versions, shapes)
        func whatIsSentComesBack(_ versions: (TLSSettings.Version, TLSSettings.Version), _ shape: Shape) throws {
            var tunnel = try tunnel(outer: versions.0, inner: versions.1)
            tunnel.piece = shape.piece
            let sent = Self.pattern(shape.count)
            let client = try client(tunnel, input: TLSInput(capacity: shape.capacity)) { server in
                server.write(server.read(shape.count))
                server.close()
            }
            #expect(try client.handshake() == nil)
            #expect(client.session.version == versions.1)
            #expect(try client.write(sent) == nil)
            let (bytes, end) = try client.read(sent.count + 1)
            #expect(bytes == sent)
            // The server's close_notify, before that of the proxy.
            #expect(end?.isEnd == true)
            client.session.sendCloseNotify()
        }

        @Test func connectionsShareTheInput() throws {
            let input = TLSInput(capacity: 3000)
            let sent = Self.pattern(1 << 16)
            let clients = try (0..<3).map { _ in
                try client(try tunnel(), input: input) { server in
                    server.write(server.read(1 << 16))
                    server.close()
                }
            }
            for client in clients {
                #expect(try client.handshake() == nil)
                #expect(try client.write(sent) == nil)
            }
            var received = clients.map { _ in [UInt8]() }
            while received[0].count < sent.count {
                for (index, client) in clients.enumerated() { received[index] += try client.read(4096).bytes }
            }
            #expect(received.allSatisfy { $0 == sent })
        }

        @Test func theServerIsVerified() throws {
            let client = try client(try tunnel(certificate: "other-host")) { _ in }
            let report = try client.handshake()?.report
            #expect(report?.verification == 62 && report?.sawCertificate == true, "\(report as Any)")
        }

        @Test func aProxyThatGoesAwayCutsTheServerOff() throws {
            for closes in [true, false] {
                var tunnel = try tunnel()
                // Whether the proxy says so, nothing was said by the server.
                tunnel.ending = { if closes { $0.close() } }
                let client = try client(tunnel) { $0.write([1, 2, 3]) }
                #expect(try client.handshake() == nil)
                let (bytes, end) = try client.read(4)
                #expect(bytes == [1, 2, 3])
                #expect(end?.failure?.isCutOff == true, "\(end as Any)")
                #expect(try client.read(1).end?.failure?.isCutOff == true)
            }
        }

        @Test func aProxyThatGoesAwayEndsTheHandshake() throws {
            let outer = try TestServer(TestServer.Options(), files)
            for closes in [true, false] {
                // The first record has the whole message of the client's.
                let socket = try outer.connect { proxy in
                    _ = proxy.read(1)
                    if closes { proxy.close() }
                }
                let proxy = try TestClient(socket, context)
                #expect(try proxy.handshake() == nil)
                let client = try TestClient(over: proxy, context)
                #expect(try client.handshake()?.isCutOff == true)
            }
        }

        @Test func aBrokenRecordOfTheProxysIsAFailure() throws {
            let outer = try TestServer(TestServer.Options(), files)
            let socket = try outer.connect { proxy in
                _ = proxy.read(1)
                let record: [UInt8] = [0x17, 3, 3, 0, 32] + [UInt8](repeating: 7, count: 32)
                _ = Glibc.send(proxy.descriptor, record, record.count, Int32(MSG_NOSIGNAL))
                _ = proxy.read(1 << 20)
            }
            let proxy = try TestClient(socket, context)
            #expect(try proxy.handshake() == nil)
            let client = try TestClient(over: proxy, context)
            #expect(try client.handshake()?.report != nil)
            // It stays so.
            #expect(try client.handshake()?.report != nil)
        }

        @Test func whatTheProxySaysInPlainTextIsNoHandshake() throws {
            let outer = try TestServer(TestServer.Options(), files)
            let socket = try outer.connect { proxy in
                proxy.write(Array("this is not TLS at all".utf8))
                _ = proxy.read(1 << 20)
            }
            let proxy = try TestClient(socket, context)
            #expect(try proxy.handshake() == nil)
            let client = try TestClient(over: proxy, context)
            #expect(try client.handshake()?.report != nil)
        }

        @Test func bytesOfTheLowerConnectionArePending() throws {
            let (sent, goOn) = (Mailbox<Bool>(), Mailbox<Bool>())
            var tunnel = try tunnel()
            tunnel.ending = { _ in sent.put(true) }
            let client = try client(tunnel) { server in
                _ = server.read(1)
                // Each in a record of its own; the proxy puts both into one, or not.
                server.write([1, 2, 3])
                server.write([4, 5, 6])
                server.close()
                _ = goOn.take()
            }
            #expect(try client.handshake() == nil)
            #expect(try client.write([0]) == nil)
            #expect(try client.read(2).bytes == [1, 2])
            #expect(client.session.hasPendingBytes)
            let (bytes, end) = try client.read(5)
            #expect(bytes == [3, 4, 5, 6] && end?.isEnd == true)
            goOn.put(true)
        }

        @Test func bothConnectionsAreToldTheEnd() throws {
            let (server, proxy) = (Mailbox<Bool>(), Mailbox<Bool>())
            let inner = try TestServer(TestServer.Options(), files)
            let outer = try TestServer(TestServer.Options(), files)
            let tunnel = TLSTunnel(outer: outer, inner: inner) { client in
                // SSL_ERROR_ZERO_RETURN; what has arrived before may be the server's last records.
                var byte: UInt8 = 0
                var result: Int32
                repeat { result = cs_SSL_read(client.ssl, &byte, 1) } while result > 0
                proxy.put(cs_SSL_get_error(client.ssl, result) == 6)
            }
            let client = try client(tunnel) { connection in
                var byte: UInt8 = 0
                let result = cs_SSL_read(connection.ssl, &byte, 1)
                server.put(cs_SSL_get_error(connection.ssl, result) == 6)
            }
            #expect(try client.handshake() == nil)
            client.session.sendCloseNotify()
            #expect(server.take() == true)
            #expect(proxy.take() == true)
        }

        @Test func aServerThatReadsSlowlyStopsTheWriter() throws {
            let goOn = Mailbox<Bool>()
            let sent = Self.pattern(4 << 20)
            let client = try client(try tunnel()) { server in
                _ = goOn.take()
                let received = server.read(4 << 20)
                server.write(received == TLSLayersTests.pattern(4 << 20) ? [1] : [0])
            }
            #expect(try client.handshake() == nil)
            // Until nothing more fits.
            var written = 0
            while written < sent.count {
                let result = sent[written...].withUnsafeBytes { client.session.write($0) }
                guard case .bytes(let count) = result else { break }
                written += count
            }
            #expect(written < sent.count)
            goOn.put(true)
            #expect(try client.write(Array(sent[written...])) == nil)
            #expect(try client.read(1).bytes == [1])
        }
    }
}
#endif
