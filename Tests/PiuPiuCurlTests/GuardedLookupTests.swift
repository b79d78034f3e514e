#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing
@testable import PiuPiuCurl

extension LibcurlNetworkTests {
    /// The connections that libcurl opens by itself to look up names over https, which no guard has checked.
    @Suite(
        .enabled(if: NginxServer.shared != nil, "nginx and openssl are needed"),
        .enabled(if: (try? CurlLibrary.shared.get().looksUpOverHTTPS) ?? false, "libcurl 8.14 is needed")
    )
    struct GuardedLookupTests {
        private func transport(_ requestGuard: RequestGuard, lookups url: URL?) throws -> CurlTransport {
            var configuration = TransportConfiguration(proxy: .none)
            configuration.certificateAuthorityFile = NginxServer.shared?.authority
            configuration.eventLoops = 1
            configuration.network.dnsOverHTTPS = url
            configuration.requestGuard = requestGuard
            return try CurlTransport(configuration: configuration)
        }

        private func get(_ url: URL, over transport: CurlTransport) async throws -> TransportResponse {
            try await transport.send(TransportRequest(URLRequest(url: url, method: .get)))
        }

        /// The server does not answer such questions, but its connection stays open.
        private func lookUp(over transport: CurlTransport) async throws {
            let error = try await failure { try await get(Fixture.url("https://piupiu.test/"), over: transport) }
            #expect((error as? TransportError)?.code == .cannotResolveHost)
        }

        @Test(arguments: [true, false])
        func requestsThatTheGuardForbidsDoNotUseThem(isHTTP2: Bool) async throws {
            let server = try #require(NginxServer.shared)
            let url = server.url(isHTTP2 ? server.http2 : server.http1, "/hello")
            var requestGuard = RequestGuard()
            requestGuard.allowedPorts = nil
            for lookups in [nil, url] {
                let transport = try transport(requestGuard, lookups: lookups)
                for _ in 0..<2 {
                    if lookups != nil { try await lookUp(over: transport) }
                    let error = try await failure { try await get(url, over: transport) }
                    #expect((error as? TransportError)?.code == .forbiddenAddress)
                }
                await transport.shutdown()
            }
        }

        @Test(arguments: [true, false])
        func requestsThatItAllowsArrive(isHTTP2: Bool) async throws {
            let server = try #require(NginxServer.shared)
            let url = server.url(isHTTP2 ? server.http2 : server.http1, "/hello")
            var requestGuard = RequestGuard()
            requestGuard.allowedPorts = nil
            requestGuard.allowedBlocks = [try AddressBlock("127.0.0.0/8"), try AddressBlock("::1/128")]
            let transport = try transport(requestGuard, lookups: url)
            try await lookUp(over: transport)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { _ = try await get(url, over: transport) } }
                try await group.waitForAll()
            }
            await transport.shutdown()
        }
    }
}
#endif
