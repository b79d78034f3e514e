#if os(Linux)
import Glibc
import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing
@testable import PiuPiuCurl

extension LibcurlNetworkTests {
    /// Settings that libcurl has alone, or takes in its own way.
    struct CurlSettingsTests {
        @Test(.enabled(if: ConnectionPlan.kernelAllowsFastOpen, "the kernel does not allow TCP Fast Open for clients"))
        func fastOpenWorksAndConnectionsAreUsedAgain() async throws {
            let server = try LoopbackServer()
            server.route("/", .response(body: "ok"))
            let dispatcher = URLRequestDispatcher.overLibcurl { $0.transport.network.usesFastOpen = true }
            for round in 0..<4 {
                let response = try await dispatcher.data(from: server.url("/"))
                #expect(response.metrics?.isReusedConnection == (round > 0))
            }
        }

        @Test func aSocketOptionThatTheSystemRefusesIsAFailure() {
            let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(socket) }
            let tcp = Int32(IPPROTO_TCP)
            #expect(SocketOption(level: tcp, option: TCP_USER_TIMEOUT, value: 5, name: "it").apply(to: socket))
            #expect(!SocketOption(level: tcp, option: 9999, value: 5, name: "it").apply(to: socket))
        }

        @Test(arguments: [
            ("Connected to docker (/tmp/a) port 80 (#3)", 3), ("Connected to docker (/tmp/a#7) port 80 (#12)", 12),
            ("Re-using existing connection! (#3) with host docker", 3),
            ("Re-using existing connection #30 with host docker", 30),
            ("Re-using existing connection with host docker", nil), ("Connection #0 to host docker left intact", nil),
            ("Connected to docker (/tmp/a) port 80 (#)", nil), ("Connected to docker", nil), ("", nil),
            ("Connected to docker (/a) port 80 (#99999999999999999999)", nil),
        ])
        func numbersOfConnectionsAreReadFromTheLog(_ row: (String, Int64?)) {
            let number = Array(row.0.utf8).withUnsafeBytes { ConnectionLog.number(in: $0) }
            #expect(number == row.1)
        }

        @Test("What only OpenSSL does is refused with other TLS libraries")
        func otherLibraries() throws {
            var library = try CurlLibrary.shared.get()
            library.tlsLibrary = "GnuTLS/3.7.9"
            for change: (inout TLSConfiguration) -> Void in [
                { $0.cipherSuites = ["ECDHE-RSA-AES128-GCM-SHA256"] },
                { $0.tls13CipherSuites = ["TLS_AES_128_GCM_SHA256"] },
                { $0.revocationLists = URL(filePath: "/none.crl") },
            ] {
                var configuration = TransportConfiguration()
                change(&configuration.tls)
                let error = #expect(throws: TransportError.self) {
                    try CurlTransport(configuration: configuration, library: library)
                }
                #expect(error?.code == .unsupported)
            }
        }

        @Test("A libcurl that does not tell when it sends a request never sends a POST twice")
        func oldLibraries() async throws {
            let server = try LoopbackServer()
            server.route("POST", "/", .response(body: "ok"))
            let library = CurlLibrary(versionNumber: 0x074400, version: "7.68.0", supportsTLS: true)
            let transport = try CurlTransport(configuration: TransportConfiguration(proxy: .none), library: library)
            let dispatcher = URLRequestDispatcher(transport: transport)
            for count in 1...3 {
                _ = try await dispatcher.data(for: URLRequest("POST", server.url("/"), body: "x"))
                // Each has a connection of its own.
                #expect(server.acceptedConnections == count && server.requests.count == count)
            }
        }

        // The settings of TCP are not for the sockets of HTTP/3.
        @Test(
            .enabled(
                if: CurlTransport.supportsHTTP3 && HTTP3Server.isAvailable,
                "libcurl 8.23 with HTTP/3, openssl and aioquic for python3 are needed"
            ),
            arguments: [HTTP3Use.preferred, .required]
        )
        func theTimeoutOfTCPDoesNotDisturbHTTP3(_ use: HTTP3Use) async throws {
            let server = try HTTP3Server()
            let dispatcher = URLRequestDispatcher.overLibcurl {
                $0.transport.certificateAuthorityFile = server.authority
                $0.transport.http3 = use
                $0.transport.network.userTimeout = .seconds(20)
            }
            let response = try await dispatcher.data(from: server.url("/hello"))
            #expect(response.head?.httpVersion == "HTTP/3")
        }

        @Test(
            .enabled(
                if: CurlTransport.supportsHTTP3 && HTTP3Server.isAvailable,
                "libcurl 8.23 with HTTP/3, openssl and aioquic for python3 are needed"
            )
        )
        func overridesOfAddressesApplyToHTTP3() async throws {
            let server = try HTTP3Server()
            for (host, key, isReached) in [
                ("localhost", "elsewhere.test", true), ("LOCALHOST.", "localhost", false),
                ("localhost", "LocalHost.", false), ("127.1", "127.0.0.1", false), ("127.0.0.1", "127.1", false),
            ] {
                let dispatcher = URLRequestDispatcher.overLibcurl {
                    $0.transport.network.resolve = ["\(key):\(server.port)": ["127.0.0.2"]]
                    $0.transport.http3 = .required
                    $0.transport.certificateAuthorityFile = server.authority
                    $0.timeouts.connect = isReached ? nil : .seconds(2)
                }
                let count = server.requests.count
                let url = Fixture.url("https://\(host):\(server.port)/hello")
                let result = try? await dispatcher.data(from: url)
                #expect((result != nil) == isReached, "\(host) \(key)")
                #expect(server.requests.count == count + (isReached ? 1 : 0), "\(host) \(key)")
            }
        }
    }
}
#endif
