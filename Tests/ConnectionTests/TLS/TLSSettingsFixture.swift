#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

/// The servers, certificates and dispatchers of the tests of TLS settings.
struct TLSSettingsFixture {
    static var isAvailable: Bool { TLSReporter.shared != nil }
    static let need: Comment = "nginx and openssl are needed"

    let server: TLSReporter
    let clients: ClientCertificates
    let servers: Certificates

    init() throws {
        server = try #require(TLSReporter.shared)
        clients = try ClientCertificates.shared.get()
        servers = try Certificates.shared.get()
    }

    var a: TLSIdentity { .pem(certificates: clients.file("a.pem"), key: clients.file("a.key")) }
    var b: TLSIdentity { .pem(certificates: clients.file("b.pem"), key: clients.file("b.key")) }

    /// A dispatcher that trusts the authority of the servers.
    func dispatcher() -> URLRequestDispatcher { dispatcher { _ in } }

    /// A dispatcher that trusts the authority of the servers, unless it is told otherwise.
    func dispatcher(
        _ configure: (inout TransportConfiguration) throws -> Void
    ) rethrows -> URLRequestDispatcher {
        var transport = TransportConfiguration()
        transport.certificateAuthorityFile = server.authority
        try configure(&transport)
        return URLRequestDispatcher.forTests {
            transport.proxy = $0.transport.proxy
            transport.http2 = $0.transport.http2
            $0.transport = transport
        }
    }

    /// What a server saw.
    func report(
        _ dispatcher: URLRequestDispatcher,
        _ port: Int,
        host: String = "localhost",
        closes: Bool = false
    ) async throws -> TLSReporter.Report {
        let request = URLRequest("GET", server.url(port, host: host), headers: closes ? ["Connection": "close"] : [:])
        let response = try await dispatcher.data(for: request)
        return try #require(TLSReporter.Report(try response.decodeString()), "\(response.head?.statusCode as Any)")
    }

    /// The error of a request.
    func fault(_ dispatcher: URLRequestDispatcher, _ port: Int, host: String = "localhost") async throws
        -> TransportError
    {
        let error = try await failure { try await report(dispatcher, port, host: host) }
        return try #require(error as? TransportError, "\(error)")
    }

    /// Whether a server is refused during the handshake.
    func isRefused(_ dispatcher: URLRequestDispatcher, _ port: Int, host: String = "localhost") async throws -> Bool {
        let error = try await fault(dispatcher, port, host: host)
        if error.code == .tls { return true }
        let texts = ["pinned public key", "OCSP", "revocation", "private key"]
        return texts.contains { error.underlyingDescription?.contains($0) == true }
    }

    /// The error of a dispatcher that cannot be made as it should.
    func refusal(_ configure: (inout TransportConfiguration) throws -> Void) async throws -> TransportError {
        try await fault(dispatcher(configure), server.http2)
    }
}

extension URLRequestDispatcher {
    /// Reconfigures the transport.
    nonisolated func reconfigure(_ change: (inout TransportConfiguration) throws -> Void = { _ in }) throws {
        let transport = try #require(core.transport as? SocketTransport)
        var configuration = transport.configuration
        try change(&configuration)
        try transport.reconfigure(configuration)
    }
}
#endif
