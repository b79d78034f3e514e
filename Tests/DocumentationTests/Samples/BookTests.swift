import PiuPiuAsync
import PiuPiuTesting
import TestSupport
import Testing

/// What the articles promise beside their samples, and the order in which they are found.
struct BookTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

    private static func lines(of path: String) throws -> [String] {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func theLandingPageBeginsWithTheStart() throws {
        let page = try Self.lines(of: "Sources/PiuPiuAsync/PiuPiuAsync.docc/PiuPiuAsync.md")
        let topics = page.drop { $0 != "## Topics" }.filter { $0.hasPrefix("- ") }
        #expect(
            topics.prefix(5) == [
                "- <doc:GettingStarted>", "- <doc:ClientsOfAPIs>", "- <doc:Errors>", "- <doc:ReadyMadePolicies>",
                "- <doc:Testing>",
            ]
        )
    }

    @Test func migrationBeginsWithTenEdits() throws {
        let page = try Self.lines(of: "MIGRATION.md")
        #expect(page.count <= 401)
        #expect(page.first { $0.hasPrefix("## ") } == "## Ten edits")
        #expect(page.count { $0.hasPrefix("| 1") || $0.contains(/^\| \d \|/) } >= 10)
    }

    @Test func theCookbookHasThirtyTwoRecipes() throws {
        let page = try Self.lines(of: "Sources/PiuPiuAsync/PiuPiuAsync.docc/Cookbook.md")
        #expect(page.count { $0.hasPrefix("### ") } == 32)
    }

    @Test func anInterceptorSeesTaskLocalValues() async throws {
        let mock = MockTransport { _ in MockAnswer(.ok) }
        let key = AuthenticationSamples.TenantKey(host: "api.example.com")
        let dispatcher = URLRequestDispatcher(interceptors: [RetryPolicy(), key], transport: mock)
        _ = try await AuthenticationSamples.TenantKey.$current.withValue("42") {
            try await dispatcher.data(from: Fixture.url("https://api.example.com/"))
        }
        _ = try await dispatcher.data(from: Fixture.url("https://api.example.com/"))
        #expect(mock.requests.map { $0["X-Api-Key"] } == ["42", nil])
    }

    @Test func anObserverPassesOnTheTraceAndTheTimeThatIsLeft() async throws {
        let clock = ManualClock()
        let observer = InAServerSamples.PassingOn(hosts: ["a.example.com", "b.example.com"])
        let mocks = (0..<3).map { _ in
            clock.advance(by: .seconds(1))
            return MockTransport(clock: clock) { _ in MockAnswer(.ok) }
        }
        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = [observer]
        let deadline = TransferClock(clock).instant + .milliseconds(800)
        for (mock, host) in zip(mocks, ["a.example.com", "b.example.com", "elsewhere.example"]) {
            let dispatcher = URLRequestDispatcher(configuration: configuration, transport: mock)
            let options = dispatcher.configuration.options.with { $0.deadline = deadline }
            try await InAServerSamples.Incoming.$traceparent.withValue("00-1-2-01") {
                try await InAServerSamples.Incoming.$deadline.withValue(deadline) {
                    _ = try await dispatcher.data(from: Fixture.url("https://\(host)/"), options: options)
                }
            }
            clock.advance(by: .milliseconds(300))
        }
        #expect(mocks.map { $0.requests.first?["traceparent"] } == ["00-1-2-01", "00-1-2-01", nil])
        #expect(mocks.map { $0.requests.first?["X-Time-Left"] } == ["800", "500", nil])
        let late = MockTransport(clock: clock) { _ in MockAnswer(.ok) }
        let dispatcher = URLRequestDispatcher(transport: late)
        let options = dispatcher.configuration.options.with { $0.deadline = deadline }
        let error = try await failure { try await dispatcher.data(from: Fixture.url, options: options) }
        #expect(TransportError.Code.timeout(.total) ~= error)
        #expect(late.requests.isEmpty)
    }

    @Test func failuresHaveExitCodesAndStatuses() {
        #expect(exitCode(of: CancellationError()) == 130)
        #expect(exitCode(of: TransportError(.timeout(.idle))) == 28)
        #expect(exitCode(of: TransferError(.unacceptableStatus)) == 22)
        #expect(exitCode(of: TransferError(.noSpace)) == 23)
        let server = InAServerSamples()
        #expect(server.status(for: TransportError(.timeout(.queue))) == .serviceUnavailable)
        #expect(server.status(for: TransportError(.timeout(.total))) == .gatewayTimeout)
        #expect(server.status(for: TransportError(.connectionLost)) == .badGateway)
    }
}
