import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

/// No description shows a key, a passphrase or a pin.
struct TLSSecretsTests {
    private let secret = SecretSearch.secret

    /// A pin whose bytes are the planted secret.
    private func pin() throws -> SPKIPin {
        let bytes = Array(SecretSearch.secret.utf8)
        return try SPKIPin(digest: Data((0..<32).map { bytes[$0 % bytes.count] }))
    }

    @Test func identitiesShowNeitherKeysNorPassphrases() {
        let bytes = Data(secret.utf8)
        let file = URL(filePath: "/certificates/a.pem")
        let identities: [TLSIdentity] = [
            .pem(certificates: bytes, key: bytes, passphrase: secret), .pkcs12(bytes, passphrase: secret),
            .pem(certificates: file, key: file, passphrase: secret), .pkcs12(file, passphrase: secret),
        ]
        for identity in identities {
            var transport = TransportConfiguration()
            transport.tls.identity = identity
            transport.tlsByOrigin[Fixture.url] = transport.tls
            var dispatcher = URLRequestDispatcher.Configuration()
            dispatcher.transport = transport
            for value in [identity, transport.tls, transport, dispatcher, [identity: transport]] as [Any] {
                for showing in SecretSearch.showings(of: value) { #expect(!showing.tells, "\(showing)") }
            }
        }
        #expect("\(identities[2])".contains("/certificates/a.pem"))
    }

    @Test func pinsAreShownNowhere() throws {
        let pin = try pin()
        var transport = TransportConfiguration()
        transport.tls.pins = ["a.example": [pin]]
        transport.tlsByOrigin[Fixture.url] = transport.tls
        for value in [pin, transport.tls, transport, Set([pin])] as [Any] {
            for showing in SecretSearch.showings(of: value) { #expect(!showing.tells, "\(showing)") }
        }
        #expect("\(transport.tls)".contains("a.example"))
    }

    @Test func pinsAreThirtyTwoBytes() throws {
        let pin = try pin()
        let text = pin.digest.base64EncodedString()
        #expect(try SPKIPin(base64: text) == pin)
        #expect(try SPKIPin(base64: "sha256//" + text) == pin)
        let broken = ["", secret, String(text.dropLast()), text + "\n", text + "=", "sha1//" + text, "\(text);\(text)"]
        for base64 in broken {
            let error = #expect(throws: TransportError.self) { try SPKIPin(base64: base64) }
            #expect(error?.code == .unsupported)
            if let error { for showing in SecretSearch.showings(of: error) { #expect(!showing.tells) } }
        }
        #expect(throws: TransportError.self) { try SPKIPin(digest: Data(count: 31)) }
        #expect(throws: TransportError.self) { try SPKIPin(digest: Data(count: 33)) }
    }
}
