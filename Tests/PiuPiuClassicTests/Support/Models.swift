import PiuPiuClassic

struct Post: Codable, Equatable {
    var id: Int
    var userId: Int
    var title: String

    static let hello = Post(id: 1, userId: 7, title: "Hello")
}

struct User: Codable, Equatable {
    var id: Int
    var name: String
}

/// A value that is not `Sendable`, as in code that was written before the word existed.
final class Markdown {
    var text: String

    init(_ text: String) {
        self.text = text
    }
}

typealias EnrichedPost = (post: Post, markdown: Markdown)
