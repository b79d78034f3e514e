import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// The samples of MIGRATION.md, run against a server.
@Suite(.enabled(if: Surroundings.reachLoopbackDirectly, "a proxy stands in between"), .timeLimit(.generous))
struct MigrationSamplesTests {
    private let server: LoopbackServer

    init() throws {
        server = try Surroundings.server()
    }

    /// What the sample shows for a URL.
    private func shown(_ url: URL) async -> [String] {
        let show = Printed()

        let dispatcher = URLRequestDispatcher()

        do {
            let response = try await dispatcher.data(for: URLRequest(url: url, method: .get))
            let http = try response.makeHTTPResponse()
            if let error = http.httpError { throw error }
            let post = try response.decode(Post.self)
            show(post)
        } catch {
            show(error)
        }

        return show.lines
    }

    @Test func request() async throws {
        #expect(await shown(server.url("/posts/1")) == ["\(Post(id: 1, title: "Hello"))"])
        #expect(await shown(server.url("/missing")) == ["\(HTTPError.clientError(.notFound))"])
    }

    final class LanguageAdapter: URLRequestAdapter {
        func adapt(urlRequest: URLRequest) async throws -> URLRequest {
            var request = urlRequest
            request.setValue("fr", forHTTPHeaderField: "Accept-Language")
            return request
        }
    }

    @Test func documentedInitialiser() async throws {
        let adapter = LanguageAdapter()

        let dispatcher = URLRequestDispatcher(configuration: .default, requestAdapter: adapter, responseAdapter: nil)

        let response = try await dispatcher.data(from: server.url("/posts/1"))
        #expect(server.requests.first?.header("Accept-Language") == "fr")
        #expect(response.urlRequest.value(forHTTPHeaderField: "Accept-Language") == "fr")
    }
}
