#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import Glibc
import PiuPiuTesting
import TestSupport
import Testing

@testable import PiuPiuSockets
@testable import PiuPiuValues

extension ConnectionNetworkTests {
    /// What a guarded transport connects to, and what it leaves alone.
    struct RequestGuardNetworkTests {
        /// A guard for servers of this machine: 127.0.0.1 is the only exception, on any port.
        static let requestGuard: RequestGuard = {
            var requestGuard = RequestGuard()
            requestGuard.allowedBlocks = [AddressBlock(IPAddress(0x7F00_0001), prefixLength: 32)]
            requestGuard.allowedPorts = nil
            return requestGuard
        }()

        /// What ends a request that hangs because a rule is broken.
        static let patience = Duration.seconds(30)

        static func dispatcher(
            _ requestGuard: RequestGuard? = requestGuard,
            interceptors: [any Interceptor] = [],
            _ configure: (inout URLRequestDispatcher.Configuration) -> Void = { _ in }
        ) -> URLRequestDispatcher {
            .forTests(interceptors: interceptors) {
                $0.transport.requestGuard = requestGuard
                // A listener that should not be reached never answers.
                $0.timeouts.total = patience
                configure(&$0)
            }
        }

        /// A configuration that takes the addresses of names from a list.
        static func configuration(_ addresses: [String: [String]]) -> TransportConfiguration {
            var configuration = TransportConfiguration(proxy: .none)
            configuration.requestGuard = requestGuard
            configuration.network.resolve = addresses
            return configuration
        }

        /// A transport that takes the addresses of names from a list.
        static func transport(_ addresses: [String: [String]]) throws -> SocketTransport {
            try SocketTransport(configuration: configuration(addresses))
        }

        static func get(_ url: String) -> TransportRequest {
            var options = RequestOptions()
            options.timeouts.total = patience
            return TransportRequest(URLRequest(url: Fixture.url(url), method: .get), options: options)
        }

        // MARK: Addresses

        @Test(arguments: [
            "127.0.0.2", "127.255.255.254", "localhost", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]", "[::]",
        ])
        func aForbiddenAddressIsNotConnectedTo(_ host: String) async throws {
            var requestGuard = RequestGuard()
            requestGuard.allowedPorts = nil
            let listeners = try [
                AddressListener("0.0.0.0"), AddressListener("::1"), AddressListener("127.0.0.2"),
            ]
            let dispatcher = Self.dispatcher(requestGuard)
            for listener in listeners {
                let url = Fixture.url("http://\(host):\(listener.port)/")
                let error = try await #require(throws: TransportError.self) { try await dispatcher.data(from: url) }
                #expect(error.code == .forbiddenAddress)
                #expect(!error.isSafeToRetry)
                #expect(error.reason.hasPrefix("The request guard forbids the address: "), "\(error)")
                #expect(error.underlyingDescription == nil)
                #expect(listener.connections() == 0)
            }
            await dispatcher.shutdown()
            #expect(listeners.map { $0.connections() } == [0, 0, 0])
        }

        @Test(arguments: ["0x7f.0.0.2", "2130706434", "127.2", "0177.0.0.2"])
        func anAddressInAnotherNotationIsNotConnectedTo(_ host: String) async throws {
            let listener = try AddressListener("127.0.0.2")
            let dispatcher = Self.dispatcher()
            await expect(.forbiddenAddress) {
                try await dispatcher.data(from: Fixture.url("http://\(host):\(listener.port)/"))
            }
            #expect(listener.connections() == 0)
        }

        /// With the rule about notations out of the way, the address decides.
        @Test(arguments: ["0x7f.0.0.2", "2130706434", "127.2", "0177.0.0.2"])
        func theAddressOfAnotherNotationIsForbiddenToo(_ host: String) async throws {
            let listener = try AddressListener("127.0.0.2")
            let transport = try Self.transport([:])
            let profile = try SocketPlan(transport.configuration).profile(for: .usual)
            let outcome = await Self.send(Self.get("http://\(host):\(listener.port)/"), profile, through: transport)
            guard case .failure(let failure) = outcome else {
                Issue.record("It was answered")
                return
            }
            #expect(failure.code == .forbiddenAddress)
            #expect(listener.connections() == 0)
        }

        /// Sends a request that was not checked before.
        private static func send(
            _ request: TransportRequest,
            _ profile: SocketProfile,
            through transport: SocketTransport
        ) async -> ExchangeOutcome? {
            guard let prepared = try? PreparedRequest(request, userAgent: nil) else { return nil }
            let ticket = ExchangeTicket()
            let exchange = SocketExchange(ticket: ticket, request: prepared, profile: profile, streams: nil)
            return await withExchangeContinuation { continuation in
                exchange.setContinuation(continuation)
                _ = transport.loops[0].executor.submit(.start(SocketStart(exchange: exchange)))
                _ = ticket.submit()
            }
        }

        @Test func anExceptionIsConnectedToAndItsConnectionReused() async throws {
            let server = try LoopbackServer()
            server.route("/", .response(body: "hello"))
            let dispatcher = Self.dispatcher()
            for _ in 0..<3 {
                #expect(try await dispatcher.data(from: server.url("/")).decodeString() == "hello")
            }
            #expect(server.acceptedConnections == 1)
        }

        @Test func anIPv6ExceptionIsConnectedTo() async throws {
            let listener = try AddressListener("::1", answer: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
            var requestGuard = Self.requestGuard
            requestGuard.allowedBlocks = [try AddressBlock("::1")]
            let dispatcher = Self.dispatcher(requestGuard)
            #expect(try await dispatcher.data(from: listener.url()).decodeString() == "hello")
            await expect(.forbiddenAddress) {
                try await dispatcher.data(from: Fixture.url("http://127.0.0.1:\(listener.port)/"))
            }
            #expect(listener.connections() == 1)
        }

        @Test(arguments: [
            ["127.0.0.2", "127.0.0.1"], ["127.0.0.1", "127.0.0.2"], ["[::1]", "127.0.0.1"], ["127.0.0.1", "[::1]"],
            ["127.0.0.2", "[::1]", "127.0.0.3", "127.0.0.1"],
        ])
        func theOtherAddressesOfANameAreUsed(_ addresses: [String]) async throws {
            let server = try LoopbackServer()
            server.route("/", .response(body: "hello"))
            let others = try ["127.0.0.2", "::1", "127.0.0.3"].map { try AddressListener($0, port: server.port) }
            let transport = try Self.transport(["mixed.example:\(server.port)": addresses])
            for _ in 0..<2 {
                let response = try await transport.send(Self.get("http://mixed.example:\(server.port)/"))
                #expect(response.body == Data("hello".utf8))
            }
            #expect(others.map { $0.connections() } == [0, 0, 0])
            await transport.shutdown()
        }

        @Test(arguments: [["127.0.0.2", "127.0.0.1"], ["127.0.0.1", "127.0.0.2"], ["[::1]", "127.0.0.1"]])
        func theErrorNamesTheGuardIfTheOtherAddressesFail(_ addresses: [String]) async throws {
            let port = try RefusingPort()
            let transport = try Self.transport(["mixed.example:\(port.port)": addresses])
            let error = try await #require(throws: TransportError.self) {
                try await transport.send(Self.get("http://mixed.example:\(port.port)/"))
            }
            #expect(error.code == .forbiddenAddress && !error.isSafeToRetry)
            await transport.shutdown()
        }

        @Test func anAllowedAddressThatFailsIsNoMatterOfTheGuard() async throws {
            let port = try RefusingPort()
            let dispatcher = Self.dispatcher()
            await expect(.cannotConnect) { try await dispatcher.data(from: port.url) }
        }

        @Test func aConnectionThatFailsAfterAForbiddenAddressHasItsOwnError() async throws {
            let server = try LoopbackServer()
            server.route("/", .reset)
            let transport = try Self.transport(["mixed.example:\(server.port)": ["127.0.0.2", "127.0.0.1"]])
            let error = try await #require(throws: TransportError.self) {
                try await transport.send(Self.get("http://mixed.example:\(server.port)/"))
            }
            #expect(error.code == .connectionLost)
            await transport.shutdown()
        }

        // MARK: Names that change

        @Test func aNameThatLeadsElsewhereLaterIsNotFollowed() async throws {
            let server = try LoopbackServer()
            server.route("/", .response(headers: ["Connection": "close"], body: "hello"))
            let other = try AddressListener("127.0.0.2", port: server.port)
            let name = "rebound.example:\(server.port)"
            let url = "http://\(name)/"
            let transport = try Self.transport([name: ["127.0.0.1"]])
            #expect(try await transport.send(Self.get(url)).body == Data("hello".utf8))
            try transport.reconfigure(Self.configuration([name: ["127.0.0.2"]]))
            await expect(.forbiddenAddress) { try await transport.send(Self.get(url)) }
            #expect(other.connections() == 0)
            #expect(server.acceptedConnections == 1)
            await transport.shutdown()
        }

        // MARK: Redirects

        @Test(arguments: [301, 302, 303, 307, 308])
        func aRedirectToAForbiddenAddressIsNotFollowed(_ status: Int) async throws {
            let server = try LoopbackServer()
            let other = try AddressListener("127.0.0.2")
            server.route("/", .response(status: status, headers: ["Location": "/next"]))
            server.route("/next", .response(status: status, headers: ["Location": other.url("/secret").absoluteString]))
            let dispatcher = Self.dispatcher()
            let error = try await #require(throws: TransportError.self) {
                try await dispatcher.data(from: server.url("/"))
            }
            #expect(error.code == .forbiddenAddress && !error.isSafeToRetry)
            #expect(error.request?.url == other.url("/secret"))
            #expect(server.requests.map(\.path) == ["/", "/next"])
            #expect(other.connections() == 0)
        }

        @Test func aRedirectIsCheckedForItsHostAndPortToo() async throws {
            let server = try LoopbackServer()
            var requestGuard = Self.requestGuard
            requestGuard.allowedPorts = [server.port]
            let locations = [
                "/host": "http://metadata.google.internal:\(server.port)/", "/port": "http://127.0.0.1:1/",
                "/notation": "http://0x7f.1:\(server.port)/",
            ]
            for (path, location) in locations {
                server.route(path, .response(status: 302, headers: ["Location": location]))
            }
            let dispatcher = Self.dispatcher(requestGuard)
            for path in locations.keys {
                await expect(.forbiddenAddress) { try await dispatcher.data(from: server.url(path)) }
            }
            #expect(server.requests.count == 3)
        }

        @Test(arguments: [
            "file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "dict://127.0.0.1:11211/stat",
        ])
        func aRedirectToAnotherSchemeIsNotFollowed(_ location: String) async throws {
            let server = try LoopbackServer()
            server.route("/", .response(status: 302, headers: ["Location": location]))
            let dispatcher = Self.dispatcher { $0.allowsFileURLs = true }
            await expect(.unsafeRedirect) { try await dispatcher.data(from: server.url("/")) }
            await expect(location.hasPrefix("file") ? .forbiddenAddress : .unsupportedScheme) {
                try await dispatcher.data(from: Fixture.url(location))
            }
        }

        // MARK: Ways of sending

        @Test func streamsDownloadsAndUploadsAreGuarded() async throws {
            let server = try LoopbackServer()
            let other = try AddressListener("127.0.0.2")
            server.route("/", .response(status: 307, headers: ["Location": other.url().absoluteString]))
            let folder = try DownloadFolder()
            let file = folder.url.appending(path: "file")
            let dispatcher = Self.dispatcher()
            for url in [other.url(), server.url("/")] {
                let request = URLRequest(url: url, method: .get)
                await expect(.forbiddenAddress) { try await dispatcher.stream(for: request) }
                await expect(.forbiddenAddress) { try await dispatcher.download(for: request, to: file).response() }
                await expect(.forbiddenAddress) {
                    try await dispatcher.upload(for: URLRequest(url: url, method: .post), from: .data(Data("x".utf8)))
                        .response()
                }
            }
            #expect(!FileManager.default.fileExists(atPath: file.path))
            #expect(other.connections() == 0)
        }

        @Test func aRefusalIsNotRetried() async throws {
            let other = try AddressListener("127.0.0.2")
            let dispatcher = Self.dispatcher(interceptors: [RetryPolicy(retries: 5)])
            let error = try await #require(throws: TransportError.self) { try await dispatcher.data(from: other.url()) }
            #expect(error.code == .forbiddenAddress)
            #expect(error.attempts.count == 1)
            #expect(other.connections() == 0)
        }

        @Test func manyRequestsAtOnceAreAllGuarded() async throws {
            let server = try LoopbackServer()
            server.route("/", .response(body: "hello"))
            let other = try AddressListener("127.0.0.2", port: server.port)
            let dispatcher = Self.dispatcher { $0.transport.eventLoops = 2 }
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for index in 0..<200 {
                    let url = index % 2 == 0 ? server.url("/") : other.url()
                    group.addTask {
                        do {
                            return try await dispatcher.data(from: url).statusCode == .ok && index % 2 == 0
                        } catch {
                            return (error as? TransportError)?.code == .forbiddenAddress && index % 2 == 1
                        }
                    }
                }
                return await group.reduce(into: [Bool]()) { $0.append($1) }
            }
            #expect(outcomes == Array(repeating: true, count: 200))
            #expect(other.connections() == 0)
        }

        // MARK: Profiles

        @Test func aConnectionFromBeforeTheGuardIsNotReused() async throws {
            let server = try LoopbackServer()
            server.route("/", .response(body: "hello"))
            let transport = try SocketTransport(configuration: TransportConfiguration(proxy: .none))
            let request = Self.get(server.url("/").absoluteString)
            _ = try await transport.send(request)
            var configuration = transport.configuration
            configuration.requestGuard = RequestGuard()
            configuration.requestGuard?.allowedPorts = nil
            try transport.reconfigure(configuration)
            await expect(.forbiddenAddress) { try await transport.send(request) }
            configuration.requestGuard = Self.requestGuard
            try transport.reconfigure(configuration)
            _ = try await transport.send(request)
            #expect(server.acceptedConnections == 2)
            configuration.requestGuard = nil
            try transport.reconfigure(configuration)
            _ = try await transport.send(request)
            #expect(server.acceptedConnections == 3)
            await transport.shutdown()
        }
    }
}
#endif
