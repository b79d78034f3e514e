import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import Testing

/// What the README's table says to write is compiled here, line by line.
struct ReadmeTableTests {
    private static let file = URL(filePath: #filePath)
    private static let readme = file.deletingLastPathComponent().appending(path: "../../../README.md")
        .standardizedFileURL

    @Test func whatToWriteIsCompiled() throws {
        let compiled = Set(try Self.lines(of: Self.file))
        let row = /\| \[.*\]\((?<page>[^)]*)\) \| `(?<code>.*)` \|/
        let rows = try Self.lines(of: Self.readme).compactMap { $0.wholeMatch(of: row) }
        #expect(rows.count >= 25)
        for row in rows {
            #expect(compiled.contains(String(row.code)), "It is not compiled: \(row.code)")
            let page = Self.readme.deletingLastPathComponent().appending(path: String(row.page))
            #expect(FileManager.default.fileExists(atPath: page.path), "There is no page \(row.page)")
        }
    }

    private static func lines(of file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
    }

    private struct Session: Decodable {
        var token: String
    }

    private func use(_ values: Any...) {}

    private func show<Value>(_ event: Value) {}

    /// Requests from paths; never run.
    private func requests(
        _ api: URLRequestDispatcher,
        _ request: URLRequest,
        password: String,
        draft: Post,
        fileURL: URL
    ) async throws {
        let post: Post = try await api.get("/posts/7")
        let created: Post = try await api.post("/posts", json: draft)
        let session: Session = try await api.post("/login", form: ["user": "ada", "password": password])
        try await api.post("/avatar", multipart: ["name": "Ada", "photo": .file(fileURL)])
        try await api.put("/files/photo", file: fileURL)
        use(post, created, session)
        for try await post in api.pages(for: request, of: [Post].self).items { print(post.title) }
    }

    /// Responses and transfers; never run.
    private func transfers(
        _ dispatcher: URLRequestDispatcher,
        _ request: URLRequest,
        _ fileURL: URL,
        _ files: [DownloadItem]
    ) async throws {
        let response = try await dispatcher.data(for: request).validated()
        let accepted = try response.validated()
        do { show(try response.validated()) } catch StatusCode.notFound { return }
        let saved = try await dispatcher.download(for: request, to: fileURL).response()
        for try await event in dispatcher.download(for: request, to: fileURL) { show(event) }
        var downloadOptions = DownloadOptions()
        downloadOptions.resume = .ifPossible
        for try await event in dispatcher.downloads(of: files, maximumInFlight: 4) { show(event) }
        for try await line in try await dispatcher.stream(for: request).data.lines { print(line) }
        for try await event in dispatcher.serverSentEvents(for: request) { print(event.data) }
        try await dispatcher.withWebSocket(for: request) { socket in try await socket.send("hello") }
        for try await element in dispatcher.webSocketMessages(for: request) { show(element) }
        use(accepted, saved, downloadOptions)
    }

    /// Policies and settings; never run.
    private func settings(
        _ login: OAuth2ClientCredentials,
        _ server: URL,
        _ certificateFile: URL,
        _ keyFile: URL
    ) throws {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.timeouts.total = .seconds(30)
        configuration.cookies = CookieJar()
        configuration.transport.proxy = .server(try ProxyServer("socks5://proxy.lan"))
        configuration.transport.tls.identity = .pem(certificates: certificateFile, key: keyFile)
        configuration.transport.requestGuard = RequestGuard()
        configuration.observers = [LoggingObserver(), Statistics()]
        let retrying = URLRequestDispatcher(interceptors: [RetryPolicy()])
        let policy = try login.authenticationPolicy(origins: [server])
        let caching = URLRequestDispatcher(interceptors: [ResponseCache(.memory(limit: 64 << 20))])
        let limited = URLRequestDispatcher(interceptors: [RateLimit(100), CircuitBreaker()])
        let mock = MockURLRequestDispatcher { try Response.makeMockResponse(with: $0, statusCode: .ok) }
        use(configuration, retrying, policy, caching, limited, mock)
    }
}
