import PiuPiuFutures
import PiuPiuTesting

/// What sends requests of every kind.
typealias AnyDispatcher = DataDispatcher & UploadDispatcher & DownloadDispatcher

extension Source {
    /// What sends requests, with the mock dispatcher and with one of another library.
    static var ofRequests: [Source] {
        data + uploads + downloads + serialized
    }

    private static var data: [Source] {
        both(.dataFuture, value: read) { dispatcher, _ in dispatcher.dataFuture(from: .get) }
            + both(.dataFuture, " with a callback", value: read) { dispatcher, _ in dispatcher.dataFuture { .get } }
    }

    private static var uploads: [Source] {
        let body = Data("body".utf8)
        return both(.uploadFuture, value: read) { dispatcher, _ in dispatcher.uploadFuture(from: .post, with: body) }
            + both(.uploadFuture, " with a body", value: read) { dispatcher, _ in
                dispatcher.uploadFuture(from: .post, with: .data(body))
            }
            + both(.uploadFutureCallback, value: read) { dispatcher, _ in
                dispatcher.uploadFuture(with: body) { .post }
            }
    }

    private static var downloads: [Source] {
        let destination = folder.appending(path: "number")
        let value: @Sendable (Response<URL>) throws -> Int = { response in
            Int(try String(contentsOf: response.data, encoding: .utf8)) ?? 0
        }
        return both(.downloadFuture, value: value) { dispatcher, _ in
            dispatcher.downloadFuture(from: .get, to: destination)
        }
            + both(.downloadFutureCallback, value: value) { dispatcher, _ in
                dispatcher.downloadFuture(destination: destination) { .get }
            }
    }

    private static var serialized: [Source] {
        let request = BasicRequest(method: .get, path: "/number")
        return both(.dataFuture, " of a serializer", value: read) { dispatcher, stage in
            serializer(dispatcher, stage).dataFuture(from: request)
        }
            + both(.dataFuture, " of a serializer, with a callback", value: read) { dispatcher, stage in
                serializer(dispatcher, stage).dataFuture { request }
            }
    }

    private static let read: @Sendable (Response<Data?>) throws -> Int = { try $0.decode(Int.self) }

    /// The folder for downloads.
    static let folder = FileManager.default.temporaryDirectory.appending(path: "FutureWalk-\(UUID().uuidString)")

    // MARK: Dispatchers

    /// The same source with both dispatchers.
    private static func both<Body: Sendable>(
        _ api: PublicAPI,
        _ variant: String = "",
        value: @escaping @Sendable (Response<Body>) throws -> Int,
        _ make: @escaping @Sendable (any AnyDispatcher, Stage) -> ResponseFuture<Response<Body>>
    ) -> [Source] {
        [
            Source(
                api,
                [.waits, .fails, .dispatcher],
                variant + ", of a mock",
                make: { make(mock(on: $0), $0) },
                value: value
            ),
            Source(
                api,
                [.waits, .fails, .dispatcher],
                variant + ", of another dispatcher",
                make: { make(ForeignDispatcher(on: $0), $0) },
                value: value
            ),
        ]
    }

    private static func mock(on stage: Stage) -> MockURLRequestDispatcher {
        let dispatcher = MockURLRequestDispatcher {
            [gate = stage.gate, token = stage.token(), fails = stage.fails] request in
            _ = token
            try await gate.wait()
            if fails { throw WalkError() }
            return try .answer("\(Stage.value)", to: request)
        }
        stage.keep(dispatcher)
        return dispatcher
    }

    private static func serializer(_ dispatcher: any AnyDispatcher, _ stage: Stage) -> RequestSerializer {
        let server = Server()
        let serializer = RequestSerializer(dispatcher: dispatcher, serverProvider: server)
        stage.keep(server)
        stage.keep(serializer)
        return serializer
    }

    private final class Server: ServerProvider {
        let baseURL = URLRequest.get.url
    }
}

extension URLRequest {
    /// The request of all that send one without a body.
    static var get: URLRequest { make(.get) }
    /// The request of all that send one with a body.
    static var post: URLRequest { make(.post) }

    private static func make(_ method: HTTPMethod) -> URLRequest {
        URLRequest(url: URL(string: "http://example.com") ?? URL(filePath: "/"), method: method)
    }
}
