#if os(Linux)
import CShims
import Glibc
import PiuPiuEngine
import Testing

extension TLSTests {
    /// Bytes after the handshake.
    @Suite(.enabled(if: OpenSSLProgram.path != nil, "openssl is needed"))
    struct TLSDataTests {
        private let files: TestCertificates
        private let context: TLSContext

        init() throws {
            files = try TestCertificates.shared.get()
            context = try TLSSettings.trusting(files).load()
        }

        private func client(
            input: TLSInput = TLSInput(),
            _ version: TLSSettings.Version = .tls13,
            _ script: @escaping @Sendable (TestServer.Connection) -> Void
        ) throws -> TestClient {
            let server = try TestServer(TestServer.Options(maximum: version), files)
            let client = try TestClient(try server.connect(script), context, input: input)
            #expect(try client.handshake() == nil)
            return client
        }

        private static func pattern(_ count: Int, _ seed: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 31) &+ ($0 >> 8) &+ seed) }
        }

        @Test(arguments: [TLSSettings.Version.tls12, .tls13], [1, 100, 5000, 64 << 10])
        func aMebibyteComesBack(_ version: TLSSettings.Version, _ capacity: Int) throws {
            let sent = Self.pattern(1 << 20, 0)
            let client = try client(input: TLSInput(capacity: capacity), version) { server in
                server.write(server.read(1 << 20))
                server.close()
            }
            #expect(try client.write(sent) == nil)
            let (bytes, end) = try client.read(sent.count + 1)
            #expect(bytes == sent)
            #expect(end?.isEnd == true)
            client.session.sendCloseNotify()
        }

        @Test(
            "An end without close_notify is a cut-off, whatever came before",
            arguments: [TLSSettings.Version.tls12, .tls13]
        )
        func cutOff(_ version: TLSSettings.Version) throws {
            let client = try client(version) { $0.write([1, 2, 3]) }
            let (bytes, end) = try client.read(10)
            #expect(bytes == [1, 2, 3])
            #expect(end?.failure?.isCutOff == true)
            // It stays so.
            #expect(try client.read(1).end?.failure?.isCutOff == true)
            #expect(try client.write([1])?.isCutOff == true)
        }

        @Test("After a whole response, one read tells whether the connection has ended")
        func idleConnection() throws {
            let (goOn, closed) = (Mailbox<Bool>(), Mailbox<Bool>())
            let client = try client { server in
                server.write([1, 2, 3])
                _ = goOn.take()
                server.close()
                shutdown(server.descriptor, Int32(SHUT_RDWR))
                closed.put(true)
            }
            #expect(try client.read(3).bytes == [1, 2, 3])
            #expect(!client.session.hasPendingBytes)
            goOn.put(true)
            #expect(closed.take() == true)
            var byte: UInt8 = 0
            #expect(withUnsafeMutableBytes(of: &byte) { client.session.read(into: $0) }.isEnd)
        }

        @Test func aRecordThatIsCutOff() throws {
            let client = try client { server in
                // Of a record of 100 bytes, 4.
                let part: [UInt8] = [0x17, 3, 3, 0, 100, 1, 2, 3, 4]
                _ = Glibc.send(server.descriptor, part, part.count, Int32(MSG_NOSIGNAL))
            }
            #expect(try client.read(1).end?.failure?.isCutOff == true)
        }

        @Test func aRecordThatWasChanged() throws {
            let client = try client { server in
                let record: [UInt8] = [0x17, 3, 3, 0, 32] + [UInt8](repeating: 7, count: 32)
                _ = Glibc.send(server.descriptor, record, record.count, Int32(MSG_NOSIGNAL))
            }
            let (bytes, end) = try client.read(1)
            #expect(bytes.isEmpty && end?.failure?.report != nil)
        }

        @Test("After close_notify, writing still works, and reading stays at the end")
        func closeNotifyWhileWriting() throws {
            let received = Mailbox<[UInt8]>()
            let client = try client { server in
                server.write([1])
                server.close()
                received.put(server.read(4))
            }
            let (bytes, end) = try client.read(2)
            #expect(bytes == [1] && end?.isEnd == true)
            #expect(try client.write([1, 2, 3, 4]) == nil)
            #expect(received.take() == [1, 2, 3, 4])
            #expect(try client.read(1).end?.isEnd == true)
        }

        @Test("What the server said before it closed the connection can be read after a write failed")
        func earlyResponse() throws {
            let closed = Mailbox<Bool>()
            let client = try client { server in
                server.write([9, 8, 7])
                server.close()
                shutdown(server.descriptor, Int32(SHUT_RDWR))
                closed.put(true)
            }
            _ = closed.take()
            let failure = try client.write([1, 2, 3])
            guard case .system(EPIPE) = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(try client.write([1, 2, 3]) != nil)
            let (bytes, end) = try client.read(4)
            #expect(bytes == [9, 8, 7] && end?.isEnd == true)
        }

        @Test("Nothing is read or written before the handshake is complete")
        func tooEarly() throws {
            let server = try TestServer(TestServer.Options(), files)
            let client = try TestClient(try server.connect(), context)
            #expect(try client.read(1).end?.failure != nil)
            #expect(try client.write([1]) != nil)
        }

        @Test("Connections that share memory never get each other's bytes", arguments: [64 << 10, 300, 7])
        func sharedInput(_ capacity: Int) throws {
            let (input, size) = (TLSInput(capacity: capacity), 200_000)
            let clients = try (0..<5).map { seed in
                try client(input: input, seed.isMultiple(of: 2) ? .tls13 : .tls12) { server in
                    server.write(Self.pattern(size, seed))
                    server.close()
                }
            }
            var received = [[UInt8]](repeating: [], count: clients.count)
            var turn = 0
            // Few bytes a turn, so that each leaves some in the memory.
            while received.contains(where: { $0.count < size }) {
                let index = turn % clients.count
                turn += 1
                let count = min(1 + turn % 2000, size - received[index].count)
                let (bytes, end) = try clients[index].read(count)
                received[index] += bytes
                try #require(end == nil)
            }
            for (seed, bytes) in received.enumerated() { #expect(bytes == Self.pattern(size, seed)) }
        }

        @Test("A flood of messages without content does not keep a read for ever")
        func flood() throws {
            typealias Update = @convention(c) (OpaquePointer, Int32) -> Int32
            let update = unsafeBitCast(try #require(cs_openssl_symbol("SSL_key_update")), to: Update.self)
            let client = try client { server in
                // 27 bytes each.
                for _ in 0..<40_000 {
                    guard update(server.ssl, 0) == 1, cs_SSL_do_handshake(server.ssl) == 1 else { return }
                }
                server.write([1])
                server.close()
            }
            var (calls, buffer) = (0, [UInt8](repeating: 0, count: 10))
            while true {
                calls += 1
                let result = buffer.withUnsafeMutableBytes { client.session.read(into: $0) }
                guard case .wouldBlock = result else { break }
                try client.wait(writes: false)
            }
            #expect(buffer[0] == 1)
            #expect(calls >= 4)
        }

        @Test("A connection that is given up leaves nothing in the memory")
        func givingUp() throws {
            let input = TLSInput()
            var first: TestClient? = try client(input: input) { $0.write(Self.pattern(50_000, 1)) }
            #expect(try first?.read(10).bytes.count == 10)
            #expect(first?.session.hasPendingBytes == true)
            first = nil
            let second = try client(input: input) { $0.write(Self.pattern(50_000, 2)) }
            #expect(try second.read(50_000).bytes == Self.pattern(50_000, 2))
        }
    }
}
#endif
