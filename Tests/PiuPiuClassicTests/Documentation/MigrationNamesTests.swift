import PiuPiuClassic
import PiuPiuTesting
import Testing

// An extension of a user's, as the example app of PiuPiu 1.3 has one.
extension MockDispatcher {
    fileprivate func setMockData(mapped: MapPost) throws {
        mockData = try mapped.jsonData()
    }
}

/// The names of `MIGRATION.md` that no other test of this module uses.
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
