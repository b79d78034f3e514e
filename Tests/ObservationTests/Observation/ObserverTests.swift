import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// What observers are told of calls, whatever the transport.
@Suite(.timeLimit(.generous))
struct ObserverTests {
    private let recorder = EventRecorder()
    private let request = Fixture.request

    private func dispatcher(
        interceptors: [any Interceptor] = [],
        observer: EventRecorder? = nil,
        _ script: @escaping ScriptedTransport.Script
    ) -> URLRequestDispatcher {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = [observer ?? recorder]
        return URLRequestDispatcher(
            configuration: configuration,
            interceptors: interceptors,
            transport: ScriptedTransport(script)
        )
    }

    @Test func aCallAndItsExchangeHaveAStartAndAnEnd() async throws {
        let dispatcher = dispatcher { .scripted(200, for: $0, body: "hello") }
        _ = try await dispatcher.data(for: request)
        #expect(recorder.state.texts == ["started", "1 exchange", "1 head 200", "1 over 200", "ended 200"])
        #expect(recorder.state.order.violations == [])
    }

    @Test func aFailureEndsBothWithItsName() async throws {
        let dispatcher = dispatcher { _ in throw TransportError(.timeout(.idle)) }
        await #expect(throws: TransportError.self) { try await dispatcher.data(for: request) }
        #expect(recorder.state.texts == ["started", "1 exchange", "1 over timeout(idle)", "ended timeout(idle)"])
    }

    @Test func anotherErrorIsNamedByItsType() async throws {
        struct Odd: Error {}
        let dispatcher = dispatcher(interceptors: [Throwing(error: Odd())]) { .scripted(200, for: $0) }
        await #expect(throws: Odd.self) { try await dispatcher.data(for: request) }
        #expect(recorder.state.texts == ["started", "ended Odd"])
    }

    @Test func aCancelledCallIsCancelled() async throws {
        let gate = Gate()
        let dispatcher = dispatcher { request in
            try await gate.wait()
            return .scripted(200, for: request)
        }
        let call = Task { try await dispatcher.data(for: request) }
        await gate.arrival()
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(recorder.state.texts == ["started", "1 exchange", "1 over cancelled", "ended cancelled"])
    }

    @Test func aRequestThatIsRefusedBeforeItBeginsIsNoCall() async throws {
        let dispatcher = dispatcher { .scripted(200, for: $0) }
        await dispatcher.shutdown()
        await #expect(throws: TransportError.self) { try await dispatcher.data(for: request) }
        #expect(recorder.state.texts == [])
    }

    @Test func redirectsAreExchangesOfTheSameCall() async throws {
        let dispatcher = dispatcher { request in
            guard request.urlRequest.url?.path == "/posts/1" else { return .scripted(200, for: request, body: "there") }
            return .scripted(302, for: request, headers: ["Location": "https://user:pl4nted@b.example/there?q=pl4nted"])
        }
        _ = try await dispatcher.data(for: request)
        #expect(
            recorder.state.texts == [
                "started", "1 exchange", "1 head 302", "1 over 302", "redirected 302 https://b.example/there",
                "2 exchange", "2 head 200", "2 over 200", "ended 200",
            ]
        )
        let second = try #require(recorder.state.events.last { $0.exchange != nil }?.exchange)
        #expect(second.redirectCount == 1)
        #expect(second.attempt == .first)
        #expect(second.location == "https://b.example/there")
        #expect(second.host == "b.example")
        #expect(second.port == 443)
        #expect(second.scheme == "https")
        #expect(second.call.location == "https://example.com/posts/1")
    }

    @Test func retriesAreAnnouncedAndTellTheirCause() async throws {
        let count = Locked(0)
        let retry = RetryPolicy(retries: 2, backoff: Backoff(base: .zero), budget: nil)
        let dispatcher = dispatcher(interceptors: [retry]) { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return .scripted(number == 1 ? 503 : 200, for: request)
        }
        _ = try await dispatcher.data(for: request)
        let texts = recorder.state.texts
        #expect(texts.prefix(4) == ["started", "1 exchange", "1 head 503", "1 over 503"])
        #expect(texts.dropFirst(4).first?.hasPrefix("retry status(") == true)
        #expect(texts.dropFirst(5) == ["2 exchange", "2 head 200", "2 over 200", "ended 200"])
        let attempts = recorder.state.events.compactMap(\.exchange?.attempt)
        #expect(attempts.first == .first)
        #expect(attempts.last == Attempt(number: 2, cause: .status(.serviceUnavailable)))
    }

    @Test func aStreamIsACallUntilItIsRead() async throws {
        let dispatcher = dispatcher { .scripted(200, for: $0, stream: ["a", "b"]) }
        let response = try await dispatcher.stream(for: request)
        #expect(recorder.state.texts == ["started", "1 exchange", "1 head 200"])
        #expect(try await response.data.collect(upTo: 10) == Data("ab".utf8))
        #expect(recorder.state.texts == ["started", "1 exchange", "1 head 200", "1 over 200", "ended 200"])
    }

    @Test func anAbandonedStreamIsCancelled() async throws {
        let dispatcher = dispatcher { .scripted(200, for: $0, stream: ["a", "b"]) }
        for try await _ in try await dispatcher.stream(for: request).data { break }
        #expect(await recorder.outline(of: 1).suffix(2) == ["1 over cancelled", "ended cancelled"])
        do { _ = try await dispatcher.stream(for: request) }
        #expect(await recorder.outline(of: 2).suffix(2) == ["1 over cancelled", "ended cancelled"])
    }

    @Test func aStreamThatFailsEndsWithItsError() async throws {
        let dispatcher = dispatcher { request in
            .scripted(200, for: request, stream: ["a"], failure: TransportError(.truncatedBody))
        }
        let body = try await dispatcher.stream(for: request).data
        await #expect(throws: TransportError.self) { try await body.collect(upTo: 10) }
        #expect(recorder.state.texts.suffix(2) == ["1 over truncatedBody", "ended truncatedBody"])
    }

    @Test func aDownloadIsOneCall() async throws {
        let dispatcher = dispatcher { .scripted(200, for: $0, stream: ["abc"]) }
        let folder = try DownloadFolder()
        for try await _ in dispatcher.download(for: request, to: folder["saved"]) {}
        #expect(await recorder.outline(of: 1) == ["started", "1 exchange", "1 head 200", "1 over 200", "ended 200"])
        #expect(recorder.state.order.violations == [])
    }

    @Test func aCallThatIsAnsweredWithoutAnExchangeHasNone() async throws {
        let dispatcher = dispatcher(interceptors: [Answering()]) { .scripted(200, for: $0) }
        _ = try await dispatcher.data(for: request)
        #expect(recorder.state.texts == ["started", "ended 204"])
    }

    @Test func anExchangeWithARequestOfAnInterceptorsOwnIsACallOfItsOwn() async throws {
        let dispatcher = dispatcher(interceptors: [Renewing()]) { .scripted(200, for: $0) }
        _ = try await dispatcher.data(for: request)
        let expected = ["started", "started", "1 exchange", "1 head 200", "1 over 200", "ended 200", "ended 200"]
        #expect(recorder.state.texts == expected)
        #expect(recorder.state.order.violations == [])
        #expect(recorder.state.order.openCallCount == 0)
    }

    @Test func observersSeeTheCallersTaskLocalValues() async throws {
        // One interceptor that is not prompt, so that the chain runs in a task of its own.
        let dispatcher = dispatcher(interceptors: [Passing()]) { .scripted(200, for: $0) }
        try await EventRecorder.$trace.withValue("caller") { _ = try await dispatcher.data(for: request) }
        #expect(Set(recorder.state.traces) == ["caller"])
    }

    @Test func headerFieldsAreMadeForEachExchangeAndReplaceThoseOfTheRequest() async throws {
        let sent = Locked<[URLRequest]>([])
        let recorder = EventRecorder { exchange in
            exchange.host == "example.com" ? ["traceparent": "\(exchange.number)", "x-list": "a", "X-List": "b"] : [:]
        }
        let dispatcher = dispatcher(observer: recorder) { request in
            sent.withLock { $0.append(request.urlRequest) }
            let trace = request.urlRequest.value(forHTTPHeaderField: "traceparent")
            guard trace != "stale" else { return .scripted(200, for: request) }
            let location = trace == "2" ? "https://b.example/" : "https://example.com/posts/2"
            return .scripted(302, for: request, headers: ["Location": location])
        }
        var request = request
        request.setValue("stale", forHTTPHeaderField: "Traceparent")
        _ = try await dispatcher.data(for: request)
        let requests = sent.withLock { $0 }
        #expect(requests.map { $0.value(forHTTPHeaderField: "traceparent") } == ["1", "2", "stale"])
        #expect(requests.map { $0.value(forHTTPHeaderField: "x-list") } == ["a,b", "a,b", nil])
    }

    @Test func aHeaderFieldThatMustNotBeSentIsRefused() async throws {
        let recorder = EventRecorder { _ in ["X-A": "a\r\nX-B: b"] }
        let dispatcher = URLRequestDispatcher.forTests { $0.observers = [recorder] }
        await expect(.invalidRequest) { try await dispatcher.data(for: request) }
        #expect(recorder.state.texts.suffix(2) == ["1 over invalidRequest", "ended invalidRequest"])
    }

    @Test func theRouteTemplateIsTheCalls() async throws {
        let dispatcher = dispatcher { .scripted(200, for: $0) }
        var options = dispatcher.configuration.options
        options.routeTemplate = "/posts/{id}"
        _ = try await dispatcher.data(for: request, options: options)
        #expect(recorder.state.events.allSatisfy { $0.call.routeTemplate == "/posts/{id}" })
    }

    @Test func nothingThatAnObserverGetsTellsASecret() async throws {
        let secret = SecretSearch.secret
        let dispatcher = dispatcher { request in
            guard request.urlRequest.url?.path == "/a" else { throw TransportError(.connectionLost) }
            return .scripted(307, for: request, headers: ["Location": "/b?token=\(secret)#\(secret)"])
        }
        var request = URLRequest(url: Fixture.url("https://user:\(secret)@a.example/a?token=\(secret)#\(secret)"))
        request.httpMethod = "POST"
        request.httpBody = Data(secret.utf8)
        request.setValue("Bearer \(secret)", forHTTPHeaderField: "Authorization")
        request.setValue("id=\(secret)", forHTTPHeaderField: "Cookie")
        await expect(.connectionLost) { try await dispatcher.data(for: request) }
        let events = recorder.state.events
        #expect(events.count == 8)
        for event in events {
            for value in [event, event.call, event.exchange as Any, event.kind] as [Any] {
                for showing in SecretSearch.showings(of: value) { #expect(!showing.tells, "\(showing.way)") }
            }
        }
    }
}

private struct Throwing: Interceptor {
    let error: any Error

    func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        throw error
    }
}

private struct Answering: Interceptor {
    func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        .scripted(204, for: request)
    }
}

private struct Passing: Interceptor {
    func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        try await next(request)
    }
}

/// Sends requests of its own instead of those it gets.
private struct Renewing: Interceptor {
    func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        try await next(TransportRequest(request.urlRequest, options: request.options))
    }
}
