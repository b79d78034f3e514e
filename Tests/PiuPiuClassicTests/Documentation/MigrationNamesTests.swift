import PiuPiuClassic
import PiuPiuTesting
import Testing

// An extension of a user's, as the example app of PiuPiu 1.3 has one.
extension MockDispatcher {
    fileprivate func setMockData(mapped: MapPost) throws {
        mockData = try mapped.jsonData()
    }
}

/// The names of `MovingFromPiuPiu13.md` that no other test of this module uses.
@Suite(.timeLimit(.generous))
final class MigrationNamesTests: PostsController {
    private let cancellation: ResponseFuture<Int>.CancellationHandler = {}
    private let progress: ResponseFuture<Int>.ProgressCallback = { _ in }
    private let status = ResponseFuture<Int>.Status.created
    private let type = StatusCodeType.success

    @Test func theOtherFormsOfADispatcher() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        let dispatcher = RequestDispatcher(serverProvider: self, configuration: configuration)
        #expect(dispatcher.serverProvider === self)
        let sender = URLRequestDispatcher(configuration: configuration)
        let response = try await sender.dataFuture(from: try urlRequest(from: request)).fetchResult()
        #expect(response.statusCode.type == type)
        let none = sender.dataFuture(from: { nil })
        #expect(await none.events() == ["cancellation true", "completion true"])
    }

    @Test func theOtherFormsOfABody() throws {
        var request = BasicRequest(method: .post, path: "/posts", queryItems: [], headers: [:])
        try request.setJSONBody([Date(timeIntervalSince1970: 0)], dateEncodingStrategy: .secondsSince1970)
        #expect(request.httpBody == Data("[0]".utf8))
        try request.setHTTPBody(jsonArray: [["id": 7]], options: [])
        #expect(request.httpBody == Data(#"[{"id":7}]"#.utf8))
        let mock = MockDispatcher(baseUrl: server.url("/"), mockStatusCode: .ok)
        try mock.setMockData(mapped: MapPost(id: 7))
        #expect(mock.mockData == Data(#"{"id":7}"#.utf8))
    }

    @Test func aDispatcherIsInvalidated() async throws {
        server.route("/held", .hold("gate"), .response())
        let sender = URLRequestDispatcher()
        sender.dataFuture(from: URLRequest(url: server.url("/held"))).then({ $0.statusCode }).recorded(in: journal)
            .send()
        #expect(await server.waitUntilHeld("gate"))
        sender.invalidateAndCancel()
        #expect(await journal.wait(for: "completion true") == ["cancellation true", "completion true"])
        server.release("gate")
        await #expect(throws: (any Error).self) {
            try await sender.dataFuture(from: URLRequest(url: self.server.url("/posts"))).fetchResult()
        }
    }

    @Test func theFormsWithAnOrder() async throws {
        #expect(try await ResponseFuture(order: 2, result: 7).fetchResult() == 7)
        let first = ResponseFuture<Int>(result: 1)
        let joined = first.join({ _ in ResponseFuture<Int>(result: 2) })
        #expect(first.order == 1)
        #expect(joined.order == 2)
        let parts = Journal()
        ResponseFuture<Int>(order: 2) { future in
            future.update(progress: 1)
            future.succeed(with: 7)
        }.progress({ parts($0) }).completion({ parts("completion") }).send()
        #expect(await parts.wait(for: "completion") == ["0.5", "completion"])
        #expect(try await ResponseFuture<Int>(order: 2) { $0.succeed(with: 7) }.fetchResult() == 7)
        #expect(try await ResponseFuture<Int>(order: 2, action: { $0.succeed(with: 7) }).fetchResult() == 7)
    }

    @Test func theOtherHandlers() async {
        let future = ResponseFuture<Int>(action: { $0.succeed(with: 7) })
        #expect(future.status == status)
        #expect(await events(of: future) == ["completion"])
    }

    /// As code that knows nothing of concurrency does it.
    private func setHandlers(of future: ResponseFuture<Int>) {
        future.cancellation(cancellation).progress(progress).completion({ self.journal("completion") }).send()
    }

    private func events(of future: ResponseFuture<Int>) async -> [String] {
        setHandlers(of: future)
        return await journal.wait(for: "completion")
    }
}
