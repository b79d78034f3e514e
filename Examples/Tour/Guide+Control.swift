import PiuPiuAsync
import PiuPiuTesting

/// Adds a token to each request.
private struct TokenAdapter: URLRequestAdapter {
    let token: String

    func adapt(urlRequest: URLRequest) async throws -> URLRequest {
        var request = urlRequest
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        return request
    }
}

extension Guide {
    func token() async throws {
        let dispatcher = URLRequestDispatcher(
            configuration: Self.configuration,
            requestAdapters: [TokenAdapter(token: "s3cret")]
        )
        _ = try await dispatcher.data(from: site.api.url("/mine"))
        let moved = try await dispatcher.data(from: site.api.url("/moved"))
        await dispatcher.shutdown()

        show("/mine", site.api)
        show("/moved", site.api)
        show("/elsewhere", site.other)
        for path in ["/mine", "/moved"] {
            let received = site.api.requests(for: path).last?.header("Authorization")
            try require(received == "Bearer s3cret", "the token reaches \(path)")
        }
        let elsewhere = site.other.requests(for: "/elsewhere")
        try require(elsewhere.count == 1 && moved.history.count == 1, "the redirect was followed")
        try require(elsewhere.first?.header("Authorization") == nil, "the token does not reach the other origin")
    }

    private func show(_ path: String, _ server: LoopbackServer) {
        let value = server.requests(for: path).last?.header("Authorization")
        Output.line(
            ":\(server.port)",
            "\(path) received " + (value.map { "Authorization: \($0)" } ?? "no Authorization")
        )
    }

    func timeout() async throws {
        var options = dispatcher.configuration.options
        options.timeouts.head = .milliseconds(200)
        let request = URLRequest(url: site.api.url("/silent"), method: .get)
        let start = ContinuousClock.now
        let error = try await failure { try await dispatcher.data(for: request, options: options) }
        let elapsed = start.duration(to: .now)
        Output.line("error", "\(error)")
        guard let error = error as? TransportError else { throw error }
        Output.line("code", error.code)
        Output.line("phase", error.code.timeoutPhase?.rawValue ?? "none")
        Output.line("after", Output.milliseconds(elapsed))
        try require(error.code == .timeout(.head), "the error names the phase")
        try require(elapsed >= .milliseconds(200), "it does not end too early")
    }

    func cancellation() async throws {
        let (api, dispatcher) = (site.api, dispatcher)
        let before = api.requests(for: "/silent").count
        let task = Task { try await dispatcher.data(from: api.url("/silent")) }
        await api.waitForRequests(before + 1, path: "/silent")
        let connections = api.openConnections
        let start = ContinuousClock.now
        task.cancel()
        let error = try await failure { try await task.value }
        let elapsed = start.duration(to: .now)
        Output.line("error", "\(type(of: error))")
        Output.line("after", Output.milliseconds(elapsed))
        try require(error is CancellationError, "cancelling ends in a CancellationError")
        let isClosed = await soon { await api.waitForOpenConnections(atMost: connections - 1) }
        try require(isClosed, "the connection is closed")
        Output.line("server", "saw the connection close")
    }

    func shutdown() async throws {
        await dispatcher.shutdown()
        let error = try await failure { try await dispatcher.data(from: site.api.url("/posts/1")) }
        Output.line("afterwards", "\(error)")
        guard let error = error as? TransportError else { throw error }
        Output.line("code", error.code)
        try require(error.code == .shutDown, "a later request is refused")
    }

    /// Waits for something, but not for long.
    private func soon(_ condition: @escaping @Sendable () async -> Bool) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { await condition() }
            group.addTask {
                try? await Task.sleep(for: .seconds(60))
                return false
            }
            let first = await group.next() ?? false
            group.cancelAll()
            return first
        }
    }
}
