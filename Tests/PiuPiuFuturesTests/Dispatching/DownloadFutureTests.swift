import LoopbackServer
import PiuPiuFutures
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1)))
final class DownloadFutureTests {
    private let server: LoopbackServer
    private let dispatcher = URLRequestDispatcher.forTests()
    private let folder = FileManager.default.temporaryDirectory.appending(path: "PiuPiu-\(UUID().uuidString)")

    init() throws {
        server = try LoopbackServer()
        server.route("/file", .response(body: "new"))
        server.route("/broken", .response(status: 500, body: "sorry"))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private func future(_ path: String, to file: URL) -> ResponseFuture<Response<URL>> {
        dispatcher.downloadFuture(from: URLRequest(url: server.url(path)), to: file)
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)).sorted()
    }

    @Test func theDestinationIsReplaced() async throws {
        let file = folder.appending(path: "file")
        try Data("old and longer".utf8).write(to: file)
        let response = try await future("/file", to: file).fetchResult()
        #expect(response.data == file)
        #expect(try Data(contentsOf: file) == Data("new".utf8))
        #expect(try files() == ["file"])
    }

    @Test func missingFoldersAreMade() async throws {
        let file = folder.appending(path: "a/b/file")
        _ = try await future("/file", to: file).fetchResult()
        #expect(try Data(contentsOf: file) == Data("new".utf8))
    }

    @Test func anErrorStatusIsNotSaved() async throws {
        let file = folder.appending(path: "file")
        try Data("old".utf8).write(to: file)
        let ending = Ending()
        ending.start(future("/broken", to: file))
        #expect(await ending.wait() == ["error", "completion"])
        #expect(ending.error is TransferError)
        #expect(try Data(contentsOf: file) == Data("old".utf8))
        #expect(try files() == ["file"])
    }

    @Test func cancellingLeavesNothing() async throws {
        server.route("/half", .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .hold("here"), .stall)
        let future = future("/half", to: folder.appending(path: "file"))
        let ending = Ending()
        ending.start(future)
        #expect(await server.waitUntilHeld("here"))
        future.cancel()
        #expect(await ending.wait() == ["cancellation", "completion"])
        server.release("here")
        #expect(await server.waitForOpenConnections(atMost: 0))
        await dispatcher.shutdown()
        #expect(try files().isEmpty)
    }
}
