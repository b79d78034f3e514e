import PiuPiuAsync

struct Post: Codable, Sendable {
    var id: Int
    var title: String
}

let dispatcher = URLRequestDispatcher()

func post(at url: URL) async throws -> Post {
    try await dispatcher.data(from: url).validated().decode(Post.self)
}
