#if os(Linux)
import SuiteSupport
import PiuPiuAsync
import TestSupport
import Testing

/// The samples of the article on TLS and of the comments on its types.
@Suite(.timeLimit(.generous)) struct TLSSamplesTests {
    private let pin = Data(repeating: 1, count: 32).base64EncodedString()
    private let backupPin = Data(repeating: 2, count: 32).base64EncodedString()

    @Test func article() async throws {
        let clients = try ClientCertificates.shared.get()
        let (authorityFile, certificateFile) = (clients.file("clients.pem"), clients.file("a.pem"))
        let (keyFile, passphrase) = (clients.file("a-encrypted.key"), SecretSearch.secret)
        let partnerOrigin = Fixture.url("https://partner.example")
        let testServer = Fixture.url("https://localhost:8443")

        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.tls.authorities = .system(adding: authorityFile)
        configuration.transport.tls.minimumVersion = .tls13

        var partner = configuration.transport.tls
        partner.identity = .pem(certificates: certificateFile, key: keyFile, passphrase: passphrase)
        partner.pins = ["partner.example": [try SPKIPin(base64: pin), try SPKIPin(base64: backupPin)]]
        configuration.transport.tlsByOrigin = [partnerOrigin: partner]
        let dispatcher = URLRequestDispatcher(configuration: configuration)

        await dispatcher.shutdown()

        configuration.transport.tlsByOrigin[testServer] = .insecurelyWithoutVerification

        do {
            let transport = try SocketTransport(configuration: configuration.transport)
            let patient = URLRequestDispatcher(transport: transport)
            try transport.reconfigure(transport.configuration)

            #expect(transport.configuration == configuration.transport)
            await patient.shutdown()
        }
    }

    @Test func configuration() throws {
        let clients = try ClientCertificates.shared.get()
        let (certificates, key) = (clients.file("a.pem"), clients.file("a.key"))

        var tls = TLSConfiguration()
        tls.authorities = .file(URL(filePath: "/etc/company/authorities.pem"))
        tls.identity = .pem(certificates: certificates, key: key)
        tls.pins = ["api.example.com": [try SPKIPin(base64: pin), try SPKIPin(base64: backupPin)]]

        #expect(tls.verifiesServer)
    }
}
#endif
