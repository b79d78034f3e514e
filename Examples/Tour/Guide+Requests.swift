import PiuPiuAsync
import PiuPiuTesting

extension Guide {
    func get() async throws {
        let response = try await dispatcher.data(from: site.api.url("/posts/1"))
        let post = try response.decode(Post.self)
        Output.line("status", Output.words(response.statusCode))
        Output.line("decoded", "\(post)")
        try require(post == Post(id: 1, title: "Hello"), "the post is the server's")
    }

    func post() async throws {
        let post = Post(id: 2, title: "Written by the tour")
        var request = URLRequest(url: site.api.url("/posts"), method: .post)
        try request.setJSONBody(post)
        let response = try await dispatcher.data(for: request)
        Output.line("sent", "\(request.httpBody?.count ?? 0) bytes, \(request.allHTTPHeaderFields ?? [:])")
        Output.line("came back", try response.decodeString())
        try require(try response.decode(Post.self) == post, "the post comes back as it was sent")
    }

    func twoAtOnce() async throws {
        let api = site.api
        async let posts = dispatcher.data(from: api.url("/posts")).decode([Post].self)
        async let users = dispatcher.data(from: api.url("/users")).decode([User].self)
        // The server holds both back until both are there, which cannot be if one waits for the other.
        async let haveMet = api.waitUntilHeld("both", count: 2)
        if await haveMet { api.release("both") }
        let (allPosts, allUsers) = try await (posts, users)
        Output.line("posts", allPosts.map(\.title).joined(separator: ", "))
        Output.line("users", allUsers.map(\.name).joined(separator: ", "))
        Output.line("server", "answered neither before it had both")
        try require(allPosts.count == 2 && allUsers.count == 1, "both lists are complete")
    }

    func notFound() async throws {
        let url = site.api.url("/missing")
        let response = try await dispatcher.data(from: url)
        Output.line("status", Output.words(response.statusCode))
        Output.line("body", try response.decodeString())
        if let error = response.httpError { Output.line("httpError", "\(error)") }
        try require(response.httpError == .clientError(.notFound), "404 has an HTTPError")

        let error = try await failure { try await dispatcher.data(from: url).validated() }
        Output.line("validated()", "throws \(error)")
        let refused = error as? UnacceptableResponseError
        try require(refused?.httpError == .clientError(.notFound), "validated() throws an error with the HTTPError")
    }

    func redirect() async throws {
        let response = try await dispatcher.data(from: site.api.url("/old"))
        for redirect in response.history {
            Output.line(
                "followed",
                "\(redirect.statusCode.rawValue) from \(redirect.source.path) to \(redirect.target.path)"
            )
        }
        Output.line("came back", try response.decodeString())
        try require(response.history.map(\.statusCode) == [.movedPermanently], "one redirect was followed")
    }
}
