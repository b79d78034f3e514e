import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuCore

/// The requests that a dispatcher makes from a path.
@Suite(.timeLimit(.generous)) struct PathRequestTests {
    typealias Dispatcher = DataDispatcher & UploadDispatcher

    struct Post: Codable, Equatable {
        var id = 1
        var title = "Hello"
    }

    @MainActor final class Model: @MainActor Codable {
        var id = 1
    }

    private static let base = Fixture.url("https://api.example.com/v1")
    private static let thisFile = URL(filePath: #filePath)
    private static let form: MultipartFormData = ["a": "1"]

    /// A dispatcher of each kind that answers with a body; a POST to `/missing` with 404.
    private static func mock(
        _ body: String = "{\"id\":1,\"title\":\"Hello\"}",
        _ change: (inout URLRequestDispatcher.Configuration) -> Void = { _ in }
    ) -> MockURLRequestDispatcher {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.baseURL = base
        change(&configuration)
        return MockURLRequestDispatcher(transport: transport(body), configuration: configuration)
    }

    private static func transport(_ body: String) -> MockTransport {
        MockTransport { request in
            let path = request.urlRequest.url?.path ?? ""
            return MockAnswer(path.hasSuffix("missing") ? .notFound : .ok, body: Data(body.utf8))
        }
    }

    private func sent(_ dispatcher: MockURLRequestDispatcher) -> [String] {
        dispatcher.requests.map {
            let body = $0.body.isEmpty ? "" : " " + String(decoding: $0.body, as: UTF8.self)
            return "\($0.urlRequest.httpMethod ?? "") \($0.url.absoluteString)\(body)"
        }
    }

    @Test func aPageInPlaceOfTheAnswerIsAnErrorThatHasIt() async throws {
        let page = "<html>" + String(repeating: "log in ", count: 20_000)
        let transport = MockTransport { _ in MockAnswer(.ok, headers: ["Content-Type": "text/html"], body: page) }
        var configuration = URLRequestDispatcher.Configuration()
        configuration.baseURL = Self.base
        let dispatcher = MockURLRequestDispatcher(transport: transport, configuration: configuration)
        let calls: [() async throws -> Post] = [
            { try await dispatcher.get("posts/1", query: ["key": "k"]) },
            { try await dispatcher.post("posts/1", json: Post()) },
        ]
        for call in calls {
            let error = try #require(try await failure { try await call() } as? UndecodableResponseError)
            #expect(error.underlyingError is DecodingError)
            #expect(error.statusCode == .ok && error.response?.headers["Content-Type"] == "text/html")
            #expect(error.body == Data(page.utf8.prefix(65_536)) && !error.isBodyComplete)
            #expect(error.request?.url?.host == "api.example.com")
            let text = "\(error)"
            #expect(text.hasPrefix("The response (200, text/html) cannot be decoded as Post: it is not valid ("))
            #expect(text.contains("https://api.example.com/v1/posts/1"))
            #expect(!text.contains("key=") && !text.contains("log in"))
        }
    }

    @Test func aMissingKeyIsNamedWithItsPlace() async throws {
        let dispatcher = Self.mock(#"[{"id":1,"title":"a"},{"id":2}]"#)
        let error = try #require(
            try await failure { try await dispatcher.get("posts", as: [Post].self) } as? UndecodableResponseError
        )
        #expect("\(error)".contains("cannot be decoded as Array<Post>: there is no key title at [1]"))
        #expect(error.isBodyComplete)
        // An empty body stays what it was.
        await #expect(throws: ResponseError.unexpectedEmptyResponse) {
            try await Self.mock("").get("posts", as: [Post].self)
        }
    }

    // What a user writes: each call has one meaning.
    @Test func callsOfAUserAreUnambiguous() async throws {
        let dispatcher = Self.mock()
        let draft = Post(id: 2)
        let sort: String? = nil

        let post: Post = try await dispatcher.get("/posts/1")
        let same = try await dispatcher.get("/posts/1", as: Post.self)
        let optional: Post? = try await dispatcher.get("/posts/1", query: ["page": 2, "sort": sort])
        let response = try await dispatcher.get("/posts/1", headers: [.accept: "text/csv"])
        let raw: Response<Data?> = try await dispatcher.get("/posts/1")
        try await dispatcher.get("/posts/1")
        _ = try await dispatcher.get("/posts/1")
        let title = try await dispatcher.get("/posts/1", as: Post.self).title
        #expect(post == same && post == optional && title == post.title)
        #expect(try response.decode(Post.self) == raw.decode(Post.self))

        let created: Post = try await dispatcher.post("/posts", json: draft)
        let other = try await dispatcher.post("/posts", json: draft, as: Post.self)
        let formed: Post = try await dispatcher.post("/posts", form: ["a": 1])
        let plain: Post = try await dispatcher.post("/posts/1/publish")
        let bytes: Post = try await dispatcher.post("/posts", body: .data(Data([65])))
        try await dispatcher.post("/posts", json: draft)
        try await dispatcher.post("/posts", json: ["id": 1])
        try await dispatcher.post("/posts", form: ["a": ["b", "c"], "d": nil])
        try await dispatcher.post("/posts")
        let status = try await dispatcher.post("/posts", json: draft).statusCode
        #expect([created, other, formed, plain, bytes].allSatisfy { $0 == post } && status == .ok)

        let put: Post = try await dispatcher.put("/posts/1", body: .json(draft))
        let patched = try await dispatcher.patch("/posts/1", body: .json(["title": "x"]), as: Post.self)
        try await dispatcher.put("/posts/1", body: .text("x"))
        try await dispatcher.patch("/posts/1", body: .form(encodable: draft))
        #expect(put == patched)

        try await dispatcher.delete("/posts/1")
        let deleted: Post = try await dispatcher.delete("/posts/1")
        let gone = try await dispatcher.delete("/posts/1", body: .json(draft)).statusCode
        let head = try await dispatcher.head("/posts/1").statusCode
        #expect(deleted == post && gone == .ok && head == .ok)

        let start = "https://api.example.com/v1/posts"
        let sent = sent(dispatcher)
        #expect(Array(sent[0..<4]) == ["GET \(start)/1", "GET \(start)/1", "GET \(start)/1?page=2", "GET \(start)/1"])
        #expect(sent.contains("POST \(start) a=1") && sent.contains("POST \(start) a=b&a=c"))
        #expect(sent.contains("POST \(start) {\"id\":1}") && sent.contains("PUT \(start)/1 x"))
        #expect(
            sent.contains("PATCH \(start)/1 id=2&title=Hello") && sent.contains("PATCH \(start)/1 {\"title\":\"x\"}")
        )
        #expect(sent.filter { $0.hasPrefix("DELETE \(start)/1") }.count == 3 && sent.last == "HEAD \(start)/1")
        let drafts = dispatcher.requests.filter { $0.body.starts(with: Data("{".utf8)) && $0.body.count > 20 }
        #expect(
            drafts.count == 6 && drafts.allSatisfy { (try? JSONDecoder().decode(Post.self, from: $0.body)) == draft }
        )
    }

    @Test func realDispatcherAndExistentialHaveThem() async throws {
        let transport = Self.transport("[{\"id\":1,\"title\":\"Hello\"}]")
        var configuration = URLRequestDispatcher.Configuration()
        configuration.baseURL = Self.base
        let dispatcher = URLRequestDispatcher(configuration: configuration, transport: transport)
        let posts: [Post] = try await dispatcher.get("/posts", query: ["page": 2])
        let any: any DataDispatcher = dispatcher
        let same: [Post] = try await any.get("posts")
        #expect(posts == same)
        #expect(
            transport.requests.map { $0.urlRequest.url?.absoluteString } == [
                "https://api.example.com/v1/posts?page=2", "https://api.example.com/v1/posts",
            ]
        )
    }

    @Test func aClientIsOneExpression() throws {
        #expect(URLRequestDispatcher(baseURL: Self.base).configuration.baseURL == Self.base)
        let dispatcher = URLRequestDispatcher(baseURL: Self.base, interceptors: [RetryPolicy()]) {
            $0.additionalHeaders = ["X-A": "1"]
            $0.timeouts.total = .seconds(3)
        }
        #expect(dispatcher.configuration.baseURL == Self.base && dispatcher.configuration.timeouts.total == .seconds(3))
        #expect(dispatcher.configuration.additionalHeaders == ["X-A": "1"])
        #expect(throws: TransferError.self) {
            try URLRequestDispatcher(baseURL: Self.base) { _ in throw TransferError(.fileNotFound) }
        }
    }

    private final class OwnDispatcher: DataDispatcher, UploadDispatcher {
        func upload(for request: URLRequest, from body: RequestBody) -> Transfer<Data?> {
            Transfer(.sending) { _ in try await self.data(for: request) }
        }

        func data(for request: URLRequest) async throws -> Response<Data?> {
            Response(
                data: Data("\"\(request.url?.absoluteString ?? "")\"".utf8),
                urlRequest: request,
                head: Fixture.head()
            )
        }
    }

    @Test func dispatcherOfAUserNeedsAbsoluteURLs() async throws {
        #expect(try await OwnDispatcher().get("https://h/p", query: ["a": 1], as: String.self) == "https://h/p?a=1")
        await #expect(throws: RequestPathError.self) { try await OwnDispatcher().get("/p") }
    }

    @Test func dispatcherOfAUserThatHasNoLimitsRefusesThem() async throws {
        let (dispatcher, options) = (OwnDispatcher(), RequestOptions())
        let sent = try await dispatcher.post("https://h/p", multipart: ["a": "1"], as: String.self)
        #expect(sent == "https://h/p")
        let calls: [() async throws -> Response<Data?>] = [
            { try await dispatcher.get("https://h/p", options: options) },
            { try await dispatcher.post("https://h/p", multipart: ["a": "1"], options: options) },
        ]
        for call in calls {
            let error = await #expect(throws: TransportError.self) { try await call() }
            #expect(error?.code == .unsupported && error?.reason.contains("OwnDispatcher") == true)
        }
    }

    @Test func filesAndFormsAreSentInOneCall() async throws {
        let folder = try DownloadFolder()
        let file = folder["photo.jpg"]
        try Data("JPEG".utf8).write(to: file)
        let mock = Self.mock()
        let form: MultipartFormData = [
            "name": "Ada \(1)", "photo": .file(file, contentType: "image/jpeg"), "raw": .data(Data("x".utf8)),
            "name": .text("Bob"),
        ]
        let post: Post = try await mock.post("/avatar", query: ["a": 1], multipart: form)
        try await mock.put("/file", file: file)
        let put = try await mock.put("/file", headers: [.contentType: "image/jpeg"], file: file, as: Post.self)
        #expect(post == put)

        var appended = MultipartFormData(boundary: form.boundary)
        appended.append("Ada 1", name: "name")
        appended.append(file: file, name: "photo", contentType: "image/jpeg")
        appended.append(Data("x".utf8), name: "raw")
        appended.append("Bob", name: "name")
        let requests = mock.requests
        #expect(try requests.map(\.body) == [appended.encoded(), Data("JPEG".utf8), Data("JPEG".utf8)])
        #expect(requests.map(\.urlRequest.httpMethod) == ["POST", "PUT", "PUT"])
        #expect(requests[0].url.absoluteString == "https://api.example.com/v1/avatar?a=1")
        #expect(requests.map { $0["Content-Type"] } == [form.contentType, "application/octet-stream", "image/jpeg"])
        #expect(requests.map { $0["Accept"] == "application/json" } == [true, false, true])
        let refused = await #expect(throws: TransferError.self) { try await mock.put("/file", file: folder["none"]) }
        #expect(refused?.code == .fileNotFound && mock.requests.count == 3)
        await #expect(throws: UnacceptableResponseError.self) { try await mock.post("/missing", multipart: form) }
    }

    /// Everything that sends a request from a path, with limits of its own.
    private static let functions:
        [(name: String, call: @Sendable (any Dispatcher, RequestOptions?) async throws -> Void)] =
            [
                ("get", { try await $0.get("/", options: $1) }),
                ("get as", { _ = try await $0.get("/", options: $1, as: Post.self) }),
                ("head", { try await $0.head("/", options: $1) }), ("post", { try await $0.post("/", options: $1) }),
                ("post as", { _ = try await $0.post("/", body: .text("a"), options: $1, as: Post.self) }),
                ("post json", { try await $0.post("/", json: 1, options: $1) }),
                ("post json as", { _ = try await $0.post("/", json: 1, options: $1, as: Post.self) }),
                ("post form", { try await $0.post("/", form: ["a": 1], options: $1) }),
                ("post form as", { _ = try await $0.post("/", form: ["a": 1], options: $1, as: Post.self) }),
                ("post multipart", { try await $0.post("/", multipart: form, options: $1) }),
                ("post multipart as", { _ = try await $0.post("/", multipart: form, options: $1, as: Post.self) }),
                ("put file", { try await $0.put("/", file: thisFile, options: $1) }),
                ("put file as", { _ = try await $0.put("/", file: thisFile, options: $1, as: Post.self) }),
                ("put", { try await $0.put("/", options: $1) }),
                ("put as", { _ = try await $0.put("/", body: .text("a"), options: $1, as: Post.self) }),
                ("patch", { try await $0.patch("/", options: $1) }),
                ("patch as", { _ = try await $0.patch("/", body: .text("a"), options: $1, as: Post.self) }),
                ("delete", { try await $0.delete("/", options: $1) }),
                ("delete as", { _ = try await $0.delete("/", body: .text("a"), options: $1, as: Post.self) }),
            ]

    @Test(arguments: functions.indices) func limitsOfOneRequestReachTheTransport(_ index: Int) async throws {
        let (name, call) = Self.functions[index]
        let mock = Self.mock { $0.timeouts.total = .seconds(3000) }
        var configuration = URLRequestDispatcher.Configuration()
        configuration.baseURL = Self.base
        configuration.timeouts.total = .seconds(3000)
        let transport = Self.transport("{\"id\":1,\"title\":\"Hello\"}")
        let real = URLRequestDispatcher(configuration: configuration, transport: transport)
        var options = RequestOptions()
        options.timeouts.total = .seconds(700)
        for dispatcher in [mock, real] as [any Dispatcher] {
            try await call(dispatcher, nil)
            try await call(dispatcher, options)
        }
        for requests in [mock.requests, transport.requests] {
            #expect(requests.map(\.options.timeouts.total) == [.seconds(3000), .seconds(700)], "\(name)")
            #expect(requests.first?.urlRequest == requests.last?.urlRequest)
            #expect(requests.first.map { name.hasPrefix($0.urlRequest.httpMethod?.lowercased() ?? "?") } == true)
        }
    }

    @Test func requestIsMadeForEveryKindOfTransfer() throws {
        let dispatcher = Self.mock { $0.defaultQuery = ["v": 1] }
        let request = try dispatcher.request(
            .put,
            "/a?b",
            query: ["c": "+"],
            headers: [.accept: "x", "X-A": "1", "x-a": "2"]
        )
        #expect(request.url?.absoluteString == "https://api.example.com/v1/a?b&v=1&c=%2B")
        #expect(
            request.httpMethod == "PUT" && request[.accept] == "x" && request["X-A"] == "1,2" && request.httpBody == nil
        )
        let json = try dispatcher.request(.post, "/a", body: .json(["a": 1]))
        #expect(json[.contentType] == "application/json" && json.httpBody == Data("{\"a\":1}".utf8))
        let form = try dispatcher.request(.post, "/a", headers: ["content-type": "x/y"], body: .form(["a": 1]))
        #expect(form[.contentType] == "x/y")
        let data = try dispatcher.request(.post, "/a", body: .data(Data(), contentType: "a/b"))
        #expect(data[.contentType] == "a/b" && data.httpBody == Data())
        #expect(try dispatcher.request(.post, "/a", body: .data(Data()))[.contentType] == "application/octet-stream")
        let text = try dispatcher.request(.post, "/a", headers: [.contentType: "b/c"], body: .text("é"))
        #expect(text[.contentType] == "b/c" && text.httpBody == Data("é".utf8))
        #expect(throws: FormEncodingError.self) { try dispatcher.request(.post, "/a", body: .form(encodable: 1)) }
        #expect(throws: EncodingError.self) { try dispatcher.request(.post, "/a", body: .json(Double.nan)) }
    }

    @Test func codersOfTheConfigurationAreUsed() async throws {
        let dispatcher = Self.mock("\"1970-01-01T00:00:00Z\"") {
            $0.requestDefaults.decoder.dateDecodingStrategy = .rfc3339
            $0.requestDefaults.encoder.dateEncodingStrategy = .rfc3339
        }
        let date: Date = try await dispatcher.post("/dates", json: [Date(timeIntervalSince1970: 0)])
        #expect(date == Date(timeIntervalSince1970: 0))
        #expect(sent(dispatcher) == ["POST https://api.example.com/v1/dates [\"1970-01-01T00:00:00Z\"]"])
        let own = JSONEncoder()
        own.dateEncodingStrategy = .secondsSince1970
        let request = try dispatcher.request(.post, "/", body: .json([Date(timeIntervalSince1970: 0)], encoder: own))
        #expect(request.httpBody == Data("[0]".utf8))
    }

    @Test func refusedResponsesAreThrown() async throws {
        let dispatcher = Self.mock()
        await #expect(throws: UnacceptableResponseError.self) { try await dispatcher.get("/missing") }
        await #expect(throws: UnacceptableResponseError.self) { try await dispatcher.get("/missing", as: Post.self) }
        let error = await #expect(throws: UnacceptableResponseError.self) {
            try await dispatcher.post("/missing", json: Post())
        }
        #expect(error?.statusCode == .notFound)
        let tolerant = Self.mock { $0.requestDefaults.validation = .statusCodes(200..<500) }
        #expect(try await tolerant.get("/missing").statusCode == .notFound)
        let strict = Self.mock { $0.requestDefaults.validation = .json }
        await #expect(throws: UnacceptableResponseError.self) { try await strict.get("/posts") }
        #expect(try await dispatcher.data(for: dispatcher.request(.get, "/missing")).statusCode == .notFound)
    }

    @Test func emptyBodyIsNilForAnOptionalType() async throws {
        let dispatcher = Self.mock("")
        let post: Post? = try await dispatcher.get("/posts/1")
        #expect(post == nil)
        let data: [Int]? = try await dispatcher.delete("/posts/1")
        #expect(data == nil)
        await #expect(throws: ResponseError.self) { try await dispatcher.get("/posts/1", as: Post.self) }
    }

    @MainActor @Test func valuesOfTheMainActorAreEncodedAndDecoded() async throws {
        let dispatcher = Self.mock()
        let model = try await dispatcher.get("/models/1", as: Model.self)
        let copy: Model = try await dispatcher.post("/models", json: model)
        try await dispatcher.put("/models/1", body: .json(copy))
        #expect(copy.id == 1)
        #expect(sent(dispatcher).last == "PUT https://api.example.com/v1/models/1 {\"id\":1}")
    }

    // MARK: Header fields

    private func headers(_ name: HTTPHeaderName, _ dispatcher: MockURLRequestDispatcher) -> [String?] {
        dispatcher.requests.map { $0.urlRequest[name] }
    }

    @Test func jsonIsAcceptedUnlessTheUserSaysOtherwise() async throws {
        let dispatcher = Self.mock()
        _ = try await dispatcher.get("/a", as: Post.self)
        _ = try await dispatcher.get("/a", headers: ["accept": "application/problem+json"], as: Post.self)
        try await dispatcher.get("/a")
        #expect(headers(.accept, dispatcher) == ["application/json", "application/problem+json", nil])
        let other = Self.mock { $0.additionalHeaders["ACCEPT"] = "application/vnd.github+json" }
        _ = try await other.get("/a", as: Post.self)
        #expect(headers(.accept, other) == ["application/vnd.github+json"])
    }

    @Test func fieldOfTheRequestReplacesTheDefaultInAnyCase() async throws {
        let dispatcher = Self.mock { $0.additionalHeaders = [.userAgent: "A", "X-Key": "1"] }
        try await dispatcher.get("/a", headers: ["x-kEY": "2"])
        #expect(headers("X-Key", dispatcher) == ["2"])
        #expect(headers(.userAgent, dispatcher) == ["A"])
    }

    @Test func secretsAreForTheOriginOfTheBaseURL() async throws {
        let dispatcher = Self.mock {
            $0.additionalHeaders = [.authorization: "Bearer t", "X-Api-Key": "k", "X-Mine": "m", "X-Plain": "p"]
            $0.sensitiveHeaders = ["x-mine"]
            $0.requestDefaults.allowsAbsoluteURLs = true
            $0.defaultQuery = ["key": "k"]
        }
        let texts = [
            "/a", "https://API.example.com:443/b", "https://api.example.com.evil.com/", "http://api.example.com/",
            "//evil.com/", "https://api.example.com:444/",
        ]
        for text in texts { try await dispatcher.get(text) }
        try await dispatcher.get("/c", headers: [.authorization: "own"])
        _ = try await dispatcher.data(from: Fixture.url("https://evil.com/"))
        for name in ["Authorization", "X-Api-Key", "X-Mine"] as [HTTPHeaderName] {
            #expect(
                headers(name, dispatcher).map { $0 != nil } == [true, true, false, false, false, false, true, false]
            )
        }
        #expect(headers(.authorization, dispatcher)[6] == "own")
        #expect(headers("X-Plain", dispatcher).allSatisfy { $0 == "p" })
        let queries = dispatcher.requests.map { $0.urlRequest.url?.query() }
        #expect(queries == ["key=k", "key=k", nil, nil, nil, nil, "key=k", nil])
    }

    @Test func withoutABaseURLEveryRequestGetsTheFields() async throws {
        let dispatcher = Self.mock {
            $0.baseURL = nil
            $0.additionalHeaders = [.authorization: "Bearer t"]
        }
        try await dispatcher.get("https://other.com/")
        #expect(headers(.authorization, dispatcher) == ["Bearer t"])
    }

    @Test func invalidBaseURLGetsNoSecrets() async throws {
        let dispatcher = Self.mock {
            $0.baseURL = Fixture.url("ftp://x")
            $0.additionalHeaders = [.authorization: "Bearer t"]
        }
        _ = try await dispatcher.data(from: Fixture.url)
        #expect(headers(.authorization, dispatcher) == [nil])
    }

    @Test func configurationShowsNoSecrets() {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.baseURL = Fixture.url("https://u:s3cret@h/?s3cret")
        configuration.defaultQuery = ["key": "s3cret"]
        #expect(!Fixture.allTexts(of: configuration).contains("s3cret"))
        #expect(!Fixture.allTexts(of: configuration.requestDefaults).contains("s3cret"))
    }
}
