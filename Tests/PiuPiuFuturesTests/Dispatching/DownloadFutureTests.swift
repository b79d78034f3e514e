import PiuPiuFutures
import PiuPiuTesting
import TestSupport
import Testing

@MainActor
@Suite(.timeLimit(.generous))
struct DownloadFutureTests {
    private let server: LoopbackServer
    private let dispatcher = URLRequestDispatcher.forTests()
    private let folder: DownloadFolder

    init() throws {
        server = try LoopbackServer()
        server.route("/file", .response(body: "new"))
        server.route("/broken", .response(status: 500, body: "sorry"))
        folder = try DownloadFolder()
    }

    private func future(_ path: String, to file: URL) -> ResponseFuture<Response<URL>> {
        dispatcher.downloadFuture(from: URLRequest(url: server.url(path)), to: file)
    }

    // K11, B38, rule 14
    @Test func theDestinationIsReplaced() async throws {
        let file = try folder.write("file", Data("old and longer".utf8))
        let response = try await future("/file", to: file).fetchResult()
        #expect(response.data == file)
        #expect(folder.data("file") == Data("new".utf8))
        #expect(folder.listing == ["file"])
    }

    // K11, rule 14
    @Test func whatArrivesIsMovedAndNotCopied() async throws {
        server.route("/half", .send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc"), .hold("here"), .send("def"))
        func number(_ name: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: folder[name].path)[.systemFileNumber] as? Int
        }
        let saving = future("/half", to: folder["file"])
        saving.send()
        #expect(await server.waitUntilHeld("here"))
        // The file comes a moment after the first byte.
        while folder.listing.isEmpty, saving.status == .started { await Task.yield() }
        let part = try #require(folder.listing.first)
        #expect(part != "file" && folder.listing.count == 1)
        let partNumber = try #require(try number(part))
        server.release("here")
        _ = try await saving.fetchResult()
        #expect(folder.listing == ["file"])
        #expect(try number("file") == partNumber)
    }

    // K11, B38, rule 14
    @Test func missingFoldersAreMade() async throws {
        _ = try await future("/file", to: folder["a/b/file"]).fetchResult()
        #expect(folder.data("a/b/file") == Data("new".utf8))
    }

    // K11, B38, rule 14
    @Test func anErrorStatusIsNotSaved() async throws {
        let file = try folder.write("file", Data("old".utf8))
        let error = await Ending.error(of: future("/broken", to: file))
        #expect(error is TransferError)
        #expect(folder.data("file") == Data("old".utf8))
        #expect(folder.listing == ["file"])
    }

    // Rule 14
    @Test func cancellingLeavesNothing() async throws {
        server.route("/half", .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .hold("here"), .stall)
        let future = future("/half", to: folder["file"])
        let ending = Ending(of: future)
        #expect(await server.waitUntilHeld("here"))
        future.cancel()
        #expect(await ending.wait() == ["cancellation", "completion"])
        server.release("here")
        #expect(await server.waitForOpenConnections(atMost: 0))
        await dispatcher.shutdown()
        #expect(folder.listing.isEmpty)
    }
}
