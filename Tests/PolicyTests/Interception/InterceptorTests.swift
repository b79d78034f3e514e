import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuValues

struct InterceptorTests {
    /// Does what a closure does.
    private struct Closure: Interceptor {
        let body: @Sendable (TransportRequest, InterceptorChain) async throws -> TransportResponse

        init(_ body: @escaping @Sendable (TransportRequest, InterceptorChain) async throws -> TransportResponse) {
            self.body = body
        }

        func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
            try await body(request, next)
        }
    }

    private struct Custom: Error, Equatable {}

    private static func tracing(_ name: String, _ trace: Locked<[String]>) -> Closure {
        Closure { request, next in
            trace.withLock { $0.append("> \(name)") }
            let response = try await next(request)
            trace.withLock { $0.append("< \(name)") }
            return response
        }
    }

    @Test func theFirstIsTheOutermost() async throws {
        let trace = Locked<[String]>([])
        let transport = ScriptedTransport { request in
            trace.withLock { $0.append("transport") }
            return .scripted(200, for: request)
        }
        let dispatcher = URLRequestDispatcher(
            interceptors: ["a", "b", "c"].map { Self.tracing($0, trace) },
            transport: transport
        )
        _ = try await dispatcher.data(for: Fixture.request)
        #expect(trace.withLock { $0 } == ["> a", "> b", "> c", "transport", "< c", "< b", "< a"])
    }

    @Test func interceptorsStandAroundTheRedirects() async throws {
        let trace = Locked<[String]>([])
        let transport = ScriptedTransport { request in
            request.urlRequest.url?.path() == "/new"
                ? .scripted(200, for: request) : .scripted(302, for: request, headers: ["Location": "/new"])
        }
        let dispatcher = URLRequestDispatcher(interceptors: [Self.tracing("a", trace)], transport: transport)
        let response = try await dispatcher.data(for: Fixture.request)
        #expect(trace.withLock { $0 } == ["> a", "< a"])
        #expect(transport.requests.count == 2)
        #expect(response.urlRequest.url?.path() == "/new")
    }

    @Test func validationMakesAnErrorThatARetryOutsideSees() async throws {
        let transport = ScriptedTransport { .scripted(503, for: $0, body: "overloaded") }
        let attempts = Locked(0)
        let retry = Closure { request, next in
            do {
                return try await next(request)
            } catch StatusCode.serviceUnavailable {
                attempts.withLock { $0 += 1 }
                return try await next(request)
            }
        }
        let dispatcher = URLRequestDispatcher(interceptors: [retry, Validation.default], transport: transport)
        let error = await #expect(throws: UnacceptableResponseError.self) {
            try await dispatcher.data(for: Fixture.request)
        }
        #expect(error?.httpError == .serverError(.serviceUnavailable))
        #expect(error?.body == Data("overloaded".utf8))
        #expect(error?.request?.url == Fixture.url)
        #expect(attempts.withLock { $0 } == 1)
        #expect(transport.requests.count == 2)
    }

    @Test func eachSeesWhatTheOnesOutsideLeft() async throws {
        func adding(_ value: String) -> Closure {
            Closure { request, next in
                var request = request
                request.urlRequest.addValue(value, forHTTPHeaderField: "X-Path")
                request.options.maximumHead += 1
                return try await next(request)
            }
        }
        let transport = ScriptedTransport { .scripted(200, for: $0) }
        let chain = InterceptorChain([adding("a"), adding("b")], transport: transport)
        let response = try await chain(TransportRequest(Fixture.request, options: RequestOptions(maximumHead: 1)))
        #expect(response.urlRequest.value(forHTTPHeaderField: "X-Path") == "a,b")
        #expect(transport.requests.first?.options.maximumHead == 3)
    }

    @Test func callingNextTwiceIsARetry() async throws {
        let transport = ScriptedTransport { request in
            if request.urlRequest.value(forHTTPHeaderField: "X-Attempt") == "1" { throw TransportError(.cannotConnect) }
            return .scripted(200, for: request)
        }
        let inner = Locked(0)
        let retry = Closure { request, next in
            var request = request
            request.urlRequest.setValue("1", forHTTPHeaderField: "X-Attempt")
            do {
                return try await next(request)
            } catch let error as TransportError where error.isSafeToRetry {
                request.urlRequest.setValue("2", forHTTPHeaderField: "X-Attempt")
                return try await next(request)
            }
        }
        let counting = Closure { request, next in
            inner.withLock { $0 += 1 }
            return try await next(request)
        }
        let response = try await InterceptorChain([retry, counting], transport: transport)(
            TransportRequest(Fixture.request)
        )
        #expect(response.head.statusCode == .ok)
        #expect(transport.requests.count == 2)
        #expect(inner.withLock { $0 } == 2)
    }

    @Test func nextCanBeCalledManyTimesAtOnce() async throws {
        let gate = Gate()
        let transport = ScriptedTransport { request in
            try await gate.wait()
            return .scripted(200, for: request)
        }
        let hedge = Closure { request, next in
            try await withThrowingTaskGroup(of: TransportResponse.self) { group in
                for _ in 0..<5 { group.addTask { try await next(request) } }
                await gate.arrival(of: 5)
                gate.open()
                guard let first = try await group.next() else { throw Custom() }
                group.cancelAll()
                return first
            }
        }
        _ = try await InterceptorChain([hedge], transport: transport)(TransportRequest(Fixture.request))
        #expect(transport.requests.count == 5)
    }

    @Test func notCallingNextAnswersFromElsewhere() async throws {
        let transport = ScriptedTransport { .scripted(200, for: $0) }
        let cache = Closure { request, _ in .scripted(203, for: request, body: "cached") }
        let dispatcher = URLRequestDispatcher(interceptors: [cache], transport: transport)
        let response = try await dispatcher.data(for: Fixture.request)
        #expect(response.statusCode.rawValue == 203)
        #expect(response.data == Data("cached".utf8))
        #expect(transport.requests.isEmpty)
    }

    @Test func errorsPassThroughUnwrapped() async {
        let pass = Closure { request, next in try await next(request) }
        let throwing = Closure { _, _ in throw Custom() }
        let transport = ScriptedTransport { .scripted(200, for: $0) }
        let dispatcher = URLRequestDispatcher(interceptors: [pass, throwing, pass], transport: transport)
        await #expect(throws: Custom()) { try await dispatcher.data(for: Fixture.request) }
        #expect(transport.requests.isEmpty)
    }

    @Test func noInterceptorRunsForACancelledCall() async throws {
        let transport = ScriptedTransport { .scripted(200, for: $0) }
        let trace = Locked<[String]>([])
        let dispatcher = URLRequestDispatcher(interceptors: [Self.tracing("a", trace)], transport: transport)
        for _ in 0..<1000 {
            let call = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await dispatcher.data(for: Fixture.request)
            }
            await #expect(throws: CancellationError.self) { try await call.value }
        }
        #expect(trace.withLock { $0.count } == 0)
    }

    @Test func anErrorOfTheTransportReachesEachInterceptor() async {
        let seen = Locked<[String]>([])
        func noting(_ name: String) -> Closure {
            Closure { request, next in
                do {
                    return try await next(request)
                } catch {
                    seen.withLock { $0.append("\(name) \(error is Custom)") }
                    throw error
                }
            }
        }
        let chain = InterceptorChain([noting("a"), noting("b")], transport: ScriptedTransport { _ in throw Custom() })
        await #expect(throws: Custom()) { try await chain(TransportRequest(Fixture.request)) }
        #expect(seen.withLock { $0 } == ["b true", "a true"])
    }

    @Test func anEmptyChainIsTheTransport() async throws {
        let transport = ScriptedTransport { .scripted(204, for: $0) }
        let response = try await InterceptorChain([], transport: transport)(TransportRequest(Fixture.request))
        #expect(response.head.statusCode == .noContent)
    }
}
