import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// The samples in the comments on requests that are made from a path, run against a server.
@Suite(.enabled(if: Surroundings.reachLoopbackDirectly, "a proxy stands in between"), .timeLimit(.generous))
struct RequestSamplesTests {
    private let server: LoopbackServer
    private let dispatcher: URLRequestDispatcher
    private let draft = Post(id: 3, title: "Draft")
    private let url = Fixture.url("https://example.com/search?a=b")

    init() throws {
        server = try Surroundings.server()
        let json = #"{"id":3,"title":"Draft"}"#
        server.route("POST", "/posts", .json(json))
        server.route("POST", "/login", .json("{}"))
        server.route("DELETE", "/posts/1", .response(status: 204))
        server.route("GET", "/export", .response(headers: ["Content-Type": "text/csv"], body: "1,Hello"))
        server.route("GET", "/topics/swift%2Fvapor", .json(#"{"name":"swift/vapor"}"#))
        dispatcher = URLRequestDispatcher(baseURL: server.url("/"))
    }

    private var targets: [String] { server.requests.map { "\($0.method) \($0.target)" } }

    @Test func requestsFromPaths() async throws {
        let posts: [Post] = try await dispatcher.get("/posts", query: ["page": 2])
        let post = try await dispatcher.get("/posts/1", as: Post.self)
        let created: Post = try await dispatcher.post("/posts", json: draft)
        try await dispatcher.delete("/posts/1")

        #expect(posts.first?.id == post.id)
        #expect(created.title == draft.title)
        #expect(targets == ["GET /posts?page=2", "GET /posts/1", "POST /posts", "DELETE /posts/1"])
    }

    @Test func limitsOfOneRequest() async throws {
        let configuration = URLRequestDispatcher.Configuration()

        var patient = configuration.options
        patient.timeouts.total = .seconds(600)
        let newest: [Post] = try await dispatcher.get("/posts", options: patient)

        #expect(newest.first?.id == 1)
    }

    @Test func requestOfYourOwn() async throws {
        let request = try dispatcher.request(.get, "/posts/1")
        let response = try await dispatcher.data(for: request).validated(.success)

        #expect(try response.decode(Post.self).id == 1)
    }

    @Test func requestForADownload() async throws {
        let folder = try DownloadFolder()
        let fileURL = folder.url.appending(path: "export.csv")

        let request = try dispatcher.request(.get, "/export", query: ["format": "csv"], headers: [.accept: "text/csv"])
        let saved = try await dispatcher.download(for: request, to: fileURL).response()

        #expect(try Data(contentsOf: saved.data) == Data("1,Hello".utf8))
        #expect(server.requests.first?.header("Accept") == "text/csv")
    }

    @Test func payload() async throws {
        let request = try dispatcher.request(.put, "/posts/1", body: .json(draft))
        let report = try await dispatcher.post("/login", body: .form(["name": "Ada", "remember": true]))

        #expect(request.httpMethod == "PUT" && report.statusCode == .ok)
        #expect(server.requests.first?.body == Data("name=Ada&remember=true".utf8))
    }

    @Test func queryValue() async throws {
        enum SortOrder: String, QueryValue {
            case newest, oldest
        }
        let posts: [Post] = try await dispatcher.get("/posts", query: ["sort": SortOrder.newest, "page": 2])

        #expect(posts.count == 2)
        #expect(targets == ["GET /posts?sort=newest&page=2"])
    }

    @Test func queryItems() {
        let text: String? = nil
        let query: QueryItems = ["tag": ["swift", "c++"], "page": 2, "search": text]
        let found = url.appending(query: query)  // …&tag=swift&tag=c%2B%2B&page=2

        #expect(found.absoluteString.hasSuffix("?a=b&tag=swift&tag=c%2B%2B&page=2"))
    }

    @Test func appendingAQuery() {
        let page = url.appending(query: ["tag": ["swift", "c++"], "page": 2])  // …&tag=swift&tag=c%2B%2B&page=2

        #expect(page.absoluteString.hasSuffix("?a=b&tag=swift&tag=c%2B%2B&page=2"))
    }

    struct Topic: Decodable {
        let name: String
    }

    @Test func segment() async throws {
        let name = "swift/vapor"
        let topic: Topic = try await dispatcher.get("/topics/\(segment: name)")  // …/topics/swift%2Fvapor

        #expect(topic.name == name)
    }

    @Test func formBody() {
        var request = URLRequest(url: url, method: .post)
        request.setFormBody(["grant_type": "client_credentials", "scope": ["read", "write"]])

        #expect(request.httpBody == Data("grant_type=client_credentials&scope=read&scope=write".utf8))
    }

    @Test func formEncoder() throws {
        struct Search: Encodable {
            var text: String
            var tags: [String]
            var page: Int?
        }
        let search = Search(text: "a b", tags: ["x", "y"])
        let items = try FormURLEncoder().items(of: search)
        let found = url.appending(query: items)  // …&text=a%20b&tags=x&tags=y

        #expect(found.absoluteString.hasSuffix("&text=a%20b&tags=x&tags=y"))
    }

    @Test func headerNames() async throws {
        let url = server.url("/posts/1")

        var request = URLRequest(url: url, method: .get)
        request[.accept] = "text/csv"
        request["X-Request-ID"] = "17"
        let response = try await dispatcher.data(for: request)
        let type = response.head?.headers[.contentType]

        #expect(type == "application/json")
        #expect(server.requests.first?.header("X-Request-ID") == "17")
    }

    @Test func defaults() throws {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.baseURL = URL(string: "https://api.example.com/v1")
        configuration.defaultQuery = ["locale": "en"]
        configuration.additionalHeaders[.userAgent] = "Reader/1.0"
        configuration.requestDefaults.decoder.dateDecodingStrategy = .rfc3339
        let api = URLRequestDispatcher(configuration: configuration)

        let request = try api.request(.get, "posts")
        #expect(request.url?.absoluteString == "https://api.example.com/v1/posts?locale=en")
    }

    private func started(_ server: URL) async throws -> Post {
        let api = URLRequestDispatcher(baseURL: server) { $0.timeouts.total = .seconds(30) }
        let post: Post = try await api.get("/posts/7")
        return post
    }

    private func short(_ url: URL) async throws -> Post {
        let api = URLRequestDispatcher(baseURL: url)
        let post: Post = try await api.get("/posts/7")
        return post
    }

    @Test func dispatcherForOneServer() async throws {
        let url = server.url("/")

        let api = URLRequestDispatcher(baseURL: url, interceptors: [RetryPolicy()]) {
            $0.additionalHeaders[.userAgent] = "Reader/1.0"
            $0.timeouts.total = .seconds(30)
            $0.cookies = CookieJar()
        }
        let posts: [Post] = try await api.get("/posts", query: ["page": 2])

        #expect(posts.count == 2)
    }
}
