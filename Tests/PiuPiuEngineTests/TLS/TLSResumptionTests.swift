#if os(Linux)
import PiuPiuEngine
import Testing

extension TLSTests {
    /// Sessions that are resumed, and those that are not.
    @Suite(.enabled(if: OpenSSLProgram.path != nil, "openssl is needed"))
    struct TLSResumptionTests {
        private let files: TestCertificates

        init() throws { files = try TestCertificates.shared.get() }

        /// Makes a connection, and returns whether it resumed a session; `nil` if it failed.
        private func connect(
            _ server: TestServer,
            _ context: TLSContext,
            _ origin: String = "https://localhost"
        ) throws -> Bool? {
            let client = try TestClient(
                try server.connect {
                    $0.write([1])
                    $0.close()
                },
                context,
                origin: origin
            )
            guard try client.handshake() == nil else { return nil }
            // The tickets of TLS 1.3 come with the first bytes.
            #expect(try client.read(2).bytes == [1])
            client.session.sendCloseNotify()
            return client.session.isResumed
        }

        @Test(arguments: [TLSSettings.Version.tls12, .tls13])
        func anOriginResumesItsSessions(_ version: TLSSettings.Version) throws {
            let server = try TestServer(TestServer.Options(maximum: version), files)
            let context = try TLSSettings.trusting(files).load()
            #expect(try connect(server, context) == false)
            #expect(try connect(server, context) == true)
            #expect(try connect(server, context) == true)
            // Neither another origin nor another context.
            #expect(try connect(server, context, "https://other") == false)
            #expect(try connect(server, try TLSSettings.trusting(files).load()) == false)
        }

        @Test("A ticket of TLS 1.3 is used once", arguments: [TLSSettings.Version.tls12, .tls13])
        func singleUse(_ version: TLSSettings.Version) throws {
            let server = try TestServer(TestServer.Options(maximum: version), files)
            let context = try TLSSettings.trusting(files).load()
            #expect(try connect(server, context) == false)
            // The server sent two, and no others are read.
            let clients = try (0..<3).map { _ in
                let client = try TestClient(try server.connect(), context)
                #expect(try client.handshake() == nil)
                return client
            }
            #expect(clients.map(\.session.isResumed) == [true, true, version == .tls12])
        }

        @Test(arguments: [TLSSettings.Version.tls12, .tls13])
        func identities(_ version: TLSSettings.Version) throws {
            let server = try TestServer(TestServer.Options(maximum: version, wantsCertificate: true), files)
            for (part, isResumed) in [
                (TLSSettings.Part.file(files.path("client-both.pem")), false),
                (.bytes(try files.bytes("client-both.pem")), true),
            ] {
                let context = try TLSSettings.trusting(files) {
                    $0.identity = TLSSettings.Identity(.pem(key: nil), certificate: part, passphrase: nil)
                }.load()
                #expect(try connect(server, context) == false)
                #expect(try connect(server, context) == isResumed)
            }
        }

        @Test(
            "Pins and the stapled status are demands of resumed sessions, too",
            arguments: [TLSSettings.Version.tls12, .tls13]
        )
        func demands(_ version: TLSSettings.Version) throws {
            let pin = try files.pin("good")
            let server = try TestServer(TestServer.Options(maximum: version, status: "good.ocsp"), files)
            let context = try TLSSettings.trusting(files) { ($0.pins, $0.requiresStapledStatus) = ([pin], true) }.load()
            #expect(try connect(server, context) == false)
            #expect(try connect(server, context) == true)
            let wrong = try TLSSettings.trusting(files) { $0.pins = [[UInt8](repeating: 1, count: 32)] }.load()
            for _ in 0..<3 { #expect(try connect(server, wrong) == nil) }
            // A session of a handshake that was refused would have no status to check.
            let silent = try TestServer(TestServer.Options(maximum: version), files)
            let strict = try TLSSettings.trusting(files) { $0.requiresStapledStatus = true }.load()
            for _ in 0..<3 { #expect(try connect(silent, strict) == nil) }
        }
    }
}
#endif
