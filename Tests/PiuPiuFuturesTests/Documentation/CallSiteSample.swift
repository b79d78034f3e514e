import PiuPiuFutures

@MainActor
final class ArticleModel {
    struct Article: Codable, Sendable {
        var id: Int
        var title: String
    }

    private let dispatcher = URLRequestDispatcher()
    private(set) var title = ""
    private(set) var isLoading = false

    func load(_ url: URL) {
        isLoading = true
        dispatcher.dataFuture(from: URLRequest(url: url, method: .get))
            .then { response -> Article in
                let http = try response.makeHTTPResponse()
                if let error = http.httpError { throw error }
                return try response.decode(Article.self)
            }
            .success { article in self.title = article.title }
            .error { error in self.title = "\(error)" }
            .completion { self.isLoading = false }
            .send()
    }
}

extension ArticleModel {
    func reload(_ url: URL) async {
        isLoading = true
        defer { isLoading = false }
        do {
            title = try await dispatcher.data(from: url).validated().decode(Article.self).title
        } catch {
            title = "\(error)"
        }
    }
}
