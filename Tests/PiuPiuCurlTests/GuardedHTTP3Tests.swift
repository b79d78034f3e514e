#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import Glibc
import TestSupport
import Testing

@testable import PiuPiuValues
@testable import PiuPiuCurl

extension LibcurlNetworkTests {
    /// A guard judges the addresses of UDP as it judges those of TCP.
    @Suite(
        .enabled(
            if: CurlTransport.supportsHTTP3 && HTTP3Server.isAvailable,
            "libcurl 8.23 with HTTP/3, openssl and aioquic for python3 are needed"
        )
    )
    struct GuardedHTTP3Tests {
        private static let advertisement = "h3=\":PORT\""

        /// A dispatcher whose guard allows 127.0.0.1 alone, and for which `localhost` has some addresses.
        private func dispatcher(
            _ use: HTTP3Use,
            _ server: HTTP3Server,
            _ addresses: [String],
            allows: Bool = true
        ) -> URLRequestDispatcher {
            .overLibcurl {
                var requestGuard = RequestGuard()
                if allows { requestGuard.allowedBlocks = [AddressBlock(IPAddress(0x7F00_0001), prefixLength: 32)] }
                requestGuard.allowedPorts = nil
                $0.transport.requestGuard = requestGuard
                $0.transport.certificateAuthorityFile = server.authority
                $0.transport.http3 = use
                // So long that no busy machine loses the race against TCP.
                $0.transport.network.happyEyeballsDelay = .seconds(20)
                $0.transport.network.resolve["localhost:\(server.port)"] = addresses
            }
        }

        @Test(arguments: [["127.0.0.2", "127.0.0.1"], ["127.0.0.1", "127.0.0.2"], ["127.0.0.1"]])
        func anAlternativeIsReachedAtAllowedAddressesOnly(_ addresses: [String]) async throws {
            let server = try HTTP3Server(stream: .http1)
            let forbidden = try DatagramListener("127.0.0.2", port: server.port)
            let dispatcher = dispatcher(.altSvc, server, addresses)
            #expect(try await dispatcher.version(server.url("/hello", advertising: Self.advertisement)) == "HTTP/1.1")
            // The second one leaves the connection over TCP that the advertisement came on.
            let versions = try await [
                dispatcher.version(server.url("/hello")), dispatcher.version(server.url("/hello")),
                dispatcher.version(server.url("/hello")), dispatcher.version(server.url("/hello")),
            ]
            #expect(versions[0] == "HTTP/3" && versions[2...] == ["HTTP/3", "HTTP/3"], "\(versions)")
            #expect(forbidden.count() == 0 && server.connections == 1)
        }

        @Test(arguments: [HTTP3Use.preferred, .required], [["127.0.0.2", "127.0.0.1"], ["127.0.0.1", "127.0.0.2"]])
        func whatIsNotAdvertisedIsJudgedToo(_ use: HTTP3Use, _ addresses: [String]) async throws {
            let server = try HTTP3Server()
            let forbidden = try DatagramListener("127.0.0.2", port: server.port)
            let dispatcher = dispatcher(use, server, addresses)
            for _ in 0..<2 { #expect(try await dispatcher.version(server.url("/hello")) == "HTTP/3") }
            #expect(forbidden.count() == 0)
        }

        @Test(arguments: [HTTP3Use.altSvc, .preferred, .required])
        func aForbiddenAddressGetsNoDatagram(_ use: HTTP3Use) async throws {
            let server = try HTTP3Server(.silent, stream: .http1)
            let listener = try DatagramListener("127.0.0.2", port: server.port)
            for addresses in [["127.0.0.1"], ["127.0.0.2"], ["127.0.0.2", "127.0.0.1"]] {
                let dispatcher = dispatcher(use, server, addresses, allows: false)
                for _ in 0..<2 {
                    await expect(.forbiddenAddress) { try await dispatcher.data(from: server.url("/hello")) }
                }
                await dispatcher.shutdown()
            }
            #expect(listener.count() == 0 && server.attempts == 0)
        }
    }
}

/// A socket of UDP that answers nothing and counts what comes.
private final class DatagramListener: Sendable {
    private let socket: Int32

    init(_ address: String, port: Int) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = in_port_t(port).bigEndian
        _ = inet_aton(address, &place.sin_addr)
        let result = withUnsafePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw POSIXError(.EADDRINUSE) }
    }

    deinit {
        close(socket)
    }

    /// The number of datagrams that came since the last call.
    func count() -> Int {
        var buffer = [UInt8](repeating: 0, count: 2048)
        var count = 0
        while recv(socket, &buffer, buffer.count, 0) >= 0 { count += 1 }
        return count
    }
}
#endif
