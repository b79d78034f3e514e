import PiuPiuAsync

/// A client of the shop's API.
struct Shop: Sendable {
    let api: URLRequestDispatcher

    init(server: URL) {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.baseURL = server.appending(path: "v1")
        configuration.timeouts.total = .seconds(20)
        api = URLRequestDispatcher(configuration: configuration)
    }
}
