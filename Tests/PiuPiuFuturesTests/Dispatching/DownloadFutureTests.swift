import PiuPiuFutures
import PiuPiuTesting
import Testing

@MainActor
@Suite(.timeLimit(.generous))
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

    // K11, B38, rule 14
    @Test func theDestinationIsReplaced() async throws {
        let file = folder.appending(path: "file")
        try Data("old and longer".utf8).write(to: file)
        let response = try await future("/file", to: file).fetchResult()
        #expect(response.data == file)
        #expect(try Data(contentsOf: file) == Data("new".utf8))
        #expect(try files() == ["file"])
    }

    // K11, rule 14
    @Test func whatArrivesIsMovedAndNotCopied() async throws {
        server.route("/half", .send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc"), .hold("here"), .send("def"))
        func number(_ name: String) throws -> Int? {
            let path = folder.appending(path: name).path(percentEncoded: false)
            return try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        }
        let saving = future("/half", to: folder.appending(path: "file"))
        saving.send()
        #expect(await server.waitUntilHeld("here"))
        // The file comes a moment after the first byte.
        while try files().isEmpty, saving.status == .started { await Task.yield() }
        let part = try #require(files().first)
        #expect(try part != "file" && files().count == 1)
        let partNumber = try #require(try number(part))
        server.release("here")
        _ = try await saving.fetchResult()
        #expect(try files() == ["file"])
        #expect(try number("file") == partNumber)
    }

    // K11, B38, rule 14
    @Test func missingFoldersAreMade() async throws {
        let file = folder.appending(path: "a/b/file")
        _ = try await future("/file", to: file).fetchResult()
        #expect(try Data(contentsOf: file) == Data("new".utf8))
    }

    // K11, B38, rule 14
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

    // Rule 14
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
