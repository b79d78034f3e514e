import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

@Suite(.timeLimit(.generous)) struct AuthenticationPolicyTests {
    let service = TokenService()
    let url = TokenService.url

    func tokens(_ dispatcher: MockURLRequestDispatcher) -> [String] {
        dispatcher.transport.requests.map { $0["Authorization"] ?? "-" }
    }

    // MARK: Credentials and refusals

    @Test func aRequestGetsTheCredential() async throws {
        let dispatcher = service.dispatcher(try service.policy("token1"))
        let response = try await dispatcher.data(from: url)
        #expect(try response.decodeString() == "welcome")
        #expect(response.attempts == [.first])
        #expect(tokens(dispatcher) == ["Bearer token1"])
        #expect(service.refreshes.count == 0)
    }

    @Test func aRefusedRequestIsSentAgainWithANewCredential() async throws {
        let dispatcher = service.dispatcher(try service.policy())
        let response = try await dispatcher.data(from: url)
        #expect(response.statusCode == .ok)
        #expect(response.attempts == [.first, Attempt(number: 2, cause: .credentials)])
        #expect(tokens(dispatcher) == ["Bearer token0", "Bearer token1"])
        #expect(service.oldCredentials == ["token0"])
        #expect(try await dispatcher.data(from: url).attempts == [.first])
    }

    @Test func withoutACredentialARefreshComesFirst() async throws {
        let dispatcher = service.dispatcher(try service.policy(nil))
        #expect(try await dispatcher.data(from: url).statusCode == .ok)
        #expect(tokens(dispatcher) == ["Bearer token1"])
        #expect(service.oldCredentials == ["-"])
    }

    @Test func aRequestIsSentAgainOnce() async throws {
        let service = service
        let policy = try service.policy { _ in service.revoke() }
        let dispatcher = service.dispatcher(policy)
        let response = try await dispatcher.data(from: url)
        #expect(response.statusCode == .unauthorized)
        #expect(try response.decodeString() == "refused")
        #expect(tokens(dispatcher) == ["Bearer token0", "Bearer token1"])
        #expect(service.refreshes.count == 1)
    }

    @Test func everyKindOfCallIsSentAgain() async throws {
        let dispatcher = service.dispatcher(try service.policy())
        let folder = FileManager.default.temporaryDirectory.appending(path: "piupiu-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "body")
        try Data("file".utf8).write(to: file)

        let post = URLRequest("POST", url, body: "data")
        #expect(try await dispatcher.data(for: post).statusCode == .ok)
        service.revoke()
        let upload = URLRequest(url: url, method: .put)
        #expect(try await dispatcher.upload(for: upload, from: .file(file)).response().statusCode == .ok)
        service.revoke()
        let stream = try await dispatcher.stream(for: URLRequest(url: url))
        #expect(try await stream.data.collect(upTo: 100) == Data("welcome".utf8))
        #expect(stream.attempts.map(\.cause) == [.call, .credentials])
        service.revoke()
        let saved = folder.appending(path: "saved")
        let download = try await dispatcher.download(for: URLRequest(url: url), to: saved).response()
        #expect(download.attempts.map(\.cause) == [.call, .credentials])
        #expect(try Data(contentsOf: saved) == Data("welcome".utf8))

        let bodies = dispatcher.transport.requests.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(bodies == ["data", "data", "file", "file", "", "", "", ""])
        #expect(service.refreshes.count == 4)
    }

    @Test func aBodyThatCannotBeRepeatedIsNotSentAgain() async throws {
        let dispatcher = service.dispatcher(try service.policy())
        let chunks = AsyncStream<Data> {
            $0.yield(Data("once".utf8))
            $0.finish()
        }
        let response = try await dispatcher.upload(for: URLRequest(url: url, method: .post), from: .stream(chunks))
            .response()
        #expect(response.statusCode == .unauthorized)
        #expect(service.refreshes.count == 0)
        // The next request knows better.
        #expect(try await dispatcher.data(from: url).attempts == [.first])
        #expect(tokens(dispatcher) == ["Bearer token0", "Bearer token1"])
    }

    @Test func aRequestKeepsItsOwnCredentials() async throws {
        let dispatcher = service.dispatcher(try service.policy())
        let own = URLRequest("GET", url, headers: ["authorization": "Own x"])
        #expect(try await dispatcher.data(for: own).statusCode == .unauthorized)
        let inURL = Fixture.url("https://user:pw@a.example/page")
        #expect(try await dispatcher.data(from: inURL).statusCode == .unauthorized)
        #expect(tokens(dispatcher) == ["Own x", "-"])
        #expect(service.refreshes.count == 0)
    }

    @Test(arguments: [
        (401, "Bearer realm=\"x\", error=\"invalid_token\"", true), (401, "Bearer error = \"INVALID_TOKEN\"", true),
        (401, "Basic, Bearer error=invalid_token", true), (401, "Bearer", false),
        (401, "Bearer error=\"insufficient_scope\"", false), (403, "Bearer error=\"invalid_token\"", false),
    ])
    func aChallengeSaysWhetherTheTokenIsInvalid(_ status: Int, _ challenge: String, _ isInvalid: Bool) {
        let head = Fixture.head(StatusCode(rawValue: status), headers: ["WWW-Authenticate": challenge])
        #expect(AuthenticationPolicy<String>.isInvalidToken(head) == isInvalid)
    }

    @Test func theCallerDecidesWhatIsARefusal() async throws {
        let transport = MockTransport(answers: [MockAnswer(.forbidden), MockAnswer(.unauthorized)])
        let policy = try AuthenticationPolicy<Int>(
            origins: [url],
            credential: 0,
            field: "X-Key",
            isRefusal: { $0.statusCode == .forbidden },
            apply: { $1.setValue("\($0)", forHTTPHeaderField: "X-Key") },
            refresh: { ($0 ?? 0) + 1 }
        )
        let dispatcher = MockURLRequestDispatcher(transport: transport, interceptors: [policy])
        #expect(try await dispatcher.data(from: url).statusCode == .unauthorized)
        #expect(transport.requests.map { $0["X-Key"] } == ["0", "1"])
    }

    // MARK: Origins

    @Test func aForeignOriginGetsNothingAndItsRefusalMeansNothing() async throws {
        let dispatcher = service.dispatcher(try service.policy())
        #expect(try await dispatcher.data(from: TokenService.foreign).statusCode == .unauthorized)
        #expect(tokens(dispatcher) == ["-"])
        #expect(service.refreshes.count == 0)
    }

    @Test func theCredentialDoesNotFollowARedirectToAForeignOrigin() async throws {
        let service = service
        let transport = MockTransport { request in
            if request.path == "/away" { return MockAnswer(.found, headers: ["Location": "https://b.example/page"]) }
            return service.answer(request)
        }
        let dispatcher = MockURLRequestDispatcher(transport: transport, interceptors: [try service.policy("token1")])
        let response = try await dispatcher.data(from: Fixture.url("https://a.example/away"))
        #expect(response.statusCode == .unauthorized)
        #expect(tokens(dispatcher) == ["Bearer token1", "-"])
        #expect(service.refreshes.count == 0)
    }

    @Test func aRedirectToAListedOriginGetsTheCredential() async throws {
        let service = service
        let transport = MockTransport { request in
            if request.url.host() == "b.example" {
                return MockAnswer(.found, headers: ["Location": "https://a.example/page"])
            }
            return service.answer(request)
        }
        let dispatcher = MockURLRequestDispatcher(transport: transport, interceptors: [try service.policy("token0")])
        let response = try await dispatcher.data(from: TokenService.foreign)
        #expect(response.statusCode == .ok)
        #expect(tokens(dispatcher) == ["-", "Bearer token0", "Bearer token1"])
        #expect(response.attempts.map(\.cause) == [.call, .credentials])
    }

    @Test func attemptsBeforeARedirectAreCounted() async throws {
        let service = service
        let transport = MockTransport { request in
            guard request.path == "/first" else { return MockAnswer(.ok) }
            let answer = service.answer(request)
            return answer.statusCode == .ok ? MockAnswer(.found, headers: ["Location": "/second"]) : answer
        }
        let dispatcher = MockURLRequestDispatcher(transport: transport, interceptors: [try service.policy()])
        let response = try await dispatcher.data(from: Fixture.url("https://a.example/first"))
        #expect(response.attempts.map(\.cause) == [.call, .credentials])
        #expect(tokens(dispatcher) == ["Bearer token0", "Bearer token1", "Bearer token1"])
    }

    @Test func aClosureCannotSendTheCredentialElsewhere() async throws {
        let policy = try AuthenticationPolicy<Int>(
            origins: [url],
            credential: 0,
            apply: { $1.url = Fixture.url("https://b.example/?key=\($0)") },
            refresh: { _ in 0 }
        )
        let dispatcher = service.dispatcher(try service.policy())
        let broken = MockURLRequestDispatcher(transport: MockTransport(answers: []), interceptors: [policy])
        let error = try await failure { try await broken.data(from: url) }
        #expect(TransportError.Code.invalidRequest ~= error)
        #expect(broken.transport.requests.isEmpty)
        _ = dispatcher
    }

    @Test func theErrorOfAClosureReachesTheCaller() async throws {
        let policy = try AuthenticationPolicy<Int>(
            origins: [url],
            credential: 0,
            apply: { _, _ in throw TokenService.Down() },
            refresh: { _ in 0 }
        )
        let dispatcher = MockURLRequestDispatcher(transport: MockTransport(answers: []), interceptors: [policy])
        #expect(try await failure { try await dispatcher.data(from: url) } is TokenService.Down)
        #expect(dispatcher.transport.requests.isEmpty)
    }

    // MARK: Expiry

    @Test func aCredentialIsRenewedInTheBackgroundBeforeItExpires() async throws {
        let clock = ManualClock()
        let gate = Gate()
        let policy = try service.policy("token1", lifetime: .init(duration: .seconds(60))) { _ in try await gate.wait()
        }
        let dispatcher = service.dispatcher(policy, clock: clock)
        #expect(try await dispatcher.data(from: url).statusCode == .ok)
        clock.advance(by: .seconds(49))
        _ = try await dispatcher.data(from: url)
        #expect(service.refreshes.count == 0)
        clock.advance(by: .seconds(1))
        _ = try await dispatcher.data(from: url)
        await service.refreshes.reach(1)
        // Requests use the old one meanwhile.
        _ = try await dispatcher.data(from: url)
        gate.open()
        while policy.state.withLock({ $0.machine.generation }) == 0 { await Task.yield() }
        clock.advance(by: .seconds(49))
        #expect(try await dispatcher.data(from: url).attempts == [.first])
        #expect(service.refreshes.count == 1)
    }

    @Test func aRenewalThatFailsFailsNoRequest() async throws {
        let clock = ManualClock()
        let policy = try service.policy("token1", lifetime: .init(duration: .seconds(60))) { _ in
            throw TokenService.Down()
        }
        let dispatcher = service.dispatcher(policy, clock: clock)
        _ = try await dispatcher.data(from: url)
        clock.advance(by: .seconds(50))
        for _ in 0..<10 { #expect(try await dispatcher.data(from: url).statusCode == .ok) }
        while policy.state.withLock({ $0.machine.refreshNumber }) != nil { await Task.yield() }
        for _ in 0..<10 { #expect(try await dispatcher.data(from: url).statusCode == .ok) }
        #expect(service.refreshes.count == 1)
        clock.advance(by: .seconds(10))
        #expect(try await failure { try await dispatcher.data(from: url) } is TokenService.Down)
    }

    @Test func aRefusedCredentialIsRefreshedWhateverItsLifetime() async throws {
        let clock = ManualClock()
        let policy = try service.policy("token0", lifetime: .init(duration: .seconds(60)))
        let dispatcher = service.dispatcher(policy, clock: clock)
        #expect(try await dispatcher.data(from: url).statusCode == .ok)
        clock.advance(by: .seconds(59))
        _ = try await dispatcher.data(from: url)
        #expect(try await dispatcher.data(from: url).statusCode == .ok)
    }

    // MARK: The refused body

    @Test func theRefusedBodyIsOverBeforeTheRefresh() async throws {
        // Longer than what is read, and never ending.
        let clock = ManualClock()
        let pieces = [Int](repeating: 0, count: 100).map { _ in MockAnswer.Piece(Data(count: 1000)) }
        for endless in [
            MockAnswer(.unauthorized, pieces: pieces, ending: .hang), MockAnswer(.unauthorized, body: "short"),
        ] {
            let service = TokenService()
            let transport = MockTransport(answers: [endless, MockAnswer(.ok, body: "welcome")], clock: clock)
            let open = Locked<Int?>(nil)
            let policy = try service.policy { _ in
                while transport.exchangeCount > 0 { await Task.yield() }
                open.withLock { $0 = transport.exchangeCount }
            }
            let dispatcher = MockURLRequestDispatcher(transport: transport, interceptors: [policy])
            let response = try await dispatcher.stream(for: URLRequest(url: url))
            #expect(try await response.data.collect(upTo: 100) == Data("welcome".utf8))
            #expect(open.withLock { $0 } == 0)
        }
    }

    // MARK: Secrets

    @Test func nothingShowsTheCredential() async throws {
        let secret = SecretSearch.secret
        let policy = try AuthenticationPolicy<String>(
            origins: [url],
            credential: secret,
            field: "X-Secret-Key",
            apply: { $1.setValue($0, forHTTPHeaderField: "X-Secret-Key") },
            refresh: { _ in secret }
        )
        let transport = MockTransport(answers: [MockAnswer(.ok, body: "too long")], afterLast: .fail)
        let dispatcher = MockURLRequestDispatcher(transport: transport, interceptors: [policy])
        let options = RequestOptions(maximumBufferedBody: 1)
        let request = URLRequest(url: url)
        let error = try await failure { try await dispatcher.core.data(for: request, options: options) }
        #expect(transport.requests.first?["X-Secret-Key"] == secret)
        #expect((error as? TransportError)?.request?.value(forHTTPHeaderField: "X-Secret-Key") == Redaction.placeholder)
        let values: [Any] = [policy, AuthenticationError(.refreshTimedOut), error]
        for value in values {
            for showing in SecretSearch.showings(of: value) {
                #expect(!showing.tells, "\(showing.way): \(showing.text)")
            }
        }
    }
}

extension Task where Success == Void, Failure == Never {
    /// Starts a task that is not cancelled with the current one.
    static func immediateOrNot(_ body: @escaping @Sendable () async -> Void) {
        _ = Task { await body() }
    }
}
