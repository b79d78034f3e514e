import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync
@testable import PiuPiuValues

struct URLRequestDispatcherTests {
    /// Waits at a gate before it goes on, and notices when it is cancelled.
    private struct Hold: Interceptor {
        let gate: Gate

        func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
            try await gate.wait()
            return try await next(request)
        }
    }

    private struct Pass: Interceptor {
        func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
            try await next(request)
        }
    }

    private static func ok() -> ScriptedTransport {
        ScriptedTransport { .scripted(200, for: $0, body: "hello") }
    }

    private static func waiting(at gate: Gate) -> ScriptedTransport {
        ScriptedTransport { request in
            try await gate.wait()
            return .scripted(200, for: request)
        }
    }

    // MARK: What is sent

    @Test func aResponseComesBack() async throws {
        let transport = Self.ok()
        let dispatcher = URLRequestDispatcher(transport: transport)
        let response = try await dispatcher.data(for: Fixture.request)
        #expect(response.statusCode == .ok)
        #expect(response.data == Data("hello".utf8))
        #expect(transport.requests.count == 1)
        #expect(transport.requests.first?.urlRequest == Fixture.request)
        #expect(try await dispatcher.data(from: Fixture.url).data == Data("hello".utf8))
    }

    @Test func errorStatusesAreResponses() async throws {
        let transport = ScriptedTransport { .scripted(503, for: $0) }
        let dispatcher = URLRequestDispatcher(transport: transport)
        let response = try await dispatcher.data(for: Fixture.request)
        #expect(response.httpError == .serverError(.serviceUnavailable))
    }

    @Test func additionalHeadersFillGapsOnly() async throws {
        let transport = Self.ok()
        let headers: HTTPHeaderFields = ["Accept": "text/html", "X-Client": "tests", "x-client": "again"]
        let configuration = URLRequestDispatcher.Configuration(additionalHeaders: headers)
        let dispatcher = URLRequestDispatcher(configuration: configuration, transport: transport)
        var request = Fixture.request
        request.setValue("application/json", forHTTPHeaderField: "accept")
        _ = try await dispatcher.data(for: request)
        let sent = try #require(transport.requests.first?.urlRequest)
        #expect(sent.value(forHTTPHeaderField: "Accept") == "application/json")
        #expect(sent.value(forHTTPHeaderField: "X-Client") == "tests,again")
        #expect(sent.allHTTPHeaderFields?.count == 2)
    }

    @Test func optionsOfACallReplaceTheConfigurations() async throws {
        let transport = Self.ok()
        var configuration = URLRequestDispatcher.Configuration()
        configuration.maximumBufferedBody = 10
        configuration.timeouts.total = .seconds(1_000)
        let dispatcher = URLRequestDispatcher(configuration: configuration, transport: transport)
        let before = ContinuousClock.now
        _ = try await dispatcher.data(for: Fixture.request)
        var options = configuration.options
        options.maximumBufferedBody = 20
        options.timeouts.total = nil
        _ = try await dispatcher.data(for: Fixture.request, options: options)
        let requests = transport.requests
        #expect(requests.map(\.options) == [configuration.options, options])
        let deadline = try #require(requests[0].deadline)
        #expect(deadline >= before.advanced(by: .seconds(1_000)))
        #expect(deadline <= .now.advanced(by: .seconds(1_000)))
        #expect(requests[1].deadline == nil)
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(1e20), .seconds(-1e20), .zero])
    func extremeTotalsDoNotTrap(_ total: Duration) async throws {
        let dispatcher = URLRequestDispatcher(transport: Self.ok())
        let options = RequestOptions(timeouts: Timeouts(total: total))
        #expect(try await dispatcher.data(for: Fixture.request, options: options).statusCode == .ok)
        // With interceptors, a timer of the dispatcher keeps the limit.
        let limited = URLRequestDispatcher(interceptors: [Pass()], transport: Self.ok())
        _ = try? await limited.data(for: Fixture.request, options: options)
    }

    @Test func errorsReachTheCallerAsTheyAre() async {
        struct Custom: Error, Equatable { var number: Int }
        let dispatcher = URLRequestDispatcher(transport: ScriptedTransport { _ in throw Custom(number: 7) })
        await #expect(throws: Custom(number: 7)) { try await dispatcher.data(for: Fixture.request) }
        let wrapped = URLRequestDispatcher(
            interceptors: [Pass()],
            transport: ScriptedTransport { _ in throw Custom(number: 8) }
        )
        await #expect(throws: Custom(number: 8)) { try await wrapped.data(for: Fixture.request) }
    }

    // On Linux, changing a request that has no URL ends the process.
    @Test func aRequestWithoutURLIsRefusedBeforeAnybodyChangesIt() async throws {
        var request = Fixture.request
        request.url = nil
        let configuration = URLRequestDispatcher.Configuration(additionalHeaders: ["X-Client": "tests"])
        let transport = Self.ok()
        let dispatcher = URLRequestDispatcher(configuration: configuration, transport: transport)
        let refused = request
        let error = try await #require(throws: TransportError.self) { try await dispatcher.data(for: refused) }
        #expect(error.code == .invalidURL)
        #expect(transport.requests.isEmpty)
        await dispatcher.shutdown()
    }

    @Test func redirectsAreFollowedUnlessThePolicyIsTakenAway() async throws {
        @Sendable func answer(_ request: TransportRequest) -> TransportResponse {
            request.urlRequest.url?.path() == "/new"
                ? .scripted(200, for: request) : .scripted(302, for: request, headers: ["Location": "/new"])
        }
        let following = URLRequestDispatcher(transport: ScriptedTransport { answer($0) })
        let response = try await following.data(for: Fixture.request)
        #expect(response.statusCode == .ok)
        #expect(response.history.map(\.target.absoluteString) == ["https://example.com/new"])
        let delivering = URLRequestDispatcher(
            configuration: .init(redirects: nil),
            transport: ScriptedTransport { answer($0) }
        )
        let redirect = try await delivering.data(for: Fixture.request)
        #expect(redirect.statusCode == .found)
        #expect(redirect.history.isEmpty)
    }

    @Test func aTransportThatCannotBeMadeThrowsFromEveryRequest() async {
        let error = TransportError(.libraryUnavailable)
        let dispatcher = URLRequestDispatcher(transport: UnavailableTransport(error: error))
        for _ in 0..<2 {
            await #expect(throws: TransportError.self) { try await dispatcher.data(for: Fixture.request) }
        }
        await dispatcher.shutdown()
    }

    // MARK: Cancelling

    @Test(arguments: [false, true])
    func cancellingTheCallerCancelsTheExchange(_ hasInterceptor: Bool) async {
        let gate = Gate()
        let transport = Self.waiting(at: gate)
        let dispatcher = URLRequestDispatcher(interceptors: hasInterceptor ? [Pass()] : [], transport: transport)
        let call = Task { try await dispatcher.data(for: Fixture.request) }
        await gate.arrival()
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(transport.exchangeCount == 0)
    }

    @Test(arguments: [false, true])
    func aCancelledTaskSendsNothing(_ hasInterceptor: Bool) async {
        let transport = Self.ok()
        let dispatcher = URLRequestDispatcher(interceptors: hasInterceptor ? [Pass()] : [], transport: transport)
        let start = Gate()
        let call = Task {
            try? await start.wait()
            return try await dispatcher.data(for: Fixture.request)
        }
        await start.arrival()
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(transport.requests.isEmpty)
    }

    // MARK: Ending

    @Test func shutdownWaitsForWhatRunsAndRefusesWhatComes() async throws {
        let gate = Gate()
        let transport = Self.waiting(at: gate)
        let dispatcher = URLRequestDispatcher(transport: transport)
        let call = Task { try await dispatcher.data(for: Fixture.request) }
        await gate.arrival()
        let ended = Locked(false)
        dispatcher.finishTasksAndInvalidate()
        let shutdown = Task {
            await dispatcher.shutdown()
            ended.withLock { $0 = true }
        }
        await #expect(throws: TransportError.self) { try await dispatcher.data(for: Fixture.request) }
        #expect(!ended.withLock { $0 })
        #expect(transport.invalidationCount == 0)
        #expect(transport.requests.count == 1)
        gate.open()
        #expect(try await call.value.statusCode == .ok)
        await shutdown.value
        #expect(transport.shutdownCount == 1)
        #expect(transport.exchangeCount == 0)
    }

    @Test func aRequestAfterTheShutdownIsRefused() async throws {
        let transport = Self.ok()
        let dispatcher = URLRequestDispatcher(interceptors: [Pass()], transport: transport)
        await dispatcher.shutdown()
        await dispatcher.shutdown()
        var request = Fixture.request
        request.setValue("hunter2", forHTTPHeaderField: "Authorization")
        let refused = request
        let error = try await #require(throws: TransportError.self) { try await dispatcher.data(for: refused) }
        #expect(error.code == .shutDown)
        #expect(error.request?.value(forHTTPHeaderField: "Authorization") == "<redacted>")
        #expect(transport.requests.isEmpty)
    }

    @Test func shutdownDoesNotEndWhenItsTaskIsCancelled() async throws {
        let gate = Gate()
        let dispatcher = URLRequestDispatcher(transport: Self.waiting(at: gate))
        let call = Task { try await dispatcher.data(for: Fixture.request) }
        await gate.arrival()
        let shutdown = Task { await dispatcher.shutdown() }
        shutdown.cancel()
        dispatcher.finishTasksAndInvalidate()
        gate.open()
        #expect(try await call.value.statusCode == .ok)
        await shutdown.value
    }

    @Test func finishingLetsTheTransportGoWithTheLastCall() async throws {
        let gate = Gate()
        let transport = Self.waiting(at: gate)
        let dispatcher = URLRequestDispatcher(transport: transport)
        let calls = (0..<3).map { _ in Task { try await dispatcher.data(for: Fixture.request) } }
        await gate.arrival(of: 3)
        dispatcher.finishTasksAndInvalidate()
        #expect(transport.invalidationCount == 0)
        gate.open()
        for call in calls { #expect(try await call.value.statusCode == .ok) }
        #expect(transport.invalidationCount == 1)
    }

    @Test func finishingWithNothingUnderWayLetsTheTransportGoAtOnce() {
        let transport = Self.ok()
        let dispatcher = URLRequestDispatcher(transport: transport)
        dispatcher.finishTasksAndInvalidate()
        dispatcher.finishTasksAndInvalidate()
        #expect(transport.invalidationCount == 1)
    }

    @Test func invalidatingCancelsWhatTheTransportDoes() async {
        let gate = Gate()
        let dispatcher = URLRequestDispatcher(transport: Self.waiting(at: gate))
        let call = Task { try await dispatcher.data(for: Fixture.request) }
        await gate.arrival()
        dispatcher.invalidateAndCancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        await #expect(throws: TransportError.self) { try await dispatcher.data(for: Fixture.request) }
        await dispatcher.shutdown()
    }

    @Test func invalidatingCancelsAnInterceptorThatWaitsForever() async {
        let gate = Gate()
        let transport = Self.ok()
        let dispatcher = URLRequestDispatcher(interceptors: [Hold(gate: gate)], transport: transport)
        let calls = (0..<3).map { _ in Task { try await dispatcher.data(for: Fixture.request) } }
        await gate.arrival(of: 3)
        dispatcher.invalidateAndCancel()
        for call in calls { await #expect(throws: CancellationError.self) { try await call.value } }
        #expect(transport.requests.isEmpty)
        await dispatcher.shutdown()
    }

    @Test func invalidatingBetweenTwoExchangesIsACancellationToo() async {
        // The dispatcher is invalidated while the redirect is answered, so that the next hop finds a closed transport.
        let invalidate = Locked<(@Sendable () -> Void)?>(nil)
        let transport = ScriptedTransport { request in
            invalidate.withLock { $0 }?()
            return .scripted(302, for: request, headers: ["Location": "/next"])
        }
        let dispatcher = URLRequestDispatcher(transport: transport)
        invalidate.withLock { $0 = { dispatcher.invalidateAndCancel() } }
        await #expect(throws: CancellationError.self) { try await dispatcher.data(for: Fixture.request) }
        #expect(transport.requests.count == 1)
        invalidate.withLock { $0 = nil }
    }

    @Test func finishingLetsRedirectsAndRetriesGoOn() async throws {
        let gate = Gate()
        let transport = ScriptedTransport { request in
            guard request.urlRequest.url?.path() != "/next" else { return .scripted(200, for: request) }
            try await gate.wait()
            return .scripted(302, for: request, headers: ["Location": "/next"])
        }
        let dispatcher = URLRequestDispatcher(transport: transport)
        let call = Task { try await dispatcher.data(for: Fixture.request) }
        await gate.arrival()
        dispatcher.finishTasksAndInvalidate()
        gate.open()
        #expect(try await call.value.statusCode == .ok)
        #expect(transport.invalidationCount == 1)
    }

    @Test(arguments: [false, true])
    func releasingTheDispatcherEndsWhatOutlivesIt(_ hasInterceptor: Bool) async throws {
        let gate = Gate()
        let transport = hasInterceptor ? Self.ok() : Self.waiting(at: gate)
        var dispatcher: URLRequestDispatcher? = URLRequestDispatcher(
            interceptors: hasInterceptor ? [Hold(gate: gate)] : [],
            transport: transport
        )
        weak let released = dispatcher
        let call = Task { [core = dispatcher?.core] in try await core?.data(for: Fixture.request) }
        await gate.arrival()
        dispatcher = nil
        let error = try await failure { try await call.value }
        #expect(TransportError.Code.shutDown ~= error, "\(error)")
        #expect((error as? TransportError)?.request != nil)
        #expect(released == nil)
        #expect(transport.invalidationCount >= 1)
    }

    @Test func aCallHoldsOnToTheDispatcher() async throws {
        let gate = Gate()
        var dispatcher: URLRequestDispatcher? = URLRequestDispatcher(transport: Self.waiting(at: gate))
        let call = Task { [dispatcher] in try await dispatcher?.data(for: Fixture.request) }
        await gate.arrival()
        dispatcher = nil
        gate.open()
        #expect(try await call.value?.statusCode == .ok)
    }

    // MARK: Races

    @Test func everyCallOfAStormEndsOnce() async {
        let transport = Self.ok()
        let dispatcher = URLRequestDispatcher(interceptors: [Pass()], transport: transport)
        let outcomes = await withTaskGroup(of: String.self) { group in
            for index in 0..<200 {
                group.addTask {
                    if index == 100 { dispatcher.invalidateAndCancel() }
                    do {
                        _ = try await dispatcher.data(for: Fixture.request)
                        return "response"
                    } catch is CancellationError {
                        return "cancelled"
                    } catch TransportError.Code.shutDown {
                        return "shut down"
                    } catch {
                        return "\(error)"
                    }
                }
            }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(Set(outcomes.keys).isSubset(of: ["response", "cancelled", "shut down"]))
        #expect(outcomes.values.reduce(0, +) == 200)
        #expect(outcomes["shut down", default: 0] >= 1)
        await dispatcher.shutdown()
        #expect(transport.exchangeCount == 0)
    }

    @Test func shutdownAndCallsRaceWithoutALoss() async {
        let transport = Self.ok()
        let dispatcher = URLRequestDispatcher(transport: transport)
        let answered = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<100 {
                group.addTask {
                    if index % 25 == 10 {
                        await dispatcher.shutdown()
                        return false
                    }
                    return await (try? dispatcher.data(for: Fixture.request)) != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        // A call that was accepted is answered; the others sent nothing.
        #expect(transport.requests.count == answered)
    }
}
