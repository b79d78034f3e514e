import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// The samples of the article on clients of APIs, and of the comments on pages, downloads and compression.
@Suite(.timeLimit(.generous)) struct ClientSamplesTests {
    private struct Session: Decodable {
        var token: String
    }

    private struct Inbox: Decodable, Sendable {
        var messages: [String]
        var cursor: String?
    }

    private let request = URLRequest(url: Fixture.url("https://example.com/posts"))
    private let print = Printed()

    @Test func article() async throws {
        typealias URLRequestDispatcher = OfflineDispatcher
        let (name, password, page) = ("swift/vapor", "hunter2", 2)
        let draft = Post(id: 3, title: "Draft")
        let url = Fixture.url("https://example.com/search")
        let server = Fixture.url("https://api.example.com/v1")
        let folder = try DownloadFolder()
        let fileURL = folder.url.appending(path: "export.csv")

        let api = URLRequestDispatcher(baseURL: server, interceptors: [RetryPolicy()]) {
            $0.defaultQuery = ["locale": "en"]
            $0.additionalHeaders[.userAgent] = "Reader/1.0"
            $0.timeouts.total = .seconds(30)
        }

        let posts: [Post] = try await api.get("/posts", query: ["page": 2, "tag": ["swift", "linux"]])
        let post = try await api.get("/posts/\(segment: name)", as: Post.self)
        let created: Post = try await api.post("/posts", json: draft)
        try await api.delete("/posts/\(created.id)")

        #expect(posts.count == 1 && post.id == 1)

        var patient = api.configuration.options
        patient.timeouts.total = .seconds(600)
        let newest: [Post] = try await api.get("/posts", options: patient)

        #expect(newest.count == 1)

        do {
            let request = try api.request(.get, "/export", query: ["format": "csv"])
            let saved = try await api.download(for: request, to: fileURL).response()
            #expect(saved.data == fileURL)
        }

        let session: Session = try await api.post("/login", form: ["user": "ada", "password": password])
        let search = url.appending(query: ["q": "C++ & Swift", "page": page])
        #expect(session.token == "42")
        #expect(search.absoluteString == "https://example.com/search?q=C%2B%2B%20%26%20Swift&page=2")

        for try await post in api.pages(for: try api.request(.get, "/posts"), of: [Post].self).items {
            print(post.title)
        }
        #expect(print.lines == ["Hello"])

        let files = [DownloadItem(try api.request(.get, "/export"), to: folder.url.appending(path: "other.csv"))]
        for try await event in api.downloads(of: files, maximumInFlight: 4) {
            switch event {
            case .progress(let progress): print(progress.filesFinished, progress.fractionCompleted ?? 0)
            case .saved(let response, let index): print(index, response.data.lastPathComponent)
            case .failed(let error, let index): print(index, error)
            case .finished(let progress): print(progress.bytesReceived)
            }
        }
        #expect(print.lines.contains("0 other.csv"))
    }

    @Test func pages() async throws {
        let dispatcher = OfflineDispatcher()
        for try await post in dispatcher.pages(for: request, of: [Post].self).items {
            print(post.title)
        }
        let pages = dispatcher.pages(for: request, of: [Post].self) { [request] _ in request }
        #expect(pages as Any is Pages<[Post]>)
        do {
            for try await post in dispatcher.pages(for: request, of: [Post].self).items { print(post.title) }
        } catch PaginationError.Code.repeatedPage {
            print("The server sends us round in a circle.")
        }
        #expect(print.lines == ["Hello", "Hello"])
    }

    // swift-format-ignore
    @Test func cursors() async throws {
        let dispatcher = OfflineDispatcher()
        let request = URLRequest(url: Fixture.url("https://example.com/inbox"))

        let pages = dispatcher.pages(for: request, of: Inbox.self) { page in
            guard let cursor = page.data.cursor, var next = URLComponents(string: "https://example.com/inbox") else { return nil }
            next.queryItems = [URLQueryItem(name: "cursor", value: cursor)]
            return next.url.map { URLRequest(url: $0, method: .get) }
        }
        for try await message in pages.items(\.messages) { print(message) }

        #expect(print.lines == ["Hello"])
    }

    @Test func links() async throws {
        let dispatcher = MockURLRequestDispatcher { request in
            try Response.makeMockResponse(
                with: request,
                statusCode: .ok,
                headers: ["Link": "</posts?page=2>; rel=next"]
            )
        }

        let response = try await dispatcher.data(for: request)
        if let next = response.link("next") { print(next.target) }

        #expect(print.lines == ["https://example.com/posts?page=2"])
    }

    @Test func downloads() async throws {
        let dispatcher = OfflineDispatcher()
        let folder = try DownloadFolder()
        let otherRequest = request
        let (fileURL, otherFileURL) = (folder.url.appending(path: "one"), folder.url.appending(path: "two"))

        for try await event in dispatcher.downloads(of: [(request, fileURL), (otherRequest, otherFileURL)]) {
            switch event {
            case .progress(let progress): print("\(progress.filesFinished) of \(progress.fileCount)")
            case .saved(let response, _): print(response.data.path)
            case .failed(let error, let index): print("file \(index): \(error)")
            case .finished(let progress): print("\(progress.bytesReceived) bytes")
            }
        }

        #expect(Set(print.lines).isSuperset(of: [fileURL.path, otherFileURL.path, "52 bytes"]), "\(print.lines)")
    }

    @Test func compression() async throws {
        typealias URLRequestDispatcher = OfflineDispatcher
        let folder = try DownloadFolder()
        let fileURL = folder.url.appending(path: "log")
        try Data(repeating: 7, count: 10_000).write(to: fileURL)
        let request = URLRequest(url: Fixture.url("https://example.com/logs"), method: .post)

        do {
            let dispatcher = URLRequestDispatcher(interceptors: [RequestCompression()])
            #expect(try await dispatcher.data(for: request).statusCode == .ok)
        }

        let dispatcher = URLRequestDispatcher()
        let response = try await dispatcher.upload(for: request, from: .file(fileURL).gzipped()).response()
        #expect(response.urlRequest.value(forHTTPHeaderField: "Content-Encoding") == "gzip")
    }
}
