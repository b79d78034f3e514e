import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// The samples of the comments on errors, their codes and limits, and on options that are changed.
struct ErrorSamplesTests {
    private let request = URLRequest(url: Fixture.url("https://example.com/posts"))

    private func dispatcher(_ error: any Error) -> MockURLRequestDispatcher {
        MockURLRequestDispatcher { _ in throw error }
    }

    private func limit(_ error: any Error) async throws -> [String] {
        let print = Printed()
        let dispatcher = dispatcher(error)
        do {
            let response = try await dispatcher.data(for: request)
            print(response)
        } catch let error as TransportError {
            print(error.limit?.setting ?? "no limit was reached")
        }
        return print.lines
    }

    private func pattern(_ error: any Error) async throws -> [String] {
        let show = Printed()
        let dispatcher = dispatcher(error)
        do {
            let post: Post = try await dispatcher.get("https://example.com/posts/1")
            show(post)
        } catch StatusCode.notFound {
            show("There is no such post.")
        } catch TransportError.Code.timeout(.connect) {
            show("The server cannot be reached.")
        }
        return show.lines
    }

    private func group(_ error: any Error) async throws -> [String] {
        let show = Printed()
        let dispatcher = dispatcher(error)
        do {
            let post: Post = try await dispatcher.get("https://example.com/posts/1")
            show(post)
        } catch TransportError.Code.timeout {
            show("The server takes too long.")
        } catch TransportError.Code.tls {
            show("The connection is not safe.")
        } catch TransportError.Code.noConnection {
            show("The server cannot be reached.")
        }
        return show.lines
    }

    private func busy(_ api: some DataDispatcher, _ draft: Post) async throws -> [String] {
        let print = Printed()
        do {
            try await api.post("/posts", json: draft)
        } catch let error as UnacceptableResponseError {
            guard let wait = error.retryAfter else { throw error }
            print("The server is busy: try again in \(wait.components.seconds) seconds.")
        }
        return print.lines
    }

    @Test func aBusyServerSaysWhen() async throws {
        let transport = MockTransport { _ in MockAnswer(.tooManyRequests, headers: ["Retry-After": "7"]) }
        let configuration = URLRequestDispatcher.Configuration().with { $0.baseURL = Fixture.url }
        let api = URLRequestDispatcher(configuration: configuration, transport: transport)
        #expect(try await busy(api, Post(id: 1, title: "A")) == ["The server is busy: try again in 7 seconds."])
    }

    @Test func codesAreNamed() async throws {
        #expect(try await group(TransportError(.timeout(.head))) == ["The server takes too long."])
        #expect(try await group(TransportError(.tls)) == ["The connection is not safe."])
        #expect(try await group(TransportError(.cannotResolveHost)) == ["The server cannot be reached."])
        #expect(try await limit(TransportError(.tls)) == ["no limit was reached"])
        #expect(try await pattern(HTTPError.clientError(.notFound)) == ["There is no such post."])
        #expect(try await pattern(TransportError(.timeout(.connect))) == ["The server cannot be reached."])
    }

    @Test func optionsAreChangedInOneExpression() async throws {
        let tuned = URLRequestDispatcher.Configuration().with { $0.timeouts.total = .seconds(30) }
        let dispatcher = URLRequestDispatcher(configuration: tuned)
        #expect(dispatcher.configuration.timeouts.total == .seconds(30))
        dispatcher.invalidateAndCancel()
        let patient = Timeouts().with { $0.idle = .seconds(300) }
        let checked = DownloadOptions().with { $0.expectedSize = 1_000_000 }
        let few = PaginationOptions().with { $0.maximumPages = 10 }
        #expect(patient.idle == .seconds(300) && checked.expectedSize == 1_000_000 && few.maximumPages == 10)
    }

    @Test func changedOptionsGoIntoAnAsyncLet() async throws {
        let dispatcher = URLRequestDispatcher(transport: MockTransport { _ in MockAnswer(.ok) })
        let quick = dispatcher.configuration.options.with { $0.timeouts.total = .seconds(2) }
        async let response = dispatcher.data(for: request, options: quick)
        #expect(try await response.url == request.url)
    }
}
