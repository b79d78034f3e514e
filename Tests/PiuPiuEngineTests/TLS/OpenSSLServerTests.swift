#if os(Linux)
import PiuPiuEngine
import Testing

extension TLSTests {
    /// The same against `openssl s_server`, over TCP.
    @Suite(.enabled(if: OpenSSLProgram.path != nil, "openssl is needed"))
    struct OpenSSLServerTests {
        private let files: TestCertificates

        init() throws { files = try TestCertificates.shared.get() }

        @Test(arguments: ["-tls1_2", "-tls1_3"])
        func linesComeBackReversedUntilTheServerIsKilled(_ version: String) throws {
            let server = try OpenSSLServer([version, "-rev", "-alpn", "http/1.1"], files)
            let client = try TestClient(try server.connect(), try TLSSettings.trusting(files).load())
            #expect(try client.handshake() == nil)
            #expect(client.session.applicationProtocol == "http/1.1")
            #expect(try client.write(Array("olleh\n".utf8)) == nil)
            #expect(try client.read(6).bytes == Array("hello\n".utf8))
            server.kill()
            let end = try client.read(1).end?.failure
            #expect(end?.isCutOff == true, "\(String(describing: end))")
        }

        @Test(arguments: [("-tls1_2", 40), ("-tls1_3", 116)] as [(String, UInt8)])
        func clientsNeedACertificate(_ version: String, _ alert: UInt8) throws {
            let demand = ["-Verify", "1", "-verify_return_error", "-CAfile", files.path("root.pem")]
            let server = try OpenSSLServer([version, "-www"] + demand, files)
            func answer(_ identity: TLSSettings.Identity?) throws -> (bytes: [UInt8], failure: ChannelFailure?) {
                let context = try TLSSettings.trusting(files) { $0.identity = identity }.load()
                let client = try TestClient(try server.connect(), context)
                if let failure = try client.handshake() { return ([], failure) }
                _ = try client.write(Array("GET / HTTP/1.0\r\n\r\n".utf8))
                let (bytes, end) = try client.read(12)
                return (bytes, end?.failure)
            }
            let refused = try answer(nil)
            #expect(refused.bytes.isEmpty && refused.failure?.report?.alert == alert)
            #expect(refused.failure?.report?.asksForCertificate == true)
            let identity = TLSSettings.Identity(
                .pem(key: nil),
                certificate: .file(files.path("client-both.pem")),
                passphrase: nil
            )
            #expect(try answer(identity).bytes == Array("HTTP/1.0 200".utf8))
        }

        @Test func stapledStatusAndResumption() throws {
            let server = try OpenSSLServer(["-www", "-status_file", files.path("good.ocsp")], files)
            let context = try TLSSettings.trusting(files) { $0.requiresStapledStatus = true }.load()
            for isResumed in [false, true, true] {
                let client = try TestClient(try server.connect(), context)
                #expect(try client.handshake() == nil)
                #expect(client.session.isResumed == isResumed)
                #expect(try client.write(Array("GET / HTTP/1.0\r\n\r\n".utf8)) == nil)
                let (bytes, end) = try client.read(1 << 20)
                #expect(bytes.starts(with: Array("HTTP/1.0 200".utf8)) && end?.isEnd == true)
                client.session.sendCloseNotify()
            }
            let plain = try OpenSSLServer(["-www"], files)
            let failure = try TestClient(try plain.connect(), context, origin: "https://other").handshake()
            #expect(failure?.report?.check == .status(revoked: false))
        }
    }
}
#endif
