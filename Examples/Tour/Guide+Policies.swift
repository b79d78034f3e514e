import PiuPiuAsync
import PiuPiuTesting

extension Guide {
    func retry() async throws {
        let dispatcher = URLRequestDispatcher(configuration: Self.configuration, interceptors: [RetryPolicy()])
        let response = try await dispatcher.data(from: site.api.url("/busy"))
        // The server may have taken it, so it is not sent twice.
        let post = try await dispatcher.data(for: URLRequest(url: site.api.url("/busy/post"), method: .post))
        await dispatcher.shutdown()

        for attempt in response.attempts { Output.line("attempt \(attempt.number)", "\(attempt.cause)") }
        Output.line("GET", "\(response.statusCode.rawValue) after \(response.attempts.count) attempts")
        Output.line("POST", "\(post.statusCode.rawValue) after \(post.attempts.count) attempt")
        try require(response.statusCode == .ok && response.attempts.count == 2, "the GET is sent again")
        try require(post.statusCode == .serviceUnavailable && post.attempts.count == 1, "the POST is not")
    }

    func cache() async throws {
        let cache = ResponseCache(.memory(limit: 1_000_000))
        let dispatcher = URLRequestDispatcher(configuration: Self.configuration, interceptors: [cache])
        let url = site.api.url("/picture")
        let outcomes = [try await dispatcher.data(from: url), try await dispatcher.data(from: url)]
            .map { $0.head?.cacheStatus?.outcome }
        await dispatcher.shutdown()

        let count = site.api.requests(for: "/picture").count
        Output.line("outcomes", outcomes.map { $0?.rawValue ?? "?" }.joined(separator: ", "))
        Output.line("/picture", "\(count) request")
        try require(outcomes == [.miss, .hit] && count == 1, "the second response is from the cache")
    }

    func session() async throws {
        let jar = CookieJar()
        var configuration = Self.configuration
        configuration.cookies = jar
        let dispatcher = URLRequestDispatcher(configuration: configuration)
        var login = URLRequest(url: site.api.url("/session"), method: .post)
        login.setFormBody(["user": "ada", "password": "lovelace"])
        // The cookie of the redirect is sent with the page behind it.
        let welcome = try await dispatcher.data(for: login).decodeString()
        let later = try await dispatcher.data(from: site.api.url("/account")).decodeString()
        jar.removeAll()
        let loggedOut = try await dispatcher.data(from: site.api.url("/account")).statusCode
        await dispatcher.shutdown()

        Output.line("POST /session", "303, then \(welcome)")
        Output.line("GET /account", later)
        Output.line("without the cookie", "\(loggedOut.rawValue)")
        try require(welcome == "Ada" && later == "Ada", "the session is kept")
        try require(loggedOut == .unauthorized, "a wiped jar has no session")
    }

    func refresh() async throws {
        let api = site.api
        let login = URLRequestDispatcher(configuration: Self.configuration)
        let authentication = try AuthenticationPolicy<String>(
            origins: [api.baseURL],
            credential: "expired",
            apply: { $1.setValue("Bearer \($0)", forHTTPHeaderField: "Authorization") },
            refresh: { _ in try await login.data(from: api.url("/login")).decodeString() }
        )
        let dispatcher = URLRequestDispatcher(configuration: Self.configuration, interceptors: [authentication])
        let statusCodes = try await withThrowingTaskGroup(of: StatusCode.self) { group in
            for _ in 0..<20 { group.addTask { try await dispatcher.data(from: api.url("/private")).statusCode } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        await dispatcher.shutdown()
        await login.shutdown()

        let refreshes = api.requests(for: "/login").count
        Output.line("responses", "\(statusCodes.filter { $0 == .ok }.count) × 200")
        Output.line("/private", "\(api.requests(for: "/private").count) requests, some of them with the old token")
        Output.line("/login", "\(refreshes) refresh")
        try require(statusCodes == Array(repeating: .ok, count: 20), "every request is answered")
        try require(refreshes == 1, "one refresh is enough")
    }
}
