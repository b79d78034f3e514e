import Foundation
import PiuPiuFutures
import PiuPiuTesting
import Testing

/// An owner of a dispatcher, such as a view controller's model.
class PostLoader {
    let dispatcher: DataDispatcher & DownloadDispatcher & UploadDispatcher
    let sender = URLRequestDispatcher(configuration: .default)
    var posts: [Post] = []

    init(dispatcher: DataDispatcher & DownloadDispatcher & UploadDispatcher) {
        self.dispatcher = dispatcher
    }

    // Row: DataDispatcher, .dataFuture(from: request)
    func load(_ dispatcher: DataDispatcher) -> ResponseFuture<Response<Data?>> {
        return dispatcher.dataFuture(from: request())
    }

    // Row: .dataFuture { … }, .dataFuture(from: { … })
    func send(_ post: Post) -> [ResponseFuture<Response<Data?>>] {
        return [
            dispatcher.dataFuture {
                var request = request("/posts/1", .put)
                try request.setJSONBody(post)
                return request
            },
            dispatcher.dataFuture() {
                return request()
            },
            dispatcher.dataFuture(from: {
                return nil
            }),
        ]
    }

    // Row: DownloadDispatcher, .downloadFuture(from:to:)
    func download(_ dispatcher: DownloadDispatcher, to file: URL) -> ResponseFuture<Response<URL>> {
        return dispatcher.downloadFuture(from: request(), to: file)
    }

    // Row: .downloadFuture(destination:from:)
    func download(to file: URL) -> [ResponseFuture<Response<URL>>] {
        return [
            dispatcher.downloadFuture(destination: file) {
                return request()
            },
            dispatcher.downloadFuture(destination: file, from: { request() }),
        ]
    }

    // Row: UploadDispatcher, .uploadFuture(from:with:)
    func upload(_ dispatcher: UploadDispatcher, _ data: Data) -> ResponseFuture<Response<Data?>> {
        return dispatcher.uploadFuture(from: request("/posts/1", .post), with: data)
    }

    // Row: .uploadFuture(with:from:)
    func upload(_ data: Data) -> [ResponseFuture<Response<Data?>>] {
        return [
            dispatcher.uploadFuture(with: data) {
                return request("/posts/1", .post)
            },
            dispatcher.uploadFuture(with: data, from: { request("/posts/1", .post) }),
        ]
    }

    // Row: dataFuture(from:), downloadFuture(from:to:), uploadFuture(from:with:) of URLRequestDispatcher
    func all(_ dispatcher: URLRequestDispatcher, _ file: URL) {
        _ = dispatcher.dataFuture(from: request())
        _ = dispatcher.downloadFuture(from: request(), to: file)
        _ = dispatcher.uploadFuture(from: request("/", .post), with: Data())
    }

    // Row: .finishTasksAndInvalidate(), .invalidateAndCancel()
    func close() {
        sender.finishTasksAndInvalidate()
        sender.invalidateAndCancel()
    }
}

// Row: URLRequestAdapter, .adapt(urlRequest:with:)
final class LanguageAdapter: URLRequestAdapter {
    func adapt(urlRequest: URLRequest) async throws -> URLRequest {
        var request = urlRequest
        request.setValue("fr", forHTTPHeaderField: "Accept-Language")
        return request
    }
}

// Row: URLResponseAdapter, .adapt(urlResponse:for:with:)
final class LoggingAdapter: URLResponseAdapter {
    func adapt(urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse {
        print(urlRequest, urlResponse)
        return urlResponse
    }
}

// Row: ResponseFutureSession(configuration:), .dataFuture(from:), .dataFuture(from: task), .downloadFuture(from:to:),
// .downloadFuture(from: task, to:), .uploadFuture(from:with:), .uploadFuture(from: task)
struct OtherEngine: HTTPTransport {
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        throw TransportError(.unsupported)
    }

    func shutdown() async {}

    func invalidateAndCancel() {}
}

struct DispatcherRowsTests {
    @Test func futuresOfEveryFormAreMade() async throws {
        let loader = PostLoader(dispatcher: server)
        #expect(loader.send(Post(id: 1, title: "New")).count == 3)
        let response = try await loader.load(server).fetchResult()
        #expect(try response.decode(Post.self) == Post(id: 1, title: "Hello"))
        for future in loader.upload(Data("1".utf8)) {
            #expect(try await future.fetchResult().makeHTTPResponse().statusCode == .ok)
        }
        loader.close()
    }
}
