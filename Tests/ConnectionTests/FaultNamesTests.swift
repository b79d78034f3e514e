#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import PiuPiuTesting
import TestSupport
import Testing

extension NetworkTests {
    /// Faults that have a name, and what the error says about them.
    struct FaultNamesTests {
        @Test("A head that is too large to be sent is the caller's fault, and nothing is sent")
        func largeRequestHead() async throws {
            let server = try LoopbackServer()
            server.route("/", .response(body: "ok"))
            let dispatcher = URLRequestDispatcher.forTests()
            var request = URLRequest(url: server.url("/"))
            request.setValue(String(repeating: "x", count: 1 << 20), forHTTPHeaderField: "X-Large")
            let error = try await failure { try await dispatcher.data(for: request) }
            #expect(TransportError.Code.invalidRequest ~= error, "\(error)")
            #expect(server.requests.isEmpty)
            request.setValue(String(repeating: "x", count: 900_000), forHTTPHeaderField: "X-Large")
            // The scripted server takes less.
            _ = try? await dispatcher.data(for: request)
            #expect(server.acceptedConnections == 1)
        }

        @Test(
            "A server that wants a certificate of the client's is a fault of TLS",
            .enabled(if: TLSRelay.isAvailable, "python3 and openssl are needed"),
            arguments: [Wire.tls12, .tls13]
        )
        func clientCertificate(_ wire: Wire) async throws {
            let server = try WiredServer(wire) { $0.requiresCertificate = true }
            server.script.route("/", .response(body: "ok"))
            let error = try await failure { try await server.dispatcher().data(from: server.url("/")) }
            #expect(TransportError.Code.tls ~= error, "\(error)")
        }

        @Test("A proxy that can't be reached is named as the fault, and the request is safe to send again")
        func proxyThatIsDown() async throws {
            await #expect(processExitsWith: .success) {
                let port = try RefusingPort()
                setenv("http_proxy", "http://127.0.0.1:\(port.port)", 1)
                setenv("https_proxy", "http://127.0.0.1:\(port.port)", 1)
                unsetenv("no_proxy")
                unsetenv("NO_PROXY")
                let dispatcher = URLRequestDispatcher.forTests { $0.transport.proxy = .environment }
                for url in ["http://a.example/", "https://a.example/"] {
                    let error = try await #require(throws: TransportError.self) {
                        try await dispatcher.data(from: Fixture.url(url))
                    }
                    #expect(error.code == .proxy && error.isSafeToRetry, "\(error)")
                }
            }
        }

        @Test("A change of the protocol that nobody asked for is named in our words")
        func switchedProtocols() async throws {
            let server = try LoopbackServer()
            server.route("/", .send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"), .hold("never"))
            let error = try await failure { try await URLRequestDispatcher.forTests().data(from: server.url("/")) }
            let transportError = try #require(error as? TransportError)
            #expect(transportError.code == .malformedHead && transportError.reason.contains("101"))
            #expect(transportError.underlyingDescription == nil)
            server.release("never")
        }
    }
}
#endif
