#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import PiuPiuTesting
import TestSupport
import Testing
@testable import PiuPiuCurl

extension LibcurlNetworkTests {
    /// Name lookups over https, at a server that answers as RFC 8484 says.
    @Suite(
        .enabled(if: TLSRelay.isAvailable, "python3 and openssl are needed"),
        .enabled(if: (try? CurlLibrary.shared.get().looksUpOverHTTPS) ?? false, "libcurl 8.14 is needed")
    )
    struct DNSOverHTTPSTests {
        private let origin: LoopbackServer
        private let resolver: LoopbackServer
        private let relay: TLSRelay

        init() throws {
            origin = try LoopbackServer()
            origin.route("/", .response(body: "ok"))
            resolver = try LoopbackServer()
            resolver.route("POST", "/dns-query") { request in Self.answer(request.body) }
            relay = try TLSRelay(to: resolver.port)
        }

        /// The answer to a query: 127.0.0.1 for an address of IPv4, nothing for other types.
        private static func answer(_ query: Data) -> [Step] {
            let query = [UInt8](query)
            guard query.count > 16 else { return [.response(status: 400)] }
            // The question ends with its type and its class.
            let isIPv4 = Array(query[(query.count - 4)..<(query.count - 2)]) == [0, 1]
            var message = query
            message[2] |= 0x80
            if isIPv4 {
                message[7] = 1
                message += [0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]
            }
            let head =
                "HTTP/1.1 200 OK\r\nContent-Type: application/dns-message\r\nContent-Length: \(message.count)\r\n\r\n"
            return [.send(Data(head.utf8) + Data(message))]
        }

        private func dispatcher(_ change: (inout NetworkConfiguration) -> Void = { _ in }) -> URLRequestDispatcher {
            URLRequestDispatcher.overLibcurl {
                $0.transport.certificateAuthorityFile = relay.authority
                $0.transport.network.dnsOverHTTPS = relay.url("/dns-query")
                change(&$0.transport.network)
            }
        }

        private var url: URL { Fixture.url("http://piupiu.test:\(origin.port)/") }

        @Test func namesAreLookedUpThere() async throws {
            let dispatcher = dispatcher()
            for _ in 0..<3 { #expect(try await dispatcher.data(from: url).data == Data("ok".utf8)) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<50 { group.addTask { _ = try await dispatcher.data(from: url) } }
                try await group.waitForAll()
            }
            #expect(resolver.requests(for: "/dns-query").count >= 1)
            let headers = resolver.requests(for: "/dns-query").map { $0.header("Content-Type") }
            #expect(headers.allSatisfy { $0 == "application/dns-message" })
            await dispatcher.shutdown()
        }

        @Test(arguments: [nil, Duration.zero])
        func addressesAreRememberedAsLongAsChosen(_ time: Duration?) async throws {
            // An open connection would need no lookup.
            origin.route("/", .response(headers: ["Connection": "close"], body: "ok"))
            let dispatcher = dispatcher { $0.dnsCacheTime = time }
            _ = try await dispatcher.data(from: url)
            let queries = resolver.requests(for: "/dns-query").count
            #expect(queries >= 1)
            _ = try await dispatcher.data(from: url)
            #expect(origin.acceptedConnections == 2)
            #expect(resolver.requests(for: "/dns-query").count == (time == .zero ? 2 * queries : queries))
            await dispatcher.shutdown()
        }

        @Test("libcurl's lookups take proxies from the environment, which must not happen unless requests do so too")
        func proxiesOfTheEnvironment() throws {
            let library = try CurlLibrary.shared.get()
            var configuration = TransportConfiguration(proxy: .none)
            configuration.network.dnsOverHTTPS = Fixture.url("https://dns.example/dns-query")
            let variables = ["https_proxy": "http://proxy.example:3128"]
            func refusal(_ variables: [String: String]) -> TransportError? {
                let plan = Result { try ConnectionPlan(configuration, library: library, variables: variables) }
                guard case .failure(let error) = plan else { return nil }
                return error as? TransportError
            }
            #expect(refusal([:]) == nil && refusal(["http_proxy": "proxy.example"]) == nil)
            #expect(refusal(["https_proxy": "http://proxy.example", "no_proxy": "example"]) == nil)
            #expect(refusal(variables)?.code == .unsupported)
            #expect(refusal(["ALL_PROXY": "ftp://proxy.example"])?.reason.contains("environment") == true)
            configuration.proxy = .server(try ProxyServer("http://other.example"))
            #expect(refusal(variables)?.code == .unsupported)
            configuration.proxy = .environment
            #expect(refusal(variables) == nil)
            configuration.requestGuard = RequestGuard()
            #expect(refusal(variables)?.code == .unsupported)
        }

        @Test func theServersConnectionIsNoWayPastAGuard() async throws {
            resolver.route("/secret", .response(body: "secret"))
            let dispatcher = URLRequestDispatcher.overLibcurl {
                $0.transport.certificateAuthorityFile = relay.authority
                $0.transport.network.dnsOverHTTPS = relay.url("/dns-query")
                var requestGuard = RequestGuard()
                requestGuard.allowedPorts = nil
                $0.transport.requestGuard = requestGuard
            }
            for round in 0..<5 {
                let other = Fixture.url("http://r\(round).test:1/")
                await expect(.forbiddenAddress) { try await dispatcher.data(from: other) }
                await expect(.forbiddenAddress) { try await dispatcher.data(from: relay.url("/secret")) }
            }
            #expect(resolver.requests(for: "/secret").isEmpty)
        }

        @Test func addressesNeedNoLookup() async throws {
            #expect(try await dispatcher().data(from: origin.url("/")).data == Data("ok".utf8))
            #expect(resolver.requests.isEmpty)
        }

        @Test func aServerThatNobodyTrustsIsNotBelieved() async throws {
            let dispatcher = URLRequestDispatcher.overLibcurl {
                $0.transport.network.dnsOverHTTPS = relay.url("/dns-query")
            }
            await expect(.cannotResolveHost) { try await dispatcher.data(from: url) }
            #expect(origin.acceptedConnections == 0 && resolver.requests.isEmpty)
        }

        @Test func aFailedLookupIsNotRepeatedElsewhere() async throws {
            resolver.route("POST", "/dns-query", .response(status: 500))
            let local = Fixture.url("http://host.invalid:\(origin.port)/")
            await expect(.cannotResolveHost) { try await dispatcher().data(from: local) }
            #expect(origin.acceptedConnections == 0)
        }

        @Test func aLookupCanBeCancelledAndHasATimeLimit() async throws {
            resolver.route("POST", "/dns-query", .stall)
            let dispatcher = dispatcher()
            for round in 0..<5 {
                let before = resolver.requests.count
                let task = Task { try await dispatcher.data(from: Fixture.url("http://r\(round).test:1/")) }
                while resolver.requests.count == before { await Task.yield() }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
            var options = RequestOptions(timeouts: Timeouts(connect: .milliseconds(300), total: .generous))
            options.timeouts.idle = .generous
            await expect(.timeout(.connect)) {
                try await dispatcher.data(for: URLRequest(url: Fixture.url("http://late.test:1/")), options: options)
            }
            // The engine works on.
            #expect(try await dispatcher.data(from: origin.url("/")).data == Data("ok".utf8))
            dispatcher.invalidateAndCancel()
        }
    }
}
#endif
