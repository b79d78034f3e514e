#if os(Linux)
import SuiteSupport
import PiuPiuAsync
import TestSupport
import Testing

/// The sample of the README about connections.
@Suite(.timeLimit(.generous)) struct ConnectionSamplesTests {
    @Test(.enabled(if: NginxServer.shared != nil, "nginx and openssl are needed"))
    func readme() async throws {
        let clients = try ClientCertificates.shared.get()
        let (certificateFile, keyFile) = (clients.file("a.pem"), clients.file("a-encrypted.key"))
        let passphrase = SecretSearch.secret
        let docker = Fixture.url("http://docker")

        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.tls.identity = .pem(certificates: certificateFile, key: keyFile, passphrase: passphrase)
        configuration.transport.proxy = .server(try ProxyServer("socks5://proxy.lan"), except: "localhost,10.0.0.0/8")
        configuration.transport.routes[docker] = .unixSocket(path: "/var/run/docker.sock")
        configuration.transport.network.resolve["api.example.com:443"] = ["192.0.2.10"]
        let dispatcher = URLRequestDispatcher(configuration: configuration)

        // What the configuration says can be applied, and the exclusion leads to the server.
        let nginx = try #require(NginxServer.shared)
        let response = try await dispatcher.data(from: nginx.url(nginx.plain, "/hello"))
        #expect(response.statusCode == .ok)
        await dispatcher.shutdown()
    }
}
#endif
