import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync

/// The order of events if calls end before their work does, or transports and interceptors do unusual things.
@Suite(.timeLimit(.generous))
struct ObserverOrderTests {
    private let recorder = EventRecorder()
    private let request = Fixture.request

    private func dispatcher(
        interceptors: [any Interceptor] = [],
        _ script: @escaping ScriptedTransport.Script
    ) -> URLRequestDispatcher {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = [recorder]
        return URLRequestDispatcher(
            configuration: configuration,
            interceptors: interceptors,
            transport: ScriptedTransport(script)
        )
    }

    @Test func aSharedExchangeThatBeginsAfterItsCallEndedIsACallOfItsOwn() async throws {
        let (first, second) = (Gate(), Gate())
        let count = Locked(0)
        let coalescing = Coalescing()
        let retry = RetryPolicy(retries: 3, backoff: Backoff(base: .zero), budget: nil)
        let dispatcher = dispatcher(interceptors: [coalescing, retry]) { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1 {
                try await first.wait()
                return .scripted(503, for: request)
            }
            if number == 2 {
                return .scripted(302, for: request, headers: ["Location": "https://example.com/there"])
            }
            try await second.wait()
            return .scripted(200, for: request)
        }
        let leader = Task { try await dispatcher.data(for: request) }
        await first.arrival()
        let follower = Task { try await dispatcher.data(for: request) }
        while coalescing.waiterCount < 2 { await Task.yield() }
        leader.cancel()
        await #expect(throws: CancellationError.self) { try await leader.value }
        first.open()
        second.open()
        #expect(try await follower.value.statusCode == .ok)
        let texts = recorder.state.texts
        let events = recorder.state.events
        #expect(recorder.state.order.violations == [])
        #expect(recorder.state.order.openCallCount == 0)
        // Nothing of the first call begins after its end.
        let ends = Dictionary(
            events.enumerated().compactMap { index, event in
                if case .callEnded = event.kind { (event.call.id, index) } else { nil }
            },
            uniquingKeysWith: { first, _ in first }
        )
        for (index, event) in events.enumerated() {
            switch event.kind {
            case .exchangeStarted, .redirected, .retryPlanned:
                #expect(index < ends[event.call.id] ?? .max, "\(texts[index]) in \(texts)")
            default: break
            }
        }
        let redirected = try #require(events.last { $0.exchange != nil }?.exchange)
        #expect(redirected.redirectCount == 1)
    }

    @Test func workThatGoesOnAfterTheDeadlineBeginsNothing() async throws {
        let (gate, done) = (Gate(), Gate())
        let stubborn = Stubborn(gate: gate, done: done)
        var options = RequestOptions()
        options.timeouts.total = .milliseconds(1)
        let dispatcher = dispatcher(interceptors: [stubborn]) { .scripted(200, for: $0) }
        await expect(.timeout(.total)) { try await dispatcher.data(for: request, options: options) }
        gate.open()
        try await done.wait()
        #expect(recorder.state.texts == ["started", "ended timeout(total)"])
    }

    @Test func aBodyThatAnInterceptorReplacesEndsItsExchangeOnly() async throws {
        let dispatcher = dispatcher(interceptors: [Replacing()]) { .scripted(200, for: $0, stream: ["a", "b"]) }
        let body = try await dispatcher.stream(for: request).data
        #expect(try await body.collect(upTo: 10) == Data("other".utf8))
        #expect(recorder.state.texts == ["started", "1 exchange", "1 head 200", "1 over cancelled", "ended 200"])
    }

    @Test func aDownloadThatBeginsAgainIsOneCallWithTwoExchanges() async throws {
        let isFirst = Locked(true)
        let dispatcher = dispatcher { request in
            let fails = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            guard request.urlRequest.value(forHTTPHeaderField: "Range") == nil else {
                return .scripted(416, for: request, headers: ["Content-Range": "bytes */6"])
            }
            let headers: HTTPHeaderFields = ["ETag": "\"1\"", "Accept-Ranges": "bytes", "Content-Length": "6"]
            var response = TransportResponse.scripted(200, for: request, headers: headers)
            let failure = fails ? TransportError(.connectionLost) : nil
            let body = fails ? "abc" : "abcdef"
            response.stream = TransportResponse.scripted(200, for: request, stream: [body], failure: failure).stream
            return response
        }
        let folder = try DownloadFolder()
        let options = DownloadOptions(resume: .ifPossible)
        await expect(.connectionLost) {
            for try await _ in dispatcher.download(for: request, to: folder["saved"], options: options) {}
        }
        for try await _ in dispatcher.download(for: request, to: folder["saved"], options: options) {}
        #expect(folder.data("saved") == Data("abcdef".utf8))
        let ended = { (outcome: String) in ["1 over \(outcome)", "ended \(outcome)"] }
        #expect(
            await recorder.outline(of: 2)
                == ["started", "1 exchange", "1 head 200"] + ended("connectionLost")
                + ["started", "1 exchange", "1 head 416", "1 over 416", "2 exchange", "2 head 200", "2 over 200"]
                + ["ended 200"]
        )
    }

    @Test func aForeignErrorTellsNothing() async throws {
        struct Odd: Error, CustomStringConvertible {
            let token = SecretSearch.secret
            var description: String { token }
        }
        let dispatcher = dispatcher { _ in throw Odd() }
        await #expect(throws: Odd.self) { try await dispatcher.data(for: request) }
        for event in recorder.state.events {
            for value in [event, event.kind] as [Any] {
                for showing in SecretSearch.showings(of: value) { #expect(!showing.tells, "\(showing.way)") }
            }
        }
    }

    @Test(arguments: [
        "https://user:%@host/", "http:user:%@host", "http:/user:%@host/", "http:///user:%@host", "//user:%@host/p",
        "user:%@host", "https://host/?%", "https://host/#%", "https://host?%", "mailto:a:%@host", "https://user:%@",
        "https://user:%@[::1]:99999/", "https://%@host:0/", "file://user:%@host/a", "ftp://user:%@host/",
        "https://user:p@%@host/", "?%", "#%", "https:?%", "https://user:%%40x@host/",
    ])
    func placesTellNoSecret(_ text: String) async throws {
        let url = try #require(
            URL(
                string: text.replacingOccurrences(of: "%@", with: "\(SecretSearch.secret)@")
                    .replacingOccurrences(of: "%%", with: "\(SecretSearch.secret)%")
                    .replacingOccurrences(of: "?%", with: "?\(SecretSearch.secret)")
                    .replacingOccurrences(of: "#%", with: "#\(SecretSearch.secret)")
            )
        )
        let dispatcher = dispatcher { .scripted(200, for: $0) }
        _ = try? await dispatcher.data(for: URLRequest(url: url))
        for event in recorder.state.events {
            let exchange = event.exchange
            let texts = [event.call.location, exchange?.location, exchange?.host, exchange?.scheme, "\(event)"]
            for text in texts { #expect(!SecretSearch.isFound(in: text ?? ""), "\(text ?? "") of \(url)") }
            _ = exchange?.port
        }
    }

    @Test func metricsTakeAnyDuration() {
        let long = Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999)
        let short = Duration(secondsComponent: .min, attosecondsComponent: 0)
        let metrics = ExchangeMetrics(queued: long, nameLookup: short, connect: .nanoseconds(-1), total: long)
        #expect(metrics.queued == .nanoseconds(Int64.max))
        #expect(metrics.nameLookup == .zero)
        #expect(metrics.connect == .zero)
        _ = "\(metrics)"
    }

    @Test(arguments: ["", "a b", "é", "X:", "Content-Length", "Host", "\u{0}", "Transfer-Encoding"])
    func anyNameOfAHeaderFieldIsSafe(_ name: String) async throws {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = [EventRecorder { _ in HTTPHeaderFields([HTTPHeaderField(name: name, value: "1")]) }]
        let dispatcher = URLRequestDispatcher(
            configuration: configuration,
            transport: ScriptedTransport { .scripted(200, for: $0) }
        )
        _ = try? await dispatcher.data(for: request)
    }
}

private struct Stubborn: Interceptor {
    let gate: Gate
    let done: Gate

    func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        defer { done.open() }
        // Ignores its cancellation.
        let gate = gate
        await Task.detached { try? await gate.wait() }.value
        return try await next(request)
    }
}

private struct Replacing: Interceptor {
    func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        var response = try await next(request)
        response.stream = ResponseBody(Data("other".utf8))
        return response
    }
}
