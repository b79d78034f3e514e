import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuCurl
@testable import PiuPiuValues

#if os(Linux)
extension URLRequestDispatcher {
    /// A dispatcher that uses HTTP/3 with origins that advertise it, with a head start before TCP that no busy machine
    /// loses, or the usual one if that is `nil`.
    static func altSvc(
        _ authority: URL?,
        headStart: Duration? = .seconds(20),
        _ configure: (inout Configuration) -> Void = { _ in }
    ) -> URLRequestDispatcher {
        .overLibcurl {
            $0.transport.certificateAuthorityFile = authority
            $0.transport.http3 = .altSvc
            $0.transport.network.happyEyeballsDelay = headStart
            configure(&$0)
        }
    }

    /// The version that is spoken for a request.
    func version(_ url: URL) async throws -> String? {
        try await data(from: url).head?.httpVersion
    }
}

extension HTTP3Server {
    /// The URL of a response with the field `Alt-Svc`, in which `PORT` stands for the port.
    func url(_ path: String, advertising field: String) -> URL {
        let value = field.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return url("\(path)?alt=\(value)")
    }
}

extension LibcurlNetworkTests {
    /// HTTP/3 with servers that advertise it (RFC 7838).
    @Suite(
        .enabled(
            if: CurlTransport.supportsHTTP3 && HTTP3Server.isAvailable,
            "libcurl 8.23 with HTTP/3, openssl and aioquic for python3 are needed"
        )
    )
    struct AlternativeServiceTests {
        /// HTTP/3 on the same host and port.
        private static let itself = "h3=\":PORT\""

        /// Gets an advertisement, and leaves the connection over TCP that it came on.
        private func moveToHTTP3(_ dispatcher: URLRequestDispatcher, _ server: HTTP3Server) async throws {
            #expect(try await dispatcher.version(server.url("/hello", advertising: Self.itself)) == "HTTP/1.1")
            #expect(try await dispatcher.version(server.url("/hello")) == "HTTP/3")
            _ = try await dispatcher.version(server.url("/hello"))
        }

        @Test func fromTheNextRequestOnAnAdvertisementCounts() async throws {
            let server = try HTTP3Server(stream: .http1)
            let dispatcher = URLRequestDispatcher.altSvc(server.authority)
            for _ in 0..<3 { #expect(try await dispatcher.version(server.url("/hello")) == "HTTP/1.1") }
            #expect(server.connections == 0)
            try await moveToHTTP3(dispatcher, server)
            for _ in 0..<5 { #expect(try await dispatcher.version(server.url("/hello")) == "HTTP/3") }
            #expect(server.connections == 1)
        }

        @Test(arguments: [HTTP3Use.never, .preferred])
        func nothingElseFollowsIt(_ use: HTTP3Use) async throws {
            let server = try HTTP3Server(use == .never ? .http3 : .silent, stream: .http1)
            let dispatcher = URLRequestDispatcher.altSvc(server.authority, headStart: nil) {
                $0.transport.http3 = use
            }
            for _ in 0..<3 {
                #expect(try await dispatcher.version(server.url("/hello", advertising: Self.itself)) == "HTTP/1.1")
            }
            #expect(server.connections == 0)
        }

        @Test(arguments: [
            "h2=\":PORT\"", "h3=\":1\"", "h3=\"elsewhere.example:PORT\"", "h3=\":PORT\"; ma=0", "h3=\":PORT\"|clear",
            "junk",
        ])
        func otherAlternativesAreNotUsed(_ field: String) async throws {
            let server = try HTTP3Server(stream: .http1)
            let dispatcher = URLRequestDispatcher.altSvc(server.authority)
            for _ in 0..<4 {
                #expect(try await dispatcher.version(server.url("/hello", advertising: field)) == "HTTP/1.1")
            }
            #expect(server.connections == 0)
        }

        @Test func connectionsOverTCPAreLeftAfterTheirNextResponse() async throws {
            let server = try HTTP3Server(stream: .http1)
            let dispatcher = URLRequestDispatcher.altSvc(server.authority)
            func inParallel(_ url: URL) async throws -> [String?] {
                try await withThrowingTaskGroup(of: String?.self) { group in
                    for _ in 0..<6 { group.addTask { try await dispatcher.version(url) } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
            }
            #expect(try await inParallel(server.url("/hello", advertising: Self.itself)).contains("HTTP/1.1"))
            // One request tries it, and the others go on meanwhile.
            for _ in 0..<3 { _ = try await inParallel(server.url("/hello")) }
            #expect(try await inParallel(server.url("/hello")) == [String?](repeating: "HTTP/3", count: 6))
            #expect(server.connections == 1)
        }

        @Test(.enabled(if: NginxVariant.isAvailable, "nginx and openssl are needed"))
        func aSharedConnectionOverTCPIsLeftWithoutHarmToOthers() async throws {
            let nginx = try NginxVariant(server: "add_header Alt-Svc 'h3=\":$server_port\"' always;")
            let server = try HTTP3Server(port: nginx.http2)
            let dispatcher = URLRequestDispatcher.altSvc(nginx.authority)
            let url = nginx.url(nginx.http2, "/hello")
            var versions: [String?: Int] = [:]
            for _ in 0..<10 {
                try await withThrowingTaskGroup(of: String?.self) { group in
                    for _ in 0..<100 { group.addTask { try await dispatcher.version(url) } }
                    for try await version in group { versions[version, default: 0] += 1 }
                }
            }
            #expect(Set(versions.keys) == ["HTTP/2", "HTTP/3"], "\(versions)")
            for _ in 0..<5 { #expect(try await dispatcher.version(url) == "HTTP/3") }
            #expect((1...4).contains(server.connections))
            await dispatcher.shutdown()
            #expect(Set(nginx.finish().map(\.connection)).count <= 2)
        }

        @Test(.enabled(if: NginxVariant.isAvailable, "nginx and openssl are needed"))
        func whereUDPIsBlockedRequestsGoOnSharing() async throws {
            let nginx = try NginxVariant(server: "add_header Alt-Svc 'h3=\":$server_port\"' always;")
            let server = try HTTP3Server(.silent, port: nginx.http2)
            let dispatcher = URLRequestDispatcher.altSvc(nginx.authority, headStart: nil)
            for _ in 0..<3 {
                try await withThrowingTaskGroup(of: String?.self) { group in
                    for _ in 0..<100 {
                        group.addTask { try await dispatcher.version(nginx.url(nginx.http2, "/hello")) }
                    }
                    for try await version in group { #expect(version == "HTTP/2") }
                }
            }
            await dispatcher.shutdown()
            // The second one is that of the trial.
            #expect(Set(nginx.finish().map(\.connection)).count <= 2)
            #expect(server.attempts <= 1)
        }

        @Test(.enabled(if: NginxVariant.isAvailable, "nginx and openssl are needed"))
        func whatNoLongerAnswersIsNotTriedAgain() async throws {
            let nginx = try NginxVariant(server: "add_header Alt-Svc 'h3=\":$server_port\"' always;")
            let server = try HTTP3Server(port: nginx.http2)
            let dispatcher = URLRequestDispatcher.altSvc(nginx.authority)
            let url = nginx.url(nginx.http2, "/hello")
            #expect(try await dispatcher.version(url) == "HTTP/2")
            for _ in 0..<2 { _ = try await dispatcher.version(url) }
            #expect(try await dispatcher.version(url) == "HTTP/3")
            await server.die()
            for _ in 0..<5 { #expect(try await dispatcher.version(url) == "HTTP/2") }
            let silent = try HTTP3Server(.silent, port: nginx.http2)
            let closing = URLRequest("GET", url, headers: ["Connection": "close"])
            for _ in 0..<10 { #expect(try await dispatcher.data(for: closing).head?.httpVersion == "HTTP/2") }
            // The connection that is gone may still have sent something, but no new one is tried.
            #expect(silent.attempts <= 1)
        }

        @Test func whatIsClearedIsNotUsed() async throws {
            let server = try HTTP3Server(stream: .http1)
            let dispatcher = URLRequestDispatcher.altSvc(server.authority)
            try await moveToHTTP3(dispatcher, server)
            #expect(try await dispatcher.version(server.url("/hello", advertising: "h3=\":PORT\"; ma=600")) == "HTTP/3")
            #expect(try await dispatcher.version(server.url("/hello", advertising: "clear")) == "HTTP/3")
            for _ in 0..<3 { #expect(try await dispatcher.version(server.url("/hello")) == "HTTP/1.1") }
        }

        @Test(arguments: [HTTP3Server.Datagrams.none, .silent])
        func whereUDPIsBlockedOneRequestTriesIt(_ datagrams: HTTP3Server.Datagrams) async throws {
            let server = try HTTP3Server(datagrams, stream: .http1)
            let dispatcher = URLRequestDispatcher.altSvc(server.authority, headStart: nil)
            let url = server.url("/hello", advertising: Self.itself)
            for _ in 0..<10 { #expect(try await dispatcher.version(url) == "HTTP/1.1") }
            if datagrams == .silent { await server.waitForAttempts(1) }
            try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<30 { group.addTask { try await dispatcher.version(url) } }
                for try await version in group { #expect(version == "HTTP/1.1") }
            }
            // New connections do not try it either.
            let closing = URLRequest("GET", url, headers: ["Connection": "close"])
            for _ in 0..<5 { #expect(try await dispatcher.data(for: closing).head?.httpVersion == "HTTP/1.1") }
            #expect(server.attempts == (datagrams == .silent ? 1 : 0))
        }

        @Test func whatDoesNotServeTheOriginIsNotUsed() async throws {
            let server = try HTTP3Server(stream: .http1)
            let dispatcher = URLRequestDispatcher.altSvc(server.authority)
            _ = try await dispatcher.version(server.url("/hello", advertising: Self.itself))
            let response = try await dispatcher.data(from: server.url("/misdirected"))
            #expect(response.head?.statusCode.rawValue == 421)
            for _ in 0..<3 {
                #expect(try await dispatcher.version(server.url("/hello", advertising: Self.itself)) == "HTTP/1.1")
            }
        }

        @Test func streamsAndRequestsOfBodiesWorkTheSame() async throws {
            let server = try HTTP3Server(stream: .http1)
            let dispatcher = URLRequestDispatcher.altSvc(server.authority)
            try await moveToHTTP3(dispatcher, server)
            let body = URLRequest("POST", server.url("/count"), body: "content")
            let response = try await dispatcher.data(for: body)
            #expect(response.head?.httpVersion == "HTTP/3" && response.data == Data("7".utf8))
            let stream = try await dispatcher.stream(for: URLRequest(url: server.url("/mega")))
            #expect(stream.head?.httpVersion == "HTTP/3")
            #expect(try await stream.data.collect(upTo: 1 << 20).count == 1 << 20)
            #expect(try await dispatcher.version(server.url("/hello")) == "HTTP/3")
        }

        @Test func aConnectionThatBreaksIsReplaced() async throws {
            let server = try HTTP3Server(stream: .http1)
            let dispatcher = URLRequestDispatcher.altSvc(server.authority)
            try await moveToHTTP3(dispatcher, server)
            let error = try await failure { try await dispatcher.data(from: server.url("/lost")) }
            #expect(TransportError.Code.truncatedBody ~= error, "\(error)")
            #expect(try await dispatcher.version(server.url("/hello")) == "HTTP/3")
            #expect(server.connections == 2)
        }

        @Test func requestsAreCancelledAtAnyMoment() async throws {
            let server = try HTTP3Server(stream: .http1)
            let dispatcher = URLRequestDispatcher.altSvc(server.authority)
            let urls = [server.url("/hello", advertising: Self.itself), server.url("/hello", advertising: "clear")]
            let errors = await storm(150, seed: 9, of: dispatcher, to: urls)
            #expect(errors == [])
            #expect(try await dispatcher.exchangeCount() == 0)
            #expect(try await dispatcher.version(urls[0])?.hasPrefix("HTTP/") == true)
        }

        @Test func throughAProxyItIsNotTried() async throws {
            let server = try HTTP3Server(stream: .http1)
            let proxy = try ProxyServer(.http, host: "127.0.0.1", port: server.proxyPort)
            let dispatcher = URLRequestDispatcher.altSvc(server.authority) { $0.transport.proxy = .server(proxy) }
            for _ in 0..<4 {
                #expect(try await dispatcher.version(server.url("/hello", advertising: Self.itself)) == "HTTP/1.1")
            }
            #expect(server.connections == 0)
        }
    }
}
#endif
