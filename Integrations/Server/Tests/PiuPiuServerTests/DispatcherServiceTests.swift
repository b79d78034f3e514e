import Logging
import PiuPiuAsync
import PiuPiuServer
import PiuPiuTesting
import ServiceLifecycle
import Testing

@Suite(.timeLimit(.minutes(2)))
struct DispatcherServiceTests {
    private let server: LoopbackServer
    private let dispatcher: URLRequestDispatcher

    init() throws {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.proxy = .none
        dispatcher = URLRequestDispatcher(configuration: configuration)
        server = try LoopbackServer()
        server.route("/held", .hold("gate"), .response(body: "held"))
        server.route("/ping", .response())
    }

    /// Starts a group with the service of the dispatcher.
    ///
    /// - Parameter gracePeriod: The service's grace period.
    /// - Returns: The group, and the task that runs it.
    private func start(gracePeriod: Duration) -> (group: ServiceGroup, running: Task<Void, any Error>) {
        let group = ServiceGroup(
            services: [DispatcherService(dispatcher, gracePeriod: gracePeriod)],
            logger: Logger(label: "test")
        )
        return (group, Task { try await group.run() })
    }

    /// Starts a request whose response the server holds back.
    private func startHeldRequest() async throws -> Task<Response<Data?>, any Error> {
        let request = Task { [dispatcher, url = server.url("/held")] in try await dispatcher.data(from: url) }
        try #require(await server.waitUntilHeld("gate"))
        return request
    }

    /// Sends requests until one is refused: graceful shutdown takes effect on another task.
    private func waitForRefusal() async {
        let error = await #expect(throws: TransportError.self) {
            while true { _ = try await dispatcher.data(from: server.url("/ping")) }
        }
        #expect(error?.code == .shutDown)
    }

    @Test func requestsInProgressFinishAndNewOnesAreRefused() async throws {
        let (group, running) = start(gracePeriod: .seconds(3600))
        let request = try await startHeldRequest()
        await group.triggerGracefulShutdown()
        await waitForRefusal()
        server.release("gate")
        #expect(try await request.value.data == Data("held".utf8))
        try await running.value
        #expect(await server.waitForOpenConnections(atMost: 0))
    }

    @Test func requestsThatOutlastTheGracePeriodAreCancelled() async throws {
        let (group, running) = start(gracePeriod: .milliseconds(50))
        let request = try await startHeldRequest()
        await group.triggerGracefulShutdown()
        await #expect(throws: CancellationError.self) { try await request.value }
        try await running.value
        #expect(await server.waitForOpenConnections(atMost: 0))
    }

    @Test func cancellingTheGroupCancelsRequests() async throws {
        let (_, running) = start(gracePeriod: .seconds(3600))
        let request = try await startHeldRequest()
        running.cancel()
        await #expect(throws: CancellationError.self) { try await request.value }
        _ = await running.result
        await waitForRefusal()
    }

    @Test func cancellingTheGroupCutsTheGracePeriodShort() async throws {
        let (group, running) = start(gracePeriod: .seconds(3600))
        let request = try await startHeldRequest()
        await group.triggerGracefulShutdown()
        await waitForRefusal()
        running.cancel()
        await #expect(throws: CancellationError.self) { try await request.value }
        _ = await running.result
    }

    @Test func theDispatcherOutlivesServicesThatUseIt() async throws {
        let caller = Caller(dispatcher: dispatcher, url: server.url("/ping"))
        let group = ServiceGroup(
            services: [DispatcherService(dispatcher), caller],
            logger: Logger(label: "test")
        )
        let running = Task { try await group.run() }
        await group.triggerGracefulShutdown()
        try await running.value
        #expect(server.requests(for: "/ping").count == 1)
    }
}

/// A service that sends a request after graceful shutdown was triggered.
private struct Caller: Service {
    let dispatcher: URLRequestDispatcher
    let url: URL

    func run() async throws {
        try await gracefulShutdown()
        _ = try await dispatcher.data(from: url)
    }
}
