#if os(Linux)
import CShims
import Foundation
import PiuPiuEngine
import Testing

extension TLSTests {
    /// Certificates of clients.
    @Suite(.enabled(if: OpenSSLProgram.path != nil, "openssl is needed"))
    struct TLSIdentityTests {
        private let files: TestCertificates

        init() throws { files = try TestCertificates.shared.get() }

        private typealias Identity = TLSSettings.Identity
        private var passphrase: [UInt8] { Array(TestCertificates.passphrase.utf8) }

        /// Why no byte of an answer came; `nil` if it did.
        private func failure(_ identity: Identity?, _ version: TLSSettings.Version = .tls13) throws -> ChannelFailure? {
            let context = try TLSSettings.trusting(files) { $0.identity = identity }.load()
            let options = TestServer.Options(maximum: version, wantsCertificate: true)
            let server = try TestServer(options, files)
            let client = try TestClient(try server.connect { $0.write([42]) }, context)
            if let failure = try client.handshake() { return failure }
            // With TLS 1.3, the server refuses a certificate after the handshake.
            let (bytes, end) = try client.read(1)
            #expect((bytes == [42]) == (end == nil))
            return end?.failure
        }

        private func pem(_ certificate: String, _ key: String?, _ passphrase: [UInt8]? = nil) -> Identity {
            Identity(
                .pem(key: key.map { .file(files.path($0)) }),
                certificate: .file(files.path(certificate)),
                passphrase: passphrase
            )
        }

        @Test(arguments: 0..<8)
        func everyFormWorks(_ form: Int) throws {
            let forms = [
                pem("client.pem", "client.key"), pem("client-both.pem", nil),
                pem("client.pem", "client-encrypted.key", passphrase),
                Identity(.pkcs12, certificate: .file(files.path("client.p12")), passphrase: passphrase),
                Identity(.pkcs12, certificate: .file(files.path("client-open.p12")), passphrase: nil),
                Identity(.pkcs12, certificate: .bytes(try files.bytes("client.p12")), passphrase: passphrase),
                Identity(.pem(key: nil), certificate: .bytes(try files.bytes("client-both.pem")), passphrase: nil),
                Identity(
                    .pem(key: .bytes(try files.bytes("client.key"))),
                    certificate: .bytes(try files.bytes("client.pem")),
                    passphrase: nil
                ),
            ]
            #expect(try failure(forms[form]) == nil)
            #expect(try failure(forms[form], .tls12) == nil)
        }

        @Test("Whatever cannot be used is an error that names its cause, and nobody is asked on the terminal")
        func unusableIdentities() throws {
            let wrong = Array("wrong".utf8)
            func container(_ name: String, _ passphrase: [UInt8]?) -> Identity {
                Identity(.pkcs12, certificate: .file(files.path(name)), passphrase: passphrase)
            }
            var rows: [(Identity, IdentityFlaw)] = [
                (pem("client.pem", "client-encrypted.key"), .missingPassphrase),
                (pem("client.pem", "client-encrypted.key", wrong), .wrongPassphrase),
                (pem("client.pem", "client-encrypted.key", []), .wrongPassphrase),
                (pem("client.pem", "client-encrypted.key", [UInt8](repeating: 0x41, count: 5000)), .wrongPassphrase),
                (pem("client.pem", "client-traditional.key"), .missingPassphrase),
                (pem("client.pem", "client-traditional.key", wrong), .wrongPassphrase),
                (pem("client.pem", "good.key"), .keyOfAnotherCertificate),
                (pem("client.pem", "rsa.key"), .keyOfAnotherType), (pem("client.pem", "none.key"), .unreadableKey),
                (pem("none.pem", "client.key"), .unreadableCertificate),
                (pem("client.key", "client.key"), .malformedCertificate),
                (pem("client.pem", "client.pem"), .malformedKey), (container("client.p12", wrong), .wrongPassphrase),
                (container("client.p12", nil), .missingPassphrase),
                (container("client.pem", nil), .malformedCertificate),
                (Identity(.pkcs12, certificate: .bytes([]), passphrase: nil), .malformedCertificate),
            ]
            let hasOld = FileManager.default.fileExists(atPath: files.path("client-old.p12"))
            if hasOld, cs_OpenSSL_version_num() >> 28 >= 3 {
                rows.append((container("client-old.p12", passphrase), .unsupportedEncryption))
                rows.append((container("client-old.p12", wrong), .wrongPassphrase))
            }
            for (identity, flaw) in rows {
                let error = #expect(throws: TLSReport.self) {
                    try TLSSettings.trusting(files) { $0.identity = identity }.load()
                }
                #expect(error?.check == .identity)
                #expect(error?.identityFlaw == flaw, "\(error?.text ?? "")")
                #expect(error.map { !"\($0)".contains("wrong\"") } == true)
            }
        }

        @Test func missingAndForeignCertificates() throws {
            let old = try #require(try failure(nil, .tls12)?.report)
            #expect(old.alert == 40 && old.asksForCertificate && !old.hasCertificate)
            let new = try #require(try failure(nil)?.report)
            #expect(new.alert == 116 && new.asksForCertificate && !new.hasCertificate)
            for version in [TLSSettings.Version.tls12, .tls13] {
                let identity = pem("foreign-client.pem", "foreign-client.key")
                let foreign = try #require(try failure(identity, version)?.report)
                #expect(foreign.alert == 48 && foreign.hasCertificate)
            }
        }

        @Test func descriptionsHaveNoSecrets() throws {
            let settings = try TLSSettings.trusting(files) {
                $0.identity = pem("client.pem", "client-encrypted.key", passphrase)
                $0.pins = [[1, 2, 3, 4]]
            }
            var dumped = ""
            dump(settings, to: &dumped)
            dump(settings.identity, to: &dumped)
            dumped += "\(settings) \(String(reflecting: settings)) \(String(describing: settings.identity))"
            #expect(!dumped.contains("\(passphrase[0]), \(passphrase[1])"))
            #expect(!dumped.contains("1, 2, 3") && !dumped.contains(TestCertificates.passphrase))
        }
    }
}
#endif
