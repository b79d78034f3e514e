import PiuPiuFutures
import TestSupport
import Testing

/// Futures of dispatchers that are not ours: a mock's, for example.
@MainActor
@Suite(.timeLimit(.generous))
struct OtherDispatcherTests {
    private final class Mock: DataDispatcher, UploadDispatcher, DownloadDispatcher {
        let gate = Gate()

        func data(for request: URLRequest) async throws -> Response<Data?> {
            try await gate.wait()
            return try Self.response(to: request, data: Data("data".utf8))
        }

        func upload(for request: URLRequest, from body: RequestBody) -> Transfer<Data?> {
            Transfer(.sending, bytesToSend: { 4 }) { [gate] reporter in
                try await gate.wait()
                reporter?.willSend(4)
                reporter?.didSend(4)
                return try Self.response(to: request, data: Data("upload".utf8))
            }
        }

        func download(
            for request: URLRequest,
            to destination: URL,
            options: DownloadOptions
        ) -> Transfer<URL> {
            Transfer(.receiving) { [gate] reporter in
                try await gate.wait()
                reporter?.willReceive(8)
                reporter?.didReceive(8)
                try Data("download".utf8).write(to: destination)
                return try Self.response(to: request, data: destination)
            }
        }

        private static func response<Body>(to request: URLRequest, data: Body) throws -> Response<Body> {
            let url = try #require(request.url)
            let head = HTTPURLResponse(url: url, statusCode: 201, httpVersion: "HTTP/1.1", headerFields: nil)
            return Response(data: data, urlRequest: request, urlResponse: try #require(head))
        }
    }

    private let url = Fixture.url

    @Test(arguments: RequestForm.allCases)
    func theirResponseIsGiven(form: RequestForm) async throws {
        let mock = Mock()
        mock.gate.open()
        let response = try await form.future(mock, url).fetchResult()
        #expect(response.statusCode == .created)
        #expect(form.rawValue.hasPrefix(response.data))
    }

    @Test(arguments: [RequestForm.upload, .uploadBody, .uploadClosure, .download, .downloadClosure])
    func theirProgressIsTold(form: RequestForm) async throws {
        let mock = Mock()
        mock.gate.open()
        let ending = Ending(of: form.future(mock, url))
        #expect(await ending.wait() == ["success", "completion"])
        #expect(ending.updates.last?.percentTransferred == 1)
        #expect(ending.updates.last?.state == .completed)
    }

    @Test(arguments: RequestForm.allCases)
    func cancellingCancelsTheirWork(form: RequestForm) async throws {
        let mock = Mock()
        let future = form.future(mock, url)
        let ending = Ending(of: future)
        await mock.gate.arrival()
        future.cancel()
        #expect(await ending.wait() == ["cancellation", "completion"])
    }

    // K5, rule 2
    @Test(arguments: RequestForm.allCases)
    func releasedBeforeSendFails(form: RequestForm) async throws {
        var mock: Mock? = Mock()
        let future = form.future(try #require(mock), url)
        weak let released = mock
        mock = nil
        #expect(released == nil)
        #expect(await Ending.events(of: future) == ["error", "completion"])
    }
}
