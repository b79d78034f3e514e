import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// What bounds a whole call, and limits that are given for one call.
@Suite(.timeLimit(.generous)) struct CallLimitTests {
    /// Does not end before it is released, cancelled or not.
    private final class Hung: Interceptor, URLRequestAdapter {
        let isReached = Tally()
        let isCancelled = Tally()
        private let waiters = Locked<[CheckedContinuation<Void, Never>]?>([])

        func hang() async {
            isReached.add()
            await withTaskCancellationHandler {
                await withCheckedContinuation { waiter in
                    // It may be released before it gets here.
                    let isReleased = waiters.withLock { $0?.append(waiter) == nil }
                    if isReleased { waiter.resume() }
                }
            } onCancel: {
                isCancelled.add()
            }
        }

        func release() {
            let released = waiters.withLock { waiters in
                defer { waiters = nil }
                return waiters
            }
            for waiter in released ?? [] { waiter.resume() }
        }

        func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
            await hang()
            return .scripted(200, for: request)
        }

        func adapt(urlRequest: URLRequest) async throws -> URLRequest {
            await hang()
            return urlRequest
        }
    }

    private static func options(total: Duration) -> RequestOptions {
        RequestOptions(timeouts: Timeouts(total: total))
    }

    @Test(arguments: [true, false])
    func aHungInterceptorOrAdapterIsAbandonedAtTheTotalLimit(isAdapter: Bool) async throws {
        let hung = Hung()
        defer { hung.release() }
        let clock = ManualClock()
        let dispatcher = URLRequestDispatcher(
            configuration: .init(options: Self.options(total: .seconds(3))),
            interceptors: isAdapter ? [] : [hung],
            requestAdapters: isAdapter ? [hung] : [],
            transport: MockTransport(clock: clock) { _ in MockAnswer(.ok) }
        )
        let call = Task { try await dispatcher.data(for: Fixture.request) }
        await hung.isReached.reach(1)
        await clock.sleeper(until: .seconds(3))
        clock.advance(by: .seconds(3))
        let error = try await failure { try await call.value } as? TransportError
        #expect(error?.code == .timeout(.total))
        #expect("\(error as Any)".contains("example.com"))
        await hung.isCancelled.reach(1)
        // What was abandoned does not keep the dispatcher from being closed.
        await dispatcher.shutdown()
    }

    @Test func theTotalLimitHoldsInRealTimeToo() async throws {
        let hung = Hung()
        defer { hung.release() }
        let dispatcher = URLRequestDispatcher(
            interceptors: [hung],
            transport: ScriptedTransport { .scripted(200, for: $0) }
        )
        let error = try await failure {
            try await dispatcher.data(for: Fixture.request, options: Self.options(total: .milliseconds(20)))
        }
        #expect(TransportError.Code.timeout(.total) ~= error)
    }

    @Test func callsWithTheSameDeadlineShareALimit() async throws {
        let clock = ManualClock()
        let transport = MockTransport(clock: clock) { _ in MockAnswer(.ok, after: .seconds(2)) }
        let dispatcher = URLRequestDispatcher(transport: transport)
        var options = Self.options(total: .seconds(30))
        options.timeouts.idle = nil
        options.deadline = try #require(transport.clock).instant.advanced(by: .seconds(3))
        let first = Task { [options] in try await dispatcher.data(for: Fixture.request, options: options) }
        await clock.sleeper(until: .seconds(2))
        clock.advance(by: .seconds(2))
        _ = try await first.value
        let second = Task { [options] in try await dispatcher.data(for: Fixture.request, options: options) }
        await clock.sleeper(until: .seconds(3))
        clock.advance(by: .seconds(1))
        #expect(TransportError.Code.timeout(.total) ~= (try await failure { try await second.value }))
        let third = try await failure { [options] in
            try await dispatcher.data(for: Fixture.request, options: options)
        }
        #expect(TransportError.Code.timeout(.total) ~= third)
    }

    @Test(arguments: [Duration.seconds(1), .seconds(9)]) func theEarlierLimitApplies(total: Duration) async throws {
        let clock = ManualClock()
        let seen = Locked<ContinuousClock.Instant?>(nil)
        let transport = MockTransport(clock: clock) { _ in MockAnswer(.ok) }
        let seeing = Intercepting { request, next in
            seen.withLock { $0 = request.deadline }
            return try await next(request)
        }
        let dispatcher = URLRequestDispatcher(interceptors: [seeing], transport: transport)
        let start = try #require(transport.clock).instant
        var options = Self.options(total: total)
        options.deadline = start.advanced(by: .seconds(3))
        _ = try await dispatcher.data(for: Fixture.request, options: options)
        #expect(seen.withLock { $0 } == start.advanced(by: min(total, .seconds(3))))
        options.timeouts.total = nil
        options.deadline = start.advanced(by: .seconds(2_000_000_000))
        _ = try await dispatcher.data(for: Fixture.request, options: options)
        #expect(seen.withLock { $0 } == nil)
    }

    @Test func aResponseThatComesTooLateIsClosed() async throws {
        let isClosed = Tally()
        let hung = Hung()
        struct Late: Interceptor {
            let hung: Hung
            let isClosed: Tally

            func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
                await hung.hang()
                var response = TransportResponse.scripted(200, for: request)
                response.stream = ResponseBody(next: { nil }, cancel: { [isClosed] in isClosed.add() })
                return response
            }
        }
        let clock = ManualClock()
        let dispatcher = URLRequestDispatcher(
            configuration: .init(options: Self.options(total: .seconds(3))),
            interceptors: [Late(hung: hung, isClosed: isClosed)],
            transport: MockTransport(clock: clock) { _ in MockAnswer(.ok) }
        )
        let call = Task { try await dispatcher.stream(for: Fixture.request) }
        await hung.isReached.reach(1)
        await clock.sleeper(until: .seconds(3))
        clock.advance(by: .seconds(3))
        let error = try await failure { try await call.value }
        #expect(TransportError.Code.timeout(.total) ~= error)
        hung.release()
        await isClosed.reach(1)
    }

    @Test func cancellingReachesAnInterceptorThatHasALimit() async throws {
        let hung = Hung()
        let dispatcher = URLRequestDispatcher(
            configuration: .init(options: Self.options(total: .seconds(3000))),
            interceptors: [hung],
            transport: ScriptedTransport { .scripted(200, for: $0) }
        )
        let call = Task { try await dispatcher.data(for: Fixture.request) }
        await hung.isReached.reach(1)
        call.cancel()
        await hung.isCancelled.reach(1)
        hung.release()
        _ = await call.result
    }

    @Test func invalidatingAbandonsAnInterceptorThatHangs() async throws {
        let hung = Hung()
        defer { hung.release() }
        let dispatcher = URLRequestDispatcher(
            interceptors: [hung],
            transport: ScriptedTransport { .scripted(200, for: $0) }
        )
        let call = Task { try await dispatcher.data(for: Fixture.request) }
        await hung.isReached.reach(1)
        await dispatcher.shutdown(gracePeriod: .zero)
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    // MARK: Limits of one call

    @Test func eachKindOfCallTakesLimitsOfItsOwn() async throws {
        let transport = ScriptedTransport { .scripted(200, for: $0) }
        let dispatcher = URLRequestDispatcher(transport: transport)
        let folder = try DownloadFolder()
        let options = RequestOptions(maximumHead: 1234)
        var download = DownloadOptions()
        download.requestOptions = options
        _ = try await dispatcher.data(for: Fixture.request, options: options)
        _ = try await dispatcher.data(from: Fixture.url, options: options)
        _ = try await dispatcher.stream(for: Fixture.request, options: options)
        let post = URLRequest(url: Fixture.url, method: .post)
        _ = try await dispatcher.upload(for: post, from: .data(Data("a".utf8)), options: options).response()
        _ = try await dispatcher.download(for: Fixture.request, to: folder["a"], options: download).response()
        #expect(transport.requests.map(\.options.maximumHead) == Array(repeating: 1234, count: 5))
    }

    @Test func theTimeoutIntervalOfARequestIsItsIdleLimit() async throws {
        let transport = ScriptedTransport { .scripted(200, for: $0) }
        let dispatcher = URLRequestDispatcher(transport: transport)
        let folder = try DownloadFolder()
        var request = URLRequest(url: Fixture.url)
        request.timeoutInterval = 1.5
        _ = try await dispatcher.data(for: request)
        _ = try await dispatcher.stream(for: request)
        _ = try await dispatcher.download(for: request, to: folder["a"]).response()
        #expect(transport.requests.map(\.options.timeouts.idle) == Array(repeating: .seconds(1.5), count: 3))
        // Options for the call go before, and the default says nothing.
        let options = RequestOptions(timeouts: Timeouts(idle: .seconds(7)))
        _ = try await dispatcher.data(for: request, options: options)
        #expect(transport.requests.last?.options.timeouts.idle == .seconds(7))
        request.timeoutInterval = 60
        _ = try await dispatcher.data(for: request)
        #expect(transport.requests.last?.options.timeouts.idle == .seconds(60))
    }

    @Test(arguments: [TimeInterval.infinity, 1e300, .nan, -1, 0])
    func anyTimeoutIntervalCanBeTaken(interval: TimeInterval) async throws {
        let transport = ScriptedTransport { .scripted(200, for: $0) }
        let dispatcher = URLRequestDispatcher(transport: transport)
        var request = URLRequest(url: Fixture.url)
        request.timeoutInterval = interval
        _ = try await dispatcher.data(for: request)
        let idle = transport.requests.last?.options.timeouts.idle
        #expect(idle == (interval > 1 ? nil : .seconds(60)))
    }

    // MARK: Shutting down

    @Test func shutdownCancelsWhatIsLeftAfterTheGracePeriod() async throws {
        let clock = ManualClock()
        let transport = MockTransport(clock: clock) { _ in .hang }
        let dispatcher = URLRequestDispatcher(transport: transport)
        let call = Task { try await dispatcher.data(for: Fixture.request) }
        _ = try await transport.requests(atLeast: 1)
        let shutdown = Task { await dispatcher.shutdown(gracePeriod: .seconds(5)) }
        await clock.sleeper(until: .seconds(5))
        clock.advance(by: .seconds(5))
        await shutdown.value
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test func shutdownDoesNotWaitForAStreamThatNobodyReads() async throws {
        let clock = ManualClock()
        let transport = MockTransport(clock: clock) { _ in
            MockAnswer(.ok, pieces: ["a", .init("b", after: .seconds(9))])
        }
        let dispatcher = URLRequestDispatcher(transport: transport)
        let stream = try await dispatcher.stream(for: Fixture.request)
        let shutdown = Task { await dispatcher.shutdown(gracePeriod: .seconds(5)) }
        await clock.sleeper(until: .seconds(5))
        clock.advance(by: .seconds(5))
        await shutdown.value
        let error = try await failure { try await stream.data.collect(upTo: 100) }
        #expect(error is CancellationError)
    }

    @Test func shutdownReturnsAlthoughSomethingKeepsAStream() async throws {
        let clock = ManualClock()
        let transport = MockTransport(clock: clock) { _ in
            MockAnswer(.ok, pieces: ["a", .init("b", after: .seconds(1_000_000))])
        }
        let dispatcher = URLRequestDispatcher(transport: transport)
        // As a loop in top-level code leaves it: begun, not ended, and never released.
        var iterator = try await dispatcher.stream(for: Fixture.request).data.makeAsyncIterator()
        #expect(try await iterator.next() == Data("a".utf8))
        let shutdown = Task { await dispatcher.shutdown() }
        await clock.sleeper(until: .seconds(30))
        clock.advance(by: .seconds(30))
        await shutdown.value
        let error = try await failure { try await iterator.next() }
        #expect(error is CancellationError)
    }

    @Test(arguments: [nil, Duration.seconds(7)])
    func shutdownReturnsAlthoughSomethingIgnoresItsCancellation(_ period: Duration?) async throws {
        let clock = ManualClock()
        let hung = Hung()
        defer { hung.release() }
        let dispatcher = URLRequestDispatcher(transport: MockTransport(clock: clock) { _ in MockAnswer(.ok) })
        let folder = try DownloadFolder()
        var options = DownloadOptions()
        options.verify = { _ in await hung.hang() }
        let download = dispatcher.download(for: Fixture.request, to: folder["a"], options: options)
        let call = Task { try await download.response() }
        await hung.isReached.reach(1)
        let shutdown = Task {
            if let period { await dispatcher.shutdown(gracePeriod: period) } else { await dispatcher.shutdown() }
        }
        let grace = period ?? .seconds(30)
        await clock.sleeper(until: grace)
        clock.advance(by: grace)
        await clock.sleeper(until: grace + .seconds(5))
        clock.advance(by: .seconds(5))
        await shutdown.value
        hung.release()
        _ = await call.result
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(-5), .zero])
    func anyGracePeriodCanBeGiven(_ period: Duration) async throws {
        let transport = MockTransport(clock: ManualClock()) { _ in MockAnswer(.ok) }
        let dispatcher = URLRequestDispatcher(transport: transport)
        let stream = try await dispatcher.stream(for: Fixture.request)
        async let shutdown: Void = dispatcher.shutdown(gracePeriod: period)
        _ = try? await stream.data.collect(upTo: 100)
        await shutdown
    }

    @Test func shutdownEndsAtOnceWhereNothingIsUnderWay() async throws {
        let clock = ManualClock()
        let dispatcher = URLRequestDispatcher(transport: MockTransport(clock: clock) { _ in MockAnswer(.ok) })
        _ = try await dispatcher.data(for: Fixture.request)
        await dispatcher.shutdown(gracePeriod: .seconds(5))
    }
}
