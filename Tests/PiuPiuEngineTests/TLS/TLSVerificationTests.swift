#if os(Linux)
import Glibc
import PiuPiuEngine
import Testing

extension TLSTests {
    /// Which servers are refused, and how that is told.
    @Suite(.enabled(if: OpenSSLProgram.path != nil, "openssl is needed"))
    struct TLSVerificationTests {
        private let files: TestCertificates

        init() throws { files = try TestCertificates.shared.get() }

        private func outcome(
            _ options: TestServer.Options = TestServer.Options(),
            host: String = "localhost",
            _ change: (inout TLSSettings) throws -> Void = { _ in }
        ) throws -> ChannelFailure? {
            let context = try TLSSettings.trusting(files, change).load()
            return try TestClient(try TestServer(options, files).connect(), context, host: host).handshake()
        }

        private func report(
            _ certificate: String,
            chain: String? = nil,
            host: String = "localhost",
            _ change: (inout TLSSettings) throws -> Void = { _ in }
        ) throws -> TLSReport {
            let options = TestServer.Options(certificate: certificate, chain: chain)
            return try #require(try outcome(options, host: host, change)?.report)
        }

        @Test(
            arguments: ["localhost", "LocalHost", "localhost.", "127.0.0.1", "127.1", "0x7f.1", "2130706433"],
            [TLSSettings.Version.tls12, .tls13]
        )
        func theRightServer(_ host: String, _ version: TLSSettings.Version) throws {
            let context = try TLSSettings.trusting(files) { $0.maximumVersion = version }.load()
            let client = try TestClient(try TestServer(TestServer.Options(), files).connect(), context, host: host)
            #expect(try client.handshake() == nil)
            #expect(client.session.version == version)
            #expect(!client.session.isResumed)
        }

        @Test(
            arguments: [
                ("other-host", "localhost", 62), ("good", "other.test", 62), ("good", "127.0.0.2", 64),
                ("good", "::1", 64), ("wildcard", "example.test", 62), ("wildcard", "a.b.example.test", 62),
                ("partial", "foo.example.test", 62), ("expired", "localhost", 10), ("expired-other", "localhost", 10),
                ("unknown", "localhost", 20), ("leaf", "localhost", 20), ("self-signed", "localhost", 18),
            ] as [(String, String, Int)]
        )
        func theWrongServer(_ certificate: String, _ host: String, _ verification: Int) throws {
            let report = try report(certificate, host: host)
            #expect(report.verification == verification, "\(report.text)")
            #expect(report.depth == 0)
            #expect(report.sawCertificate)
            #expect(report.certificate?.first == 0x30)
            #expect(report.check == .none)
        }

        @Test func wildcardsAndChains() throws {
            #expect(try outcome(TestServer.Options(certificate: "wildcard"), host: "a.example.test") == nil)
            #expect(try outcome(TestServer.Options(certificate: "leaf", chain: "leaf-chain")) == nil)
        }

        @Test("A host that no certificate can be for is refused before anything is sent")
        func unusableHosts() throws {
            let context = try TLSSettings.trusting(files).load()
            for host in [
                "", ".", ".example.test", "a..b", "a b", "a\0b", "é.test", "1::2::3",
            ] {
                let error = #expect(throws: TLSReport.self) {
                    try TestClient(try TestServer(TestServer.Options(), files).connect(), context, host: host)
                }
                #expect(error?.check == .name)
                // If nothing is verified, the name does not matter.
                #expect(try outcome(host: host) { $0.verifiesServer = false } == nil)
            }
        }

        @Test(arguments: ["node.1", "test.83", "srv.0x1f", "256.1.1.1", "1.2.3.4.5"])
        func namesThatEndInANumber(_ host: String) throws {
            #expect(try outcome(TestServer.Options(certificate: "numbers"), host: host) == nil)
            #expect(try outcome(host: host) { $0.verifiesServer = false } == nil)
            #expect(try report("good", host: host).verification == 62)
        }

        @Test func authoritiesFromFilesAndFolders() throws {
            let root = files.path("root.pem")
            #expect(try outcome { $0.authorities = Self.authorities { $0.files = [root] } } == nil)
            let other = files.path("stranger.pem")
            #expect(try outcome { $0.authorities = Self.authorities { $0.files = [other, root] } } == nil)
            let stranger = try report("good") { $0.authorities = Self.authorities { $0.files = [other] } }
            #expect(stranger.verification == 20)
            let nobody = try report("good") { $0.authorities = TLSSettings.Authorities() }
            #expect(nobody.verification == 20)
            // A trusted intermediate authority suffices.
            #expect(
                try outcome(TestServer.Options(certificate: "leaf")) {
                    $0.authorities = Self.authorities { $0.files = [files.path("middle.pem")] }
                } == nil
            )
        }

        private static func authorities(_ change: (inout TLSSettings.Authorities) -> Void) -> TLSSettings.Authorities {
            var authorities = TLSSettings.Authorities()
            change(&authorities)
            return authorities
        }

        @Test func unusableAuthorities() throws {
            for path in [files.path("none.pem"), files.path("root.key"), "/", "/dev/null"] {
                var settings = TLSSettings()
                settings.authorities.files = [path]
                let error = #expect(throws: TLSReport.self) { try settings.load() }
                #expect(error?.check == .authorities, "\(path)")
            }
            for lists in [files.path("none.crl"), files.path("root.pem"), "/dev/zero"] {
                let error = #expect(throws: TLSReport.self) {
                    try TLSSettings.trusting(files) { $0.revocationLists = lists }.load()
                }
                #expect(error?.check == .authorities, "\(lists)")
            }
            var broken = TLSSettings()
            let pem = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
            broken.authorities.certificates = [Array(pem.utf8)]
            #expect(throws: TLSReport.self) { try broken.load() }
        }

        // MARK: Revocation

        @Test func revocationLists() throws {
            #expect(try outcome { $0.revocationLists = files.path("root.crl") } == nil)
            #expect(try report("revoked") { $0.revocationLists = files.path("root.crl") }.verification == 23)
            #expect(try report("good") { $0.revocationLists = files.path("stranger.crl") }.verification == 3)
        }

        @Test(arguments: [TLSSettings.Version.tls12, .tls13])
        func stapledStatus(_ version: TLSSettings.Version) throws {
            func check(_ certificate: String, _ status: String?) throws -> TLSReport.Check? {
                let options = TestServer.Options(certificate: certificate, maximum: version, status: status)
                return try outcome(options) { $0.requiresStapledStatus = true }?.report?.check
            }
            #expect(try check("good", "good.ocsp") == nil)
            #expect(try check("revoked", "revoked.ocsp") == .status(revoked: true))
            #expect(try check("good", nil) == .status(revoked: false))
            // About another certificate, or nothing of the kind.
            #expect(try check("good", "revoked.ocsp") == .status(revoked: false))
            #expect(try check("good", "good.pem") == .status(revoked: false))
        }

        // MARK: Pins

        @Test func pins() throws {
            let (pin, other) = (try files.pin("good"), [UInt8](repeating: 7, count: 32))
            #expect(try outcome { $0.pins = [other, pin] } == nil)
            for settings in [[other], [try files.pin("root")], [[]], [Array(pin.dropLast())]] {
                let report = try report("good") { $0.pins = settings }
                #expect(report.check == .pin && report.verification == 0)
                #expect(report.certificate?.first == 0x30)
                #expect(!report.text.contains("\(other)"))
            }
            // A pin does not replace the verification.
            let expired = try files.pin("expired")
            #expect(try report("expired") { $0.pins = [expired] }.verification == 10)
        }

        @Test func withoutVerification() throws {
            for certificate in ["good", "expired", "other-host", "unknown", "self-signed"] {
                let pin = try files.pin(certificate)
                let options = TestServer.Options(certificate: certificate)
                func insecure(_ pins: [[UInt8]]) throws -> TLSReport.Check? {
                    try outcome(options) {
                        ($0.authorities, $0.verifiesServer, $0.pins) = (TLSSettings.Authorities(), false, pins)
                    }?.report?.check
                }
                #expect(try insecure([]) == nil)
                #expect(try insecure([pin]) == nil)
                #expect(try insecure([[UInt8](repeating: 7, count: 32)]) == .pin)
            }
        }

        // MARK: Versions and ciphers

        @Test func versions() throws {
            let old = TestServer.Options(maximum: .tls12)
            let new = TestServer.Options(minimum: .tls13)
            #expect(try outcome(old) == nil)
            #expect(try outcome(new) == nil)
            #expect(try outcome(old) { $0.minimumVersion = .tls13 }?.report?.alert == 70)
            #expect(try outcome(new) { $0.maximumVersion = .tls12 }?.report?.alert == 70)
        }

        @Test func ciphers() throws {
            let suite = "ECDHE-ECDSA-AES128-GCM-SHA256"
            let server = TestServer.Options(maximum: .tls12, ciphers: suite)
            #expect(try outcome(server) { $0.cipherSuites = [suite] } == nil)
            #expect(try outcome(server) { $0.cipherSuites = ["ECDHE-ECDSA-AES256-GCM-SHA384"] }?.report?.alert == 40)
            #expect(try outcome { $0.tls13CipherSuites = ["TLS_AES_128_GCM_SHA256"] } == nil)
            let error = #expect(throws: TLSReport.self) {
                try TLSSettings.trusting(files) { $0.cipherSuites = ["NO-SUCH-SUITE"] }.load()
            }
            #expect(error?.check == .ciphers)
        }

        // MARK: Not TLS

        @Test(
            arguments: [
                ("HTTP/1.1 400 Bad Request\r\n\r\n", 267, nil), ("SSH-2.0-OpenSSH_9.2\r\n", 267, nil),
                ("\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{70}", nil, 112), ("\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{50}", nil, 80),
            ] as [(String, Int?, UInt8?)]
        )
        func garbage(_ answer: String, _ reason: Int?, _ alert: UInt8?) throws {
            let failure = try #require(try self.answer(answer))
            let report = try #require(failure.report)
            if let reason { #expect(report.reason == reason) }
            #expect(report.alert == alert)
            #expect(!report.sawCertificate)
        }

        @Test(arguments: ["", "\u{16}\u{3}\u{3}"])
        func hangingUp(_ answer: String) throws {
            #expect(try self.answer(answer)?.isCutOff == true)
        }

        private func answer(_ text: String) throws -> ChannelFailure? {
            let descriptor = try TestServer.pair { descriptor in
                var buffer = [UInt8](repeating: 0, count: 4096)
                _ = Glibc.read(descriptor, &buffer, buffer.count)
                _ = Glibc.send(descriptor, text, text.unicodeScalars.count, Int32(MSG_NOSIGNAL))
            }
            return try TestClient(descriptor, try TLSSettings.trusting(files).load()).handshake()
        }
    }
}
#endif
