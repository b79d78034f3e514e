import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension NetworkTests {
    /// What the error of `validated()` has of a response that came over a connection.
    struct RefusedResponseTests {
        private struct Problem: Decodable {
            var message: String
        }

        private let server: LoopbackServer
        private let dispatcher = URLRequestDispatcher.forTests()

        init() throws {
            server = try LoopbackServer()
            server.route("/busy", .json(#"{"message":"later"}"#, status: 503))
            server.route("/large", .response(status: 500, body: String(repeating: "x", count: 1_000_000)))
        }

        @Test func aRefusedStreamHasItsBody() async throws {
            let request = URLRequest(url: server.url("/busy"))
            let error = await #expect(throws: UnacceptableResponseError.self) {
                try await dispatcher.stream(for: request).validated()
            }
            #expect(error?.statusCode == .serviceUnavailable)
            #expect(try error?.decode(Problem.self).message == "later")
        }

        @Test func aRefusedStreamIsGivenUpAtTheLimit() async throws {
            let request = URLRequest(url: server.url("/large"))
            let error = await #expect(throws: UnacceptableResponseError.self) {
                try await dispatcher.stream(for: request).validated()
            }
            #expect(error?.body?.count == 65_536)
            #expect(error?.isBodyComplete == false)
            // It would wait for a stream that is still open.
            await dispatcher.shutdown()
        }

        @Test func aRefusedResponseHasTheBeginningOfItsBody() async throws {
            let error = await #expect(throws: UnacceptableResponseError.self) {
                try await dispatcher.data(from: server.url("/large")).validated()
            }
            #expect(error?.body?.count == 65_536)
            #expect(error?.isBodyComplete == false)
        }

        @Test func refusedEventsHaveTheirBody() async throws {
            let events = dispatcher.serverSentEvents(for: URLRequest(url: server.url("/busy")))
            let error = await #expect(throws: UnacceptableResponseError.self) {
                for try await event in events { Issue.record("\(event)") }
            }
            #expect(try error?.decode(Problem.self).message == "later")
        }

        @Test func anInterceptorThatRefusesAStreamHasItsBody() async throws {
            let dispatcher = URLRequestDispatcher.forTests(interceptors: [Validation.default])
            let request = URLRequest(url: server.url("/busy"))
            do {
                _ = try await dispatcher.stream(for: request)
                Issue.record("It was accepted.")
            } catch StatusCode.serviceUnavailable {
                #expect(server.requests.count == 1)
            }
            let error = await #expect(throws: UnacceptableResponseError.self) {
                try await dispatcher.stream(for: request)
            }
            #expect(try error?.decode(Problem.self).message == "later")
        }
    }
}
