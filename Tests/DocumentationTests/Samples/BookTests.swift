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

    @Test func theCookbookHasThirtyRecipes() throws {
        let page = try Self.lines(of: "Sources/PiuPiuAsync/PiuPiuAsync.docc/Cookbook.md")
        #expect(page.count { $0.hasPrefix("### ") } == 30)
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
