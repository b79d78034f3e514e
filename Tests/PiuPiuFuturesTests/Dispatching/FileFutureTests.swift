import PiuPiuFutures
import PiuPiuTesting
import TestSupport
import Testing

/// Futures of requests for files, as upstream served them on Apple systems.
@MainActor
@Suite(.timeLimit(.generous)) struct FileFutureTests {
    private let folder: DownloadFolder
    private let file: URL
    private let dispatcher = URLRequestDispatcher.forTests { $0.allowsFileURLs = true }

    init() throws {
        folder = try DownloadFolder()
        file = try folder.write("post.json", Data("[1,2]".utf8))
    }

    @Test(arguments: [RequestForm.data, .dataClosure, .download, .downloadClosure])
    func everyFormReadsAFile(form: RequestForm) async throws {
        let future = form.future(dispatcher, file, to: folder["copy"])
        let ending = Ending(of: future)
        #expect(await ending.wait() == ["success", "completion"])
        let response = try await future.fetchResult()
        #expect(response.statusCode == .ok && response.data == "[1,2]")
        #expect(ending.updates.last?.state == .completed && ending.updates.last?.percentTransferred == 1)
    }

    @Test(arguments: [RequestForm.upload, .uploadBody, .uploadClosure]) func aFileIsNotWritten(form: RequestForm)
        async throws
    {
        let error = await Ending.error(of: form.future(dispatcher, file))
        #expect(error.map { TransportError.Code.invalidRequest ~= $0 } == true)
        #expect(folder.data("post.json") == Data("[1,2]".utf8))
    }

    @Test(arguments: RequestForm.allCases) func aFileIsRefusedByDefault(form: RequestForm) async throws {
        let dispatcher = URLRequestDispatcher.forTests()
        let error = await Ending.error(of: form.future(dispatcher, file))
        #expect(error.map { TransportError.Code.unsupportedScheme ~= $0 } == true)
    }

    @Test(arguments: [RequestForm.data, .download]) func aMissingFileIsATransferError(form: RequestForm) async throws {
        let error = await Ending.error(of: form.future(dispatcher, folder["missing"]))
        #expect(error.map { TransferError.Code.fileNotFound ~= $0 } == true)
    }

    @Test func aServerCanBeAFolder() async throws {
        try folder.write("posts/1.json", Data("[1]".utf8))
        let provider = Provider(folder.url)
        let serializer = RequestSerializer(dispatcher: dispatcher, serverProvider: provider)
        let posts = serializer.dataFuture(from: BasicRequest(method: .get, path: "/posts/1.json")).decoded([Int].self)
        #expect(try await posts.fetchResult().data == [1])
    }
}
