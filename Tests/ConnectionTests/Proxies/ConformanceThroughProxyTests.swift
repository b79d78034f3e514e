#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import PiuPiuTesting
import TestSupport
import Testing

@testable import PiuPiuValues

extension ProxyNetworkTests {
    /// Every case of the conformance suite, through a SOCKS proxy with a password, with a client's key and pins at hand.
    ///
    /// The password, the passphrase of the key, and the bytes of the pins are the planted secret, which no error may tell.
    @Suite(
        .enabled(if: ProxyProgram.isInstalled("microsocks", "openssl"), "microsocks and openssl are needed")
    )
    struct ConformanceThroughProxyTests {
        /// Lets every error be searched.
        private struct Searched: HTTPTransport {
            let base: any HTTPTransport

            func send(_ request: TransportRequest) async throws -> TransportResponse {
                do {
                    return try await base.send(request)
                } catch {
                    expectNoSecret(in: error)
                    throw error
                }
            }

            func shutdown() async { await base.shutdown() }
            func invalidateAndCancel() { base.invalidateAndCancel() }
            var clock: TransferClock? { base.clock }
        }

        private static let proxy = Result { try ProxyProgram.microsocks() }

        /// An origin that refuses connections, for which there are a key and pins.
        private static let partner = Fixture.url("https://127.0.0.1:1")

        private static let gaps: [TransportConformance.Gap] = [
            .init("faults.refused", reason: "The proxy is refused, not the transport: the code is `proxy`."),
            .init("uploadEnds.noConnection", reason: "The same; the stream stays untouched all the same."),
        ]

        private let make: @Sendable (TransportConfiguration) throws -> any HTTPTransport

        init() throws {
            let port = try Self.proxy.get().port
            let server = try ProxyServer.local(port, user: ProxyProgram.user, .socks5h)
            let clients = try ClientCertificates.shared.get()
            let bytes = Array(SecretSearch.secret.utf8)
            let pin = try SPKIPin(digest: Data((0..<SPKIPin.length).map { bytes[$0 % bytes.count] }))
            var partner = TLSConfiguration()
            partner.identity = .pem(
                certificates: clients.file("a.pem"),
                key: clients.file("a-encrypted.key"),
                passphrase: SecretSearch.secret
            )
            var byOrigin: [URL: TLSConfiguration] = [:]
            partner.pins = ["127.0.0.1": [pin]]
            byOrigin[Self.partner] = partner
            if let nginx = NginxServer.shared {
                partner.pins = ["localhost": [pin]]
                byOrigin[nginx.url(nginx.http1, "")] = partner
            }
            let settings = byOrigin
            make = {
                var configuration = $0
                configuration.proxy = .server(server)
                configuration.tlsByOrigin = settings
                return Searched(base: try SocketTransport(configuration: configuration))
            }
        }

        /// Cases that depend on when a close arrives: a proxy passes it on a moment later, or resets the connection with it.
        private static let untimely: Set = ["reuse.closedWhileIdle", "uploadEnds.earlyRefusal"]

        // One after the other: the proxy passes on a kilobyte at a time, and four cases send without end.
        @Test(
            .serialized,
            arguments: TransportConformance.cases.filter { !untimely.contains($0.name) }
        )
        func conforms(_ example: TransportConformance.Case) async throws {
            let suite = TransportConformance(knownGaps: Self.gaps) { try make($0) }
            try await suite.run(example)
        }

        @Test func anOriginThatRefusesIsTheProxysAnswer() async throws {
            let transport = try make(TransportConfiguration())
            let opened = Tally()
            var request = TransportRequest(URLRequest("PUT", Self.partner))
            let stream = AsyncStream<Data> {
                opened.add()
                return nil
            }
            request.body = .stream(stream)
            let sent = request
            let error = try await proxyError { try await transport.send(sent) }
            #expect(error.isSafeToRetry && error.proxyFailure?.socksReply == "the server refused the connection")
            #expect(opened.count == 0)
            await transport.shutdown()
        }

        @Test(.enabled(if: NginxServer.shared != nil, "nginx and openssl are needed"))
        func aPinThatDoesNotMatchIsNotTold() async throws {
            let nginx = try #require(NginxServer.shared)
            var configuration = TransportConfiguration()
            configuration.certificateAuthorityFile = nginx.authority
            let transport = try make(configuration)
            let request = TransportRequest(URLRequest(url: nginx.url(nginx.http1, "/hello")))
            await expect(.tls) { try await transport.send(request) }
            await transport.shutdown()
        }
    }
}
#endif
