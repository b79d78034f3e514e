import PiuPiuFutures
import PiuPiuTesting
import TestSupport
import Testing

/// Futures of requests for files, as upstream served them on Apple systems.
@MainActor
@Suite(.timeLimit(.generous)) struct FileFutureTests {
    private final class Provider: ServerProvider {
        let baseURL: URL?

        init(_ baseURL: URL?) {
            self.baseURL = baseURL
        }
    }

    private let folder: DownloadFolder
    private let dispatcher = URLRequestDispatcher.forTests { $0.allowsFileURLs = true }

    init() throws {
        folder = try DownloadFolder()
    }

    @Test(arguments: [RequestForm.data, .dataClosure, .download, .downloadClosure])
    func everyFormReadsAFile(form: RequestForm) async throws {
        let file = try folder.write("post.json", Data("[1,2]".utf8))
        let future = form.future(dispatcher, file, to: folder["copy"])
        let ending = Ending()
        ending.start(future)
        #expect(await ending.wait() == ["success", "completion"])
        let response = try await future.fetchResult()
        #expect(response.statusCode == .ok && response.data == "[1,2]")
        #expect(ending.updates.last?.state == .completed && ending.updates.last?.percentTransferred == 1)
    }

    @Test(arguments: [RequestForm.upload, .uploadBody, .uploadClosure]) func aFileIsNotWritten(form: RequestForm)
        async throws
    {
        let file = try folder.write("post.json", Data("[1,2]".utf8))
        let ending = Ending()
        ending.start(form.future(dispatcher, file))
        #expect(await ending.wait() == ["error", "completion"])
        #expect(ending.error.map { TransportError.Code.invalidRequest ~= $0 } == true)
        #expect(folder.data("post.json") == Data("[1,2]".utf8))
    }

    @Test(arguments: RequestForm.allCases) func aFileIsRefusedByDefault(form: RequestForm) async throws {
        let file = try folder.write("post.json", Data("[1,2]".utf8))
        let ending = Ending()
        let dispatcher = URLRequestDispatcher.forTests()
        ending.start(form.future(dispatcher, file))
        #expect(await ending.wait() == ["error", "completion"])
        #expect(ending.error.map { TransportError.Code.unsupportedScheme ~= $0 } == true)
    }

    @Test(arguments: [RequestForm.data, .download]) func aMissingFileIsATransferError(form: RequestForm) async throws {
        let ending = Ending()
        ending.start(form.future(dispatcher, folder["missing"]))
        #expect(await ending.wait() == ["error", "completion"])
        #expect(ending.error.map { TransferError.Code.fileNotFound ~= $0 } == true)
    }

    @Test func aServerCanBeAFolder() async throws {
        try folder.write("posts/1.json", Data("[1]".utf8))
        let provider = Provider(folder.url)
        let serializer = RequestSerializer(dispatcher: dispatcher, serverProvider: provider)
        let posts = serializer.dataFuture(from: BasicRequest(method: .get, path: "/posts/1.json")).decoded([Int].self)
        #expect(try await posts.fetchResult().data == [1])
    }
}
