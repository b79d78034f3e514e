import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

/// The samples of the article on guarding requests, and of the comments on capabilities.
@Suite(.timeLimit(.generous)) struct GuardSamplesTests {
    private let print = Printed()

    #if os(Linux)
    @Test func guarding() async throws {
        let listener = try AddressListener("127.0.0.1")
        let url = Fixture.url("http://127.0.0.1:\(listener.port)/")

        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.requestGuard = RequestGuard()
        configuration.options.maximumBufferedBody = 5 << 20
        configuration.timeouts.total = .seconds(20)
        let dispatcher = URLRequestDispatcher(configuration: configuration)

        do {
            let response = try await dispatcher.data(from: url)
            print(response)
        } catch TransportError.Code.forbiddenAddress {
            print("This address is not available.")
        }

        #expect(print.lines == ["This address is not available."])
        #expect(listener.connections() == 0)
    }

    @Test func capabilities() {
        let capabilities = SocketTransport.capabilities
        print(capabilities)
        for advice in capabilities.missing { print(advice) }

        #expect(print.lines.count == capabilities.missing.count + 1)
    }
    #endif

    @Test func guardOfAConfiguration() {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.requestGuard = RequestGuard()
        let dispatcher = URLRequestDispatcher(configuration: configuration)

        #expect(dispatcher.configuration.transport.requestGuard == RequestGuard())
    }

    @Test func rules() throws {
        var requestGuard = RequestGuard()
        requestGuard.requiresHTTPS = true
        requestGuard.allowedPorts = [443, 8443]
        requestGuard.allowedBlocks = [try AddressBlock("10.20.0.0/16")]
        requestGuard.forbiddenBlocks += [try AddressBlock("10.20.0.1"), try AddressBlock("192.31.196.0/24")]
        requestGuard.forbiddenHosts.insert("internal.example")

        #expect(requestGuard.forbiddenBlocks.count == 3 && requestGuard.forbiddenHosts.count == 3)
    }

    @Test func blocks() throws {
        let office = try AddressBlock("192.168.7.0/24")
        let printer = try AddressBlock("192.168.7.20")
        print(office.contains("192.168.7.20"), printer)

        #expect(print.lines == ["true 192.168.7.20/32"])
    }
}
