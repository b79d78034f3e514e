import PiuPiuAsync
import PiuPiuTesting

/// Leads through all steps, one after the other.
struct Guide {
    private typealias Step = (title: String, call: String, run: @Sendable (Guide) async throws -> Void)

    private static let steps: [Step] = [
        ("GET, decoded from JSON", "try await dispatcher.data(from: url).decode(Post.self)", { try await $0.get() }),
        ("POST with a JSON body, echoed", "try request.setJSONBody(post)", { try await $0.post() }),
        ("Two requests at once", "async let posts = …; async let users = …", { try await $0.twoAtOnce() }),
        ("404 is a response", "response.httpError, response.validated()", { try await $0.notFound() }),
        ("A redirect, followed", "response.history", { try await $0.redirect() }),
        ("A token, at its origin and no other", "requestAdapters: [TokenAdapter(…)]", { try await $0.token() }),
        ("A retry", "interceptors: [RetryPolicy()]", { try await $0.retry() }),
        ("One refresh for twenty requests", "interceptors: [AuthenticationPolicy(…)]", { try await $0.refresh() }),
        ("A response from the cache", "interceptors: [ResponseCache(.memory(limit: …))]", { try await $0.cache() }),
        ("A login, kept by a cookie", "configuration.cookies = CookieJar()", { try await $0.session() }),
        ("A time limit", "options.timeouts.head = .milliseconds(200)", { try await $0.timeout() }),
        ("Cancellation", "task.cancel()", { try await $0.cancellation() }),
        ("Shutdown", "await dispatcher.shutdown()", { try await $0.shutdown() }),
    ]

    let site: Site
    let dispatcher: URLRequestDispatcher

    /// Runs the tour.
    ///
    /// - Returns: Whether everything was as it must be.
    static func run() async -> Bool {
        let site: Site
        do {
            site = try Site()
        } catch {
            Output.problem("The test servers cannot be started: \(error)")
            return false
        }
        defer { site.stop() }
        print("A tour of PiuPiu, against two servers of its own:")
        print("  \(site.api.baseURL) and \(site.other.baseURL)")
        let guide = Guide(site: site, dispatcher: URLRequestDispatcher(configuration: configuration))
        for (index, step) in steps.enumerated() {
            Output.heading(index + 1, step.title, step.call)
            do {
                try await step.run(guide)
            } catch {
                Output.problem("\nStep \(index + 1) (\(step.title)) failed: \(error)")
                await guide.dispatcher.shutdown()
                return false
            }
        }
        print("\nAll \(steps.count) steps were as they must be.")
        return true
    }

    /// What fits servers on this machine: no proxy, and a limit for everything.
    static var configuration: URLRequestDispatcher.Configuration {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.proxy = .none
        configuration.timeouts.total = .seconds(20)
        return configuration
    }
}
