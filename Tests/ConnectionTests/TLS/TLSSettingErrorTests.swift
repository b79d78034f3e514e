#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuURLSession
@testable import PiuPiuValues

extension TrustNetworkTests {
    /// Settings that cannot be applied: nothing is sent.
    @Suite(.enabled(if: TLSSettingsFixture.isAvailable, TLSSettingsFixture.need))
    struct TLSSettingErrorTests {
        private let fixture: TLSSettingsFixture
        private var clients: ClientCertificates { fixture.clients }

        init() throws {
            fixture = try TLSSettingsFixture()
        }

        /// Checks that a configuration is refused, on creation and by a transport that works.
        private func expectRefusal(
            _ reason: String,
            sourceLocation: SourceLocation = #_sourceLocation,
            _ configure: (inout TransportConfiguration) throws -> Void
        ) async throws {
            let error = try await fixture.refusal { try configure(&$0) }
            #expect(error.code == .unsupported, sourceLocation: sourceLocation)
            #expect(error.reason.contains(reason), "\(error)", sourceLocation: sourceLocation)
            for showing in SecretSearch.showings(of: error) {
                #expect(!showing.tells, "\(showing)", sourceLocation: sourceLocation)
            }
            let dispatcher = fixture.dispatcher()
            _ = try await fixture.report(dispatcher, fixture.server.http2)
            #expect(throws: TransportError.self, sourceLocation: sourceLocation) {
                try dispatcher.reconfigure { try configure(&$0) }
            }
            // It stays as it was.
            _ = try await fixture.report(dispatcher, fixture.server.http2)
        }

        @Test func filesThatAreMissingOrHoldNothing() async throws {
            let folder = try DownloadFolder()
            let garbage = folder.url.appending(path: "garbage.pem")
            try Data("-----BEGIN CERTIFICATE-----\n\(SecretSearch.secret)\n-----END CERTIFICATE-----\n".utf8)
                .write(to: garbage)
            let missing = folder.url.appending(path: "missing.pem")
            let key = clients.file("a.key")
            func authorities(_ authorities: TLSAuthorities) -> (inout TransportConfiguration) -> Void {
                return {
                    $0.certificateAuthorityFile = nil
                    $0.tls.authorities = authorities
                }
            }
            try await expectRefusal("cannot be read", authorities(.file(missing)))
            try await expectRefusal("cannot be read", authorities(.file(folder.url)))
            try await expectRefusal("cannot be read", authorities(.file(Fixture.url("https://a.example/a.pem"))))
            try await expectRefusal("cannot be read", authorities(.folder(missing)))
            try await expectRefusal("openssl rehash", authorities(.folder(folder.url)))
            try await expectRefusal("no certificate", authorities(.file(key)))
            try await expectRefusal("malformed certificate", authorities(.file(garbage)))
            try await expectRefusal("no certificate", authorities(.certificates(Data())))
            try await expectRefusal("no certificate", authorities(.system(adding: Data("x".utf8))))
            try await expectRefusal("cannot be read", authorities(.system(adding: missing)))
            let certificate = clients.file("a.pem")
            for identity: TLSIdentity in [
                .pem(certificates: missing, key: key), .pem(certificates: certificate, key: missing), .pkcs12(missing),
            ] {
                try await expectRefusal("cannot be read") { $0.tls.identity = identity }
            }
            try await expectRefusal("no certificate") { $0.tls.identity = .pem(certificates: key) }
            try await expectRefusal("no private key") { $0.tls.identity = .pem(certificates: certificate) }
            try await expectRefusal("not PKCS#12") { $0.tls.identity = .pkcs12(certificate) }
            try await expectRefusal("NUL") {
                $0.tls.identity = .pkcs12(clients.file("a.p12"), passphrase: SecretSearch.secret + "\0")
            }
            try await expectRefusal("cannot be read") { $0.tls.revocationLists = missing }
            try await expectRefusal("no revocation list in PEM") { $0.tls.revocationLists = certificate }
        }

        @Test func contradictions() async throws {
            try await expectRefusal("different authorities") { $0.tls.authorities = .file(clients.file("clients.pem")) }
            try await expectRefusal("older than the minimum") {
                ($0.tls.minimumVersion, $0.tls.maximumVersion) = (.tls13, .tls12)
            }
            try await expectRefusal("the version limits exclude it") {
                ($0.tls.minimumVersion, $0.tls.cipherSuites) = (.tls13, ["ECDHE-RSA-AES128-GCM-SHA256"])
            }
            try await expectRefusal("the version limits exclude it") {
                ($0.tls.maximumVersion, $0.tls.tls13CipherSuites) = (.tls12, ["TLS_AES_128_GCM_SHA256"])
            }
            for (suites, reason) in [
                ([], "empty"), ([""], "not a name"), (["A:B"], "not a name"), (["!A"], "not a name"),
                (["A", "-B"], "not a name"), (["TLS_AES_128_GCM_SHA256"], "OpenSSL's spelling"),
                (["ECDHE-RSA-NULL-SHA"], "does not protect"), (["ADH-AES128-SHA"], "does not protect"),
            ] {
                try await expectRefusal(reason) { $0.tls.cipherSuites = suites }
            }
            try await expectRefusal("OpenSSL's spelling") { $0.tls.tls13CipherSuites = ["ECDHE-RSA-AES128-GCM-SHA256"] }
            try await expectRefusal("negative") { $0.tls.authorityReloadInterval = .seconds(-1) }
            try await expectRefusal("single origins only") { $0.tls = .insecurelyWithoutVerification }
            try await expectRefusal("verification is turned off") {
                var insecure = TLSConfiguration.insecurelyWithoutVerification
                insecure.requiresStapledStatus = true
                $0.tlsByOrigin[Fixture.url("https://a.example")] = insecure
            }
            // The same file is no contradiction.
            let dispatcher = fixture.dispatcher { $0.tls.authorities = .file(fixture.server.authority) }
            _ = try await fixture.report(dispatcher, fixture.server.http2)
        }

        @Test(arguments: [
            "http://a.example", "https://a.example/path", "https://a.example?q", "https://a.example/#f", "/a",
            "https://user@a.example", "ftp://a.example", "https://a.example:99999",
        ])
        func keysThatAreNoOrigins(_ key: String) async throws {
            let url = try #require(URL(string: key))
            try await expectRefusal("tlsByOrigin has a key") { $0.tlsByOrigin[url] = TLSConfiguration() }
        }

        @Test func originsAndHostsThatAreNamedTwice() async throws {
            try await expectRefusal("twice") {
                $0.tlsByOrigin[Fixture.url("https://a.example")] = TLSConfiguration()
                $0.tlsByOrigin[Fixture.url("https://A.example:443/")] = TLSConfiguration()
            }
            let pin = try SPKIPin(digest: Data(repeating: 1, count: 32))
            try await expectRefusal("twice") { $0.tls.pins = ["a.example": [pin], "A.example": [pin]] }
            try await expectRefusal("no pin") { $0.tls.pins = ["a.example": []] }
            for name in ["", "a b", "a/b", "a.example:443", "*.example", "https://a.example", "a@b", "a?b", "a#b"] {
                try await expectRefusal("not a host name") { $0.tls.pins = [name: [pin]] }
            }
            try await expectRefusal("another host") {
                var own = TLSConfiguration()
                own.pins = ["b.example": [pin]]
                $0.tlsByOrigin[Fixture.url("https://a.example")] = own
            }
        }

        @Test func urlSessionRefusesWhatItCannotDo() async throws {
            let url = fixture.server.url(fixture.server.http2)
            var versions = TransportConfiguration()
            versions.tls.minimumVersion = .tls13
            var origins = TransportConfiguration()
            origins.tlsByOrigin[url] = .insecurelyWithoutVerification
            var pins = TransportConfiguration()
            pins.tls.pins = ["LOCALHOST": [try SPKIPin(digest: Data(repeating: 1, count: 32))]]
            var broken = TransportConfiguration()
            broken.tlsByOrigin[Fixture.url("http://a.example")] = TLSConfiguration()
            for configuration in [versions, origins, pins, broken] {
                let target = try RequestTarget(url)
                #expect(SessionRequest.refusal(configuration, target)?.code == .unsupported)
                let plain = try RequestTarget(Fixture.url("http://localhost/"))
                #expect(SessionRequest.refusal(configuration, plain) == nil)
            }
            let other = try RequestTarget(Fixture.url("https://a.example/"))
            #expect(SessionRequest.refusal(origins, other) == nil)
            #expect(SessionRequest.refusal(pins, other) == nil)
        }
    }
}
#endif
