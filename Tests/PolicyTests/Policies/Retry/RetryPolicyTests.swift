import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

/// The policy around a mock whose clock the test moves.
@Suite(.timeLimit(.generous)) struct RetryPolicyTests {
    struct Odd: Error {}

    static let steady = Backoff(jitter: .none)

    let clock = ManualClock()

    func dispatcher(_ answers: [MockAnswer], _ policy: RetryPolicy) -> (URLRequestDispatcher, MockTransport) {
        let transport = MockTransport(answers: answers, clock: clock)
        return (URLRequestDispatcher(interceptors: [policy], transport: transport), transport)
    }

    /// Waits until a call sleeps until a time, and moves the clock there.
    func pass(_ time: Duration, from start: Duration = .zero) async {
        await clock.sleeper(until: time)
        clock.advance(by: time - start)
    }

    @Test func aFailureIsSentAgainAfterTheBackoff() async throws {
        let (dispatcher, transport) = dispatcher(
            [
                MockAnswer(.serviceUnavailable), .failure(TransportError(.connectionLost)),
                MockAnswer(.ok, body: "hello"),
            ],
            RetryPolicy(backoff: Self.steady)
        )
        async let response = dispatcher.data(for: Fixture.request)
        await clock.sleeper(until: .milliseconds(250))
        #expect(transport.requests.count == 1)
        clock.advance(by: .milliseconds(250))
        await pass(.milliseconds(750), from: .milliseconds(250))
        #expect(try await response.data == Data("hello".utf8))
        #expect(
            try await response.attempts == [
                .first, Attempt(number: 2, cause: .status(.serviceUnavailable)),
                Attempt(number: 3, cause: .failure(.connectionLost)),
            ]
        )
        #expect(transport.requests.count == 3)
    }

    @Test func theLastResponseIsReturned() async throws {
        let answers = [
            MockAnswer(.serviceUnavailable), MockAnswer(.badGateway), MockAnswer(.gatewayTimeout, body: "late"),
        ]
        let (dispatcher, _) = dispatcher(answers, RetryPolicy(backoff: Backoff(base: .zero)))
        let response = try await dispatcher.data(for: Fixture.request)
        #expect(response.statusCode == .gatewayTimeout)
        #expect(response.data == Data("late".utf8))
        #expect(response.attempts.count == 3)
    }

    @Test func theLastErrorListsTheAttempts() async throws {
        let answers = [MockAnswer(.serviceUnavailable), .failure(TransportError(.cannotConnect))]
        let (dispatcher, _) = dispatcher(answers, RetryPolicy(retries: 1, backoff: Backoff(base: .zero)))
        let error = await #expect(throws: TransportError.self) { try await dispatcher.data(for: Fixture.request) }
        #expect(error?.code == .cannotConnect)
        #expect(error?.attempts == [.first, Attempt(number: 2, cause: .status(.serviceUnavailable))])
        // The first attempt was answered.
        #expect(error?.isSafeToRetry == false)
    }

    @Test func aPostIsNotSentAgain() async throws {
        for answer in [MockAnswer(.serviceUnavailable), .failure(TransportError(.connectionLost))] {
            let (dispatcher, transport) = dispatcher([answer, MockAnswer(.ok)], RetryPolicy())
            let request = URLRequest(url: Fixture.url, method: .post)
            _ = try? await dispatcher.data(for: request)
            #expect(transport.requests.count == 1)
        }
    }

    @Test func aPostWithAKeyIsSentAgain() async throws {
        let (dispatcher, transport) = dispatcher(
            [MockAnswer(.serviceUnavailable), MockAnswer(.ok)],
            RetryPolicy(backoff: Backoff(base: .zero))
        )
        var request = URLRequest(url: Fixture.url, method: .post)
        request.httpBody = Data("order".utf8)
        request.setValue("7", forHTTPHeaderField: "idempotency-key")
        #expect(try await dispatcher.data(for: request).statusCode == .ok)
        #expect(transport.requests.map(\.body) == [Data("order".utf8), Data("order".utf8)])
    }

    @Test func aPostThatWasNotProcessedIsSentAgain() async throws {
        let answers: [MockAnswer] = [
            .failure(TransportError(.cannotConnect)), .failure(TransportError(.http2, isSafeToRetry: true)),
            MockAnswer(.ok),
        ]
        let (dispatcher, transport) = dispatcher(answers, RetryPolicy(backoff: Backoff(base: .zero)))
        let response = try await dispatcher.data(for: URLRequest(url: Fixture.url, method: .post))
        #expect(response.statusCode == .ok)
        #expect(transport.requests.count == 3)
    }

    @Test func moreMethodsCanBeIdempotent() async throws {
        var policy = RetryPolicy(backoff: Backoff(base: .zero))
        policy.idempotentMethods.insert(HTTPMethod("PROPFIND"))
        let (dispatcher, _) = dispatcher([MockAnswer(.serviceUnavailable), MockAnswer(.ok)], policy)
        let response = try await dispatcher.data(for: URLRequest(url: Fixture.url, method: HTTPMethod("PROPFIND")))
        #expect(response.statusCode == .ok)
    }

    @Test func aRequestAfterARedirectIsNotSafe() async throws {
        let answers = [
            MockAnswer(.seeOther, headers: ["Location": "/order/1"]), .failure(TransportError(.cannotConnect)),
            MockAnswer(.ok),
        ]
        let (dispatcher, transport) = dispatcher(answers, RetryPolicy(backoff: Backoff(base: .zero)))
        let error = await #expect(throws: TransportError.self) {
            try await dispatcher.data(for: URLRequest(url: Fixture.url, method: .post))
        }
        #expect(error?.code == .cannotConnect)
        #expect(error?.isSafeToRetry == false)
        #expect(transport.requests.map(\.method) == ["POST", "GET"])
    }

    @Test func errorsOfOthersAreNotRetried() async throws {
        let (dispatcher, transport) = dispatcher([.failure(Odd()), MockAnswer(.ok)], RetryPolicy())
        await #expect(throws: Odd.self) { try await dispatcher.data(for: Fixture.request) }
        #expect(transport.requests.count == 1)
    }

    @Test func aValidationInsideMakesAnErrorThatCountsAsItsResponse() async throws {
        let answers = [
            MockAnswer(.serviceUnavailable, headers: ["Retry-After": "3"]), MockAnswer(.ok), MockAnswer(.notFound),
        ]
        let transport = MockTransport(answers: answers, clock: clock)
        let dispatcher = URLRequestDispatcher(interceptors: [RetryPolicy(), Validation.default], transport: transport)
        async let response = dispatcher.data(for: Fixture.request)
        await pass(.seconds(3))
        #expect(try await response.attempts.last?.cause == .status(.serviceUnavailable))
        await #expect(throws: UnacceptableResponseError.self) { try await dispatcher.data(for: Fixture.request) }
        #expect(transport.requests.count == 3)
    }

    // MARK: Time

    @Test func retryAfterIsWaitedFor() async throws {
        let answers = [MockAnswer(.tooManyRequests, headers: ["Retry-After": "17"]), MockAnswer(.ok)]
        let (dispatcher, transport) = dispatcher(answers, RetryPolicy())
        async let response = dispatcher.data(for: Fixture.request)
        await clock.sleeper(until: .seconds(17))
        clock.advance(by: .milliseconds(16_999))
        #expect(transport.requests.count == 1)
        clock.advance(by: .milliseconds(1))
        #expect(try await response.statusCode == .ok)
    }

    @Test func aDateInRetryAfterIsWaitedFor() async throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let answers = [
            MockAnswer(.serviceUnavailable, headers: ["Retry-After": date, "Date": "Sun, 06 Nov 1994 08:49:32 GMT"]),
            MockAnswer(.serviceUnavailable, headers: ["Retry-After": date]), MockAnswer(.ok),
        ]
        var policy = RetryPolicy()
        policy.currentDate = { Date(timeIntervalSince1970: 784_111_777 - 9) }
        let (dispatcher, _) = dispatcher(answers, policy)
        async let response = dispatcher.data(for: Fixture.request)
        await pass(.seconds(5))
        await pass(.seconds(14), from: .seconds(5))
        #expect(try await response.statusCode == .ok)
    }

    @Test func aLongRetryAfterIsReturnedAtOnce() async throws {
        let answers = [MockAnswer(.tooManyRequests, headers: ["Retry-After": "61"], body: "later"), MockAnswer(.ok)]
        let (dispatcher, transport) = dispatcher(answers, RetryPolicy())
        let response = try await dispatcher.data(for: Fixture.request)
        #expect(response.statusCode == .tooManyRequests)
        #expect(response.data == Data("later".utf8))
        #expect(response.attempts == [.first])
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: [["Retry-After": "10"], [:]] as [HTTPHeaderFields])
    func whatDoesNotFitBeforeTheDeadlineIsReturnedAtOnce(_ headers: HTTPHeaderFields) async throws {
        let transport = MockTransport(
            answers: [MockAnswer(.badGateway, headers: headers), MockAnswer(.ok)],
            clock: clock
        )
        var configuration = URLRequestDispatcher.Configuration()
        configuration.timeouts.total = .seconds(10)
        let policy = RetryPolicy(backoff: Backoff(base: .seconds(10), jitter: .none))
        let dispatcher = URLRequestDispatcher(
            configuration: configuration,
            interceptors: [policy],
            transport: transport
        )
        #expect(try await dispatcher.data(for: Fixture.request).statusCode == .badGateway)
        #expect(transport.requests.count == 1)
    }

    @Test func cancellationEndsTheWait() async throws {
        let (dispatcher, transport) = dispatcher([MockAnswer(.badGateway)], RetryPolicy(backoff: Self.steady))
        let call = Task { try await dispatcher.data(for: Fixture.request) }
        await clock.sleeper(until: .milliseconds(250))
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(clock.deadlines.isEmpty)
        #expect(transport.requests.count == 1)
    }

    @Test func shuttingDownEndsTheWait() async throws {
        let (dispatcher, _) = dispatcher([MockAnswer(.badGateway)], RetryPolicy(backoff: Self.steady))
        let call = Task { try await dispatcher.data(for: Fixture.request) }
        await clock.sleeper(until: .milliseconds(250))
        dispatcher.invalidateAndCancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    // MARK: The limit of an attempt

    @Test func anAttemptThatTakesTooLongIsSentAgain() async throws {
        let (dispatcher, transport) = dispatcher(
            [.hang, MockAnswer(.ok)],
            RetryPolicy(backoff: Backoff(base: .zero), attemptTimeout: .seconds(3))
        )
        async let response = dispatcher.data(for: Fixture.request)
        _ = try await transport.requests(atLeast: 1)
        await pass(.seconds(3))
        #expect(try await response.attempts.last?.cause == .failure(.timeout(.attempt)))
        #expect(transport.requests.count == 2)
    }

    @Test func aPostThatTakesTooLongIsNotSentAgain() async throws {
        let (dispatcher, transport) = dispatcher([.hang, MockAnswer(.ok)], RetryPolicy(attemptTimeout: .seconds(3)))
        let call = Task { try await dispatcher.data(for: URLRequest(url: Fixture.url, method: .post)) }
        _ = try await transport.requests(atLeast: 1)
        await pass(.seconds(3))
        let error = await #expect(throws: TransportError.self) { try await call.value }
        #expect(error?.code == .timeout(.attempt))
        #expect(error?.isSafeToRetry == false)
        #expect(error?.request?.url == Fixture.url)
        #expect(transport.requests.count == 1)
        #expect(transport.exchangeCount == 0)
    }

    @Test func aStreamsBodyDoesNotCountTowardTheLimit() async throws {
        let answer = MockAnswer(.ok, pieces: ["one", .init("two", after: .seconds(10))], after: .seconds(2))
        let (dispatcher, _) = dispatcher([answer], RetryPolicy(attemptTimeout: .seconds(3)))
        async let response = dispatcher.stream(for: Fixture.request)
        await clock.sleeper(until: .seconds(2))
        clock.advance(by: .seconds(2))
        let body = try await response.data
        async let text = body.collect(upTo: 100)
        await clock.sleeper(until: .seconds(12))
        clock.advance(by: .seconds(10))
        #expect(try await text == Data("onetwo".utf8))
    }

    @Test func cancellingAnAttemptWithALimitIsCancellation() async throws {
        let (dispatcher, transport) = dispatcher([.hang], RetryPolicy(attemptTimeout: .seconds(3)))
        let call = Task { try await dispatcher.data(for: Fixture.request) }
        await clock.sleeper(until: .seconds(3))
        _ = try await transport.requests(atLeast: 1)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.max)])
    func aLimitThatIsNoneIsIgnored(_ limit: Duration) async throws {
        let (dispatcher, _) = dispatcher([MockAnswer(.ok, after: .seconds(1))], RetryPolicy(attemptTimeout: limit))
        async let response = dispatcher.data(for: Fixture.request)
        await pass(.seconds(1))
        #expect(try await response.statusCode == .ok)
    }

    @Test func aResponseThatArrivesWhileItsAttemptIsCancelledIsNotLost() async throws {
        // On a busy machine, the attempt may be over before it has reached the transport.
        for limit in [1, 10, 100, 1000] {
            let cancelled = FirstOutcome<Void>()
            let transport = ScriptedTransport { request in
                await withTaskCancellationHandler {
                    await cancelled.value()
                } onCancel: {
                    cancelled.conclude(())
                }
                return .scripted(200, for: request)
            }
            let policy = RetryPolicy(attemptTimeout: .milliseconds(limit))
            let dispatcher = URLRequestDispatcher(interceptors: [policy], transport: transport)
            if try await dispatcher.data(for: Fixture.request).attempts == [.first] { return }
        }
        Issue.record("No attempt had the response")
    }

    // MARK: The budget

    @Test func withoutATokenNothingIsSentAgain() async throws {
        let answers = [MockAnswer](repeating: MockAnswer(.badGateway), count: 20)
        let policy = RetryPolicy(backoff: Backoff(base: .zero), budget: RetryBudget(ratio: 0.5, perSecond: 0))
        let (dispatcher, transport) = dispatcher(answers, policy)
        var attempts: [Int] = []
        for _ in 0..<6 { attempts.append(try await dispatcher.data(for: Fixture.request).attempts.count) }
        #expect(attempts == [1, 2, 1, 2, 1, 2])
        #expect(transport.requests.count == 9)
    }

    @Test func withoutABudgetEverythingIsSentAgain() async throws {
        let answers = [MockAnswer](repeating: MockAnswer(.badGateway), count: 90)
        let (dispatcher, transport) = dispatcher(answers, RetryPolicy(backoff: Backoff(base: .zero), budget: nil))
        for _ in 0..<30 { _ = try await dispatcher.data(for: Fixture.request) }
        #expect(transport.requests.count == 90)
    }

    // MARK: Decisions

    @Test func aFunctionDecides() async throws {
        let answers = [
            MockAnswer(.internalServerError), MockAnswer(.ok, body: "pending"), MockAnswer(.ok, body: "done"),
        ]
        let seen = Locked<[String]>([])
        let policy = RetryPolicy(backoff: Backoff(base: .zero)) { context in
            let body = (try? context.result.get().body).map { String(decoding: $0, as: UTF8.self) }
            seen.withLock {
                $0.append("\(context.attempts.count) \(context.statusCode?.rawValue ?? 0) \(body ?? "none")")
            }
            if context.statusCode == .internalServerError { return .retry() }
            return body == "pending" ? .retry(after: .seconds(5)) : .default
        }
        let (dispatcher, _) = dispatcher(answers, policy)
        async let response = dispatcher.data(for: Fixture.request)
        await pass(.seconds(5))
        #expect(try await response.data == Data("done".utf8))
        #expect(seen.withLock { $0 } == ["1 500 none", "2 200 pending", "3 200 done"])
    }

    @Test func aFunctionSeesErrors() async throws {
        let policy = RetryPolicy(backoff: Backoff(base: .zero)) { context in
            #expect(context.isIdempotent && context.request.url == Fixture.url && context.statusCode == nil)
            return context.error is Odd ? .retry() : .stop
        }
        let answers: [MockAnswer] = [.failure(Odd()), .failure(TransportError(.connectionLost)), MockAnswer(.ok)]
        let (dispatcher, transport) = dispatcher(answers, policy)
        let error = await #expect(throws: TransportError.self) { try await dispatcher.data(for: Fixture.request) }
        #expect(error?.code == .connectionLost)
        #expect(transport.requests.count == 2)
    }

    @Test func aFunctionCannotTakeTheStreamAway() async throws {
        let policy = RetryPolicy { context in
            #expect((try? context.result.get().stream) == nil)
            return .default
        }
        let (dispatcher, _) = dispatcher([MockAnswer(.ok, body: "hello")], policy)
        let response = try await dispatcher.stream(for: Fixture.request)
        #expect(try await response.data.collect(upTo: 10) == Data("hello".utf8))
    }

    @Test func contextsShowNoSecrets() {
        var request = URLRequest(url: Fixture.url("https://user:secret@example.com/?token=secret"))
        request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
        request.httpBody = Data("secret".utf8)
        let response = TransportResponse(head: Fixture.head(), body: Data("secret".utf8), urlRequest: request)
        let context = RetryContext(attempts: [.first], request: request, result: .success(response), isIdempotent: true)
        #expect(!Fixture.allTexts(of: context).contains("secret"))
        #expect(!Fixture.allTexts(of: RetryPolicy { _ in .stop }).contains("Function"))
    }
}
