import PiuPiuAsync
import PiuPiuTesting

/// The recipes of the cookbook; what they use is run elsewhere.
struct CookbookSamples {
    struct Item: Codable, Sendable { var id: Int; var name: String }
    struct Problem: Decodable { var message: String }
    private func show(_ values: Any...) {}

    private func r1(_ api: URLRequestDispatcher) async throws {
        let item: Item = try await api.get("/items/7")
        show(item)
    }

    private func r2(_ api: URLRequestDispatcher) async throws {
        let items: [Item] = try await api.get("/items", query: ["page": 2, "tag": ["new", "red"]])
        show(items)
    }

    private func r3(_ api: URLRequestDispatcher, _ name: String) async throws {
        let item: Item = try await api.get("/items/by-name/\(segment: name)")
        show(item)
    }

    private func r4(_ api: URLRequestDispatcher, _ item: Item) async throws {
        let key = UUID().uuidString
        let created: Item = try await api.post("/items", headers: ["Idempotency-Key": key], body: .json(item))
        show(created)
    }

    private func r5(_ api: URLRequestDispatcher, _ item: Item, _ response: Response<Data?>) async throws {
        do {
            try await api.put("/items/7", headers: ["If-Match": response.headers["ETag"] ?? "*"], body: .json(item))
        } catch StatusCode.preconditionFailed {
            print("It was changed meanwhile.")
        }
    }

    private func r6(_ api: URLRequestDispatcher) async throws {
        do { try await api.delete("/items/7") } catch StatusCode.notFound {}
    }

    private func r7(_ api: URLRequestDispatcher) async throws {
        let item: Item = try await api.get("/items/7", headers: ["Accept-Language": "fr"])
        show(item)
    }

    private func r8() -> URLRequestDispatcher.Configuration {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.additionalHeaders[.userAgent] = "Shop/2.1"
        return configuration
    }

    private func r9(_ base: URL) -> URLRequestDispatcher {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.baseURL = base
        configuration.requestDefaults.decoder.dateDecodingStrategy = .iso8601
        configuration.requestDefaults.decoder.keyDecodingStrategy = .convertFromSnakeCase
        configuration.requestDefaults.encoder.dateEncodingStrategy = .iso8601
        configuration.requestDefaults.encoder.keyEncodingStrategy = .convertToSnakeCase
        let api = URLRequestDispatcher(configuration: configuration)
        return api
    }

    private func r10(_ api: URLRequestDispatcher) async throws {
        let length = try await api.head("/files/report.pdf").headers["Content-Length"]
        show(length ?? "unknown")
    }

    private func r11(_ api: URLRequestDispatcher) async throws {
        do {
            show(try await api.get("/items/7", as: Item.self))
        } catch let error as UnacceptableResponseError {
            show(error.statusCode.rawValue, (try? error.decode(Problem.self))?.message ?? "no details")
        }
    }

    private func r12(_ api: URLRequestDispatcher) async throws -> Item? {
        do {
            return try await api.get("/items/7")
        } catch StatusCode.notFound {
            return nil
        }
    }

    private func r13(_ dispatcher: URLRequestDispatcher, _ request: URLRequest) async throws {
        let response = try await dispatcher.data(for: request).validated()
        let item = try response.decode(Item.self)
        show(response.headers["X-RateLimit-Remaining"] ?? "unlimited")
        show(item)
    }

    private func r14(_ dispatcher: URLRequestDispatcher, _ url: URL) async throws {
        let response = try await dispatcher.data(from: url)
        show(response.url, response.history.map(\.statusCode.rawValue))
    }

    private func r15() -> URLRequestDispatcher.Configuration {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.redirects = nil
        return configuration
    }

    private func r16(_ api: URLRequestDispatcher) async throws {
        async let item: Item = api.get("/items/7")
        async let others: [Item] = api.get("/items/7/similar")
        try await show(item, others)
    }

    private func r17(_ base: URL, ids: [Int]) async throws -> [Item] {
        let api = URLRequestDispatcher(baseURL: base, interceptors: [ConcurrencyLimit(8)])
        return try await withThrowingTaskGroup(of: Item.self) { group in
            for id in ids {
                group.addTask { try await api.get("/items/\(id)") }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func r18(_ api: URLRequestDispatcher) async throws {
        for try await item in api.pages(for: try api.request(.get, "/items"), of: [Item].self).items {
            show(item.name)
        }
    }

    private func r19(_ dispatcher: URLRequestDispatcher, _ first: URL, _ second: URL) async throws -> Response<Data?> {
        do {
            return try await dispatcher.data(from: first).validated()
        } catch is TransportError {
            return try await dispatcher.data(from: second).validated()
        }
    }

    private func r20() -> URLRequestDispatcher {
        let dispatcher = URLRequestDispatcher(interceptors: [RateLimit(5, per: .seconds(1))])
        return dispatcher
    }

    private func r21(_ api: URLRequestDispatcher) async throws {
        var options = api.configuration.options
        options.timeouts.total = .seconds(3)
        let item: Item = try await api.get("/items/7", options: options)
        show(item)
    }

    private func r22() -> URLRequestDispatcher {
        let retries = RetryPolicy(retries: 4, backoff: Backoff(base: .milliseconds(100), maximum: .seconds(5)))
        let dispatcher = URLRequestDispatcher(interceptors: [retries])
        return dispatcher
    }

    private func r23(_ api: URLRequestDispatcher, job: Int) async throws {
        while try await api.get("/jobs/\(job)").statusCode == .accepted {
            try await Task.sleep(for: .seconds(2))
        }
    }

    private func r24(_ api: URLRequestDispatcher, _ old: Item) async throws -> Item {
        do {
            return try await api.get("/items/7")
        } catch is TransportError {
            return old
        } catch let error as UnacceptableResponseError where error.statusCode.type == .serverError {
            return old
        }
    }

    private func r25(_ dispatcher: URLRequestDispatcher, _ request: URLRequest, _ file: URL) async throws {
        var options = DownloadOptions()
        options.digest = try .sha256("b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9")
        let saved = try await dispatcher.download(for: request, to: file, options: options).response()
        show(saved.data)
    }

    private func r26(_ dispatcher: URLRequestDispatcher, _ files: [DownloadItem]) async throws {
        for try await event in dispatcher.downloads(of: files, maximumInFlight: 4) {
            if case .progress(let progress) = event { show(progress.fractionCompleted ?? 0, progress.filesFinished) }
            if case .failed(let error, let index) = event { show(files[index].request.url?.path ?? "", error) }
        }
    }

    private func r27(_ dispatcher: URLRequestDispatcher, _ url: URL, _ file: URL) async throws {
        let request = URLRequest(url: url, method: .put)
        let response = try await dispatcher.upload(for: request, from: .file(file)).response().validated()
        show(response)
    }

    private func r28(_ dispatcher: URLRequestDispatcher, _ request: URLRequest) async throws {
        var count = 0
        for try await _ in try await dispatcher.stream(for: request).validated().data.lines { count += 1 }
        show(count)
    }

    private func r29(_ base: URL) async throws {
        let mock = MockTransport { request in
            request.path == "/items/7" ? try .json(Item(id: 7, name: "Cup")) : MockAnswer(.notFound)
        }
        var configuration = URLRequestDispatcher.Configuration()
        configuration.baseURL = base
        let api = URLRequestDispatcher(configuration: configuration, transport: mock)
        let item: Item = try await api.get("/items/7")
        show(item)
    }

    private func r30(_ api: URLRequestDispatcher) throws {
        let request = try api.request(.get, "/items", query: ["page": 2])
        print(try request.curlCommand(showingSecrets: true))
    }

    private func r31(_ dispatcher: URLRequestDispatcher, _ request: URLRequest) async throws {
        let answer = try await dispatcher.withWebSocket(for: request) { socket in
            try await socket.send("question")
            return try await socket.receive()?.text
        }
        show(answer ?? "")
    }

    private actor Feed {
        func reload() {}
        func apply(_ data: Data) {}
    }

    private func r32(_ dispatcher: URLRequestDispatcher, _ request: URLRequest) async throws {
        let state = Feed()
        for try await element in dispatcher.webSocketMessages(for: request) {
            switch element {
            case .opened: await state.reload()
            case .message(let message): await state.apply(message.data)
            }
        }
    }
}
