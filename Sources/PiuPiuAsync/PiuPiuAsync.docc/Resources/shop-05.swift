import PiuPiuAsync

/// A client of the shop's API.
struct Shop: Sendable {
    struct Item: Codable, Sendable {
        var id: Int
        var name: String
    }

    struct Draft: Codable, Sendable {
        var name: String
    }

    let api: URLRequestDispatcher

    init(server: URL, token: String, transport: (any HTTPTransport)? = nil) throws {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.baseURL = server.appending(path: "v1")
        configuration.timeouts.total = .seconds(20)
        api = URLRequestDispatcher(
            configuration: configuration,
            interceptors: [RetryPolicy()],
            requestAdapters: [try BearerToken(token, origins: [server])],
            transport: transport
        )
    }

    func items(named name: String) async throws -> [Item] {
        try await api.get("/items", query: ["name": name])
    }

    /// An item; `nil` if there is none.
    func item(_ id: Int) async throws -> Item? {
        do {
            return try await api.get("/items/\(id)")
        } catch StatusCode.notFound {
            return nil
        }
    }

    /// Adds an item.
    ///
    /// The server recognises a repetition by its key.
    func add(_ draft: Draft) async throws -> Item {
        try await api.post("/items", headers: ["Idempotency-Key": UUID().uuidString], body: .json(draft))
    }
}
