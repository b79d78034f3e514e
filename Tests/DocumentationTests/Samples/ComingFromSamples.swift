import PiuPiuAsync

/// The right columns of the page for those who come from other clients.
struct ComingFromSamples {
    struct Item: Codable, Sendable { var id: Int; var name: String }
    private func show(_ values: Any...) {}

    private func a(_ dispatcher: URLRequestDispatcher, _ request: URLRequest) async throws {
        let item = try await dispatcher.data(for: request).validated().decode(Item.self)
        show(item)
    }

    private func b(_ base: URL, token: String) async throws {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.baseURL = base
        let api = URLRequestDispatcher(
            configuration: configuration,
            interceptors: [RetryPolicy(retries: 2)],
            requestAdapters: [try BearerToken(token, origins: [base])]
        )
        let item: Item = try await api.get("/items/7")
        show(item)
    }

    private func b(_ api: URLRequestDispatcher, _ item: Item) async throws {
        var request = try api.request(.post, "/items", body: .json(item))
        request[.accept] = "application/json"
        let response = try await api.data(for: request).validated(.statusCodes([.created]))
        let created = try response.decode(Item.self, using: api.requestDefaults.decoder)
        show(created)
    }

    private func c(_ dispatcher: URLRequestDispatcher, _ url: URL) async throws {
        var options = dispatcher.configuration.options
        options.timeouts.total = .seconds(3)
        options.maximumBufferedBody = 1 << 20
        let response = try await dispatcher.data(from: url, options: options)
        let item = try response.validated().decode(Item.self)
        show(item)
    }

    private func d(_ dispatcher: URLRequestDispatcher, _ url: URL) async throws {
        let stream = try await dispatcher.stream(for: URLRequest(url: url)).validated()
        for try await chunk in stream.data { show(chunk.count) }
    }
}
