#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import PiuPiuTesting
import TestSupport
import Testing

/// The order of what the transport of Linux reports on unusual ways, and what remains afterwards.
@Suite(.timeLimit(.generous))
struct ObservedTransportTests {
    private let recorder = EventRecorder()
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.route("/", .response(body: "hello"))
    }

    private func request(_ path: String = "/", _ method: HTTPMethod = .get, body: String? = nil) -> URLRequest {
        var request = URLRequest(url: server.url(path), method: method)
        request.httpBody = body.map { Data($0.utf8) }
        return request
    }

    private func dispatcher(
        _ observer: (any ExchangeObserver)? = nil,
        transport: (any HTTPTransport)? = nil,
        _ configure: (inout URLRequestDispatcher.Configuration) -> Void = { _ in }
    ) throws -> URLRequestDispatcher {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.proxy = .none
        configuration.transport.eventLoops = 1
        configuration.observers = [observer ?? recorder]
        configure(&configuration)
        return URLRequestDispatcher(
            configuration: configuration,
            transport: try transport ?? SocketTransport(configuration: configuration.transport)
        )
    }

    @Test func aTransportThatSendsTwiceHasTwoExchanges() async throws {
        let port = try RefusingPort()
        let base = try SocketTransport()
        let transport = Wrapping { request in
            do {
                var other = request
                other.urlRequest.url = port.url
                return try await base.send(other)
            } catch {
                return try await base.send(request)
            }
        }
        let dispatcher = try dispatcher(transport: transport)
        _ = try await dispatcher.data(for: request())
        #expect(recorder.state.order.violations == [])
        #expect(recorder.state.order.openExchangeCount == 0)
        #expect(
            recorder.state.outline == [
                "started", "1 exchange", "1 over cannotConnect", "2 exchange", "2 connected", "2 sent", "2 head 200",
                "2 over 200", "ended 200",
            ]
        )
    }

    @Test func aTransportThatThrowsAfterTheHeadLeavesTheEndToTheExchange() async throws {
        struct Odd: Error {}
        server.route("/endless", .send("HTTP/1.1 200 OK\r\n\r\n"), .repeat("x"))
        let base = try SocketTransport()
        let kept = Locked<ResponseBody?>(nil)
        let transport = Wrapping { request in
            let response = try await base.send(request)
            kept.withLock { $0 = response.stream }
            throw Odd()
        }
        let dispatcher = try dispatcher(transport: transport)
        await #expect(throws: Odd.self) { try await dispatcher.stream(for: request("/endless")) }
        // Bytes arrive although the call has ended.
        _ = await recorder.observed.wait { $0.texts.contains { $0.contains("body received") } }
        let body = kept.withLock { $0.take() }
        _ = body
        body?.discard()
        _ = await recorder.observed.wait { $0.order.openExchangeCount == 0 }
        #expect(recorder.state.order.violations == [])
        #expect(recorder.state.outline.suffix(1) == ["1 over cancelled"])
    }

    @Test func aUnixSocketHasNoAddress() async throws {
        let relay = try UnixRelay(to: server.port)
        let dispatcher = try dispatcher {
            $0.transport.routes[Fixture.url("http://docker")] = relay.route
        }
        for _ in 0..<2 { _ = try await dispatcher.data(from: Fixture.url("http://docker/")) }
        for event in recorder.state.events {
            guard case .connectionTaken(let connection) = event.kind else { continue }
            #expect(connection.localAddress == nil)
            #expect(connection.remoteAddress == nil)
        }
    }

    @Test(arguments: [HTTPMethod.post, .put, .delete, .patch], ["", "a", String(repeating: "a", count: 300_000)])
    func bodiesOfAllSizesAreInOrder(_ method: HTTPMethod, _ body: String) async throws {
        server.route("/upload", .response(body: "ok"))
        var request = request("/upload", method, body: body)
        for isChunked in [false, true] {
            if isChunked { request.setValue("chunked", forHTTPHeaderField: "Transfer-Encoding") }
            for rate in [nil, 10_000_000] {
                let recorder = EventRecorder()
                let dispatcher = try dispatcher(recorder) { $0.options.maximumSendRate = rate }
                _ = try? await dispatcher.data(for: request)
                #expect(recorder.state.order.violations.first == nil)
                #expect(recorder.state.endedCalls == 1)
            }
        }
    }

    @Test func eachObserverMayCancelItsTask() async throws {
        server.route("/body", .response(body: String(repeating: "b", count: 300_000)))
        let names = ["started", "exchange", "connected", "body sent", "sent", "head", "body received", "over", "ended"]
        for name in names {
            let recorder = EventRecorder()
            let task = Locked<Task<Void, any Error>?>(nil)
            let reentrant = Reacting(recorder) { text in
                if text.contains(name) { task.withLock { $0 }?.cancel() }
            }
            let dispatcher = try dispatcher(reentrant)
            let gate = Gate()
            let call = Task {
                try await gate.wait()
                let request = request("/body", .post, body: String(repeating: "a", count: 300_000))
                _ = try await dispatcher.data(for: request)
            }
            task.withLock { $0 = call }
            gate.open()
            _ = await call.result
            _ = await recorder.outline(of: 1)
            await dispatcher.shutdown()
            #expect(recorder.state.order.violations == [], "\(name)")
            #expect(recorder.state.order.openExchangeCount == 0)
        }
    }

    @Test func eachObserverMayReleaseTheDispatcher() async throws {
        server.route("/body", .response(body: String(repeating: "b", count: 300_000)))
        let names = ["started", "exchange", "connected", "body sent", "sent", "head", "body received", "over", "ended"]
        for name in names {
            for isStreamed in [false, true] {
                let recorder = EventRecorder()
                let held = Locked<URLRequestDispatcher?>(nil)
                let releasing = Reacting(recorder) { text in
                    guard text.contains(name) else { return }
                    let last = held.withLock { $0.take() }
                    _ = last
                }
                held.withLock { [self] in $0 = try? dispatcher(releasing) }
                let request = request("/body", .post, body: String(repeating: "a", count: 300_000))
                do {
                    if isStreamed {
                        let body = try await held.withLock { $0 }?.stream(for: request).data
                        for try await _ in try #require(body) {}
                    } else {
                        _ = try await held.withLock { $0 }?.data(for: request)
                    }
                } catch is CancellationError {
                } catch let error as TransportError where error.code == .shutDown {}
                _ = await recorder.outline(of: 1)
                #expect(recorder.state.order.violations == [], "\(name)")
            }
        }
    }

    @Test func nothingRemainsAfterTheEnd() async throws {
        let weaks = Locked<[Weak]>([])
        let observer = Reacting(nil) { _ in
        } taking: { event in
            weaks.withLock { $0.append(Weak(call: event.call, exchange: event.exchange)) }
        }
        let kept: Response<ResponseBody>
        do {
            let dispatcher = try dispatcher(observer)
            _ = try await dispatcher.data(for: request())
            kept = try await dispatcher.stream(for: request())
            for try await _ in kept.data {}
            for try await _ in try await dispatcher.stream(for: request()).data { break }
            let port = try RefusingPort()
            await expect(.cannotConnect) { try await dispatcher.data(from: port.url) }
            await dispatcher.shutdown()
        }
        // The event loop releases its last exchange after it told of the end.
        while weaks.withLock({ $0.contains { !$0.isGone } }) { await Task.yield() }
        #expect(weaks.withLock { $0.count } > 10)
        withExtendedLifetime(kept) {}
    }

    @Test(.enabled(if: HTTP2Script.isAvailable, "python3 is needed"), arguments: [false, true])
    func exchangesOverHTTP2AreInOrderWhenServersRefuseThem(_ isStreamed: Bool) async throws {
        let server = try HTTP2Script { exchange in
            switch exchange.request.stream / 2 % 7 {
            case 1: exchange.reset(.refusedStream)
            case 2: exchange.reset(.internalError)
            case 3:
                exchange.head(103)
                exchange.head(200)
                exchange.data(Array("abc".utf8))
                exchange.reset(.internalError)
            case 4:
                exchange.peer.goAway(lastStream: exchange.request.stream - 2)
                exchange.respond(200, body: "late")
            case 5:
                exchange.head(200)
                exchange.peer.close()
            default:
                exchange.head(200)
                exchange.data(Array(repeating: 0x61, count: 40_000), ends: true)
            }
        }
        let dispatcher = try dispatcher { $0.transport.certificateAuthorityFile = server.authority }
        let count = 100
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    var request = URLRequest(url: server.url("/\(number)"))
                    if number % 3 == 0 {
                        request.httpMethod = "PUT"
                        request.httpBody = Data(repeating: 0x62, count: number % 2 == 0 ? 10 : 200_000)
                    }
                    if isStreamed {
                        guard let body = try? await dispatcher.stream(for: request).data else { return }
                        _ = try? await body.collect(upTo: 1 << 20)
                    } else {
                        _ = try? await dispatcher.data(for: request)
                    }
                }
            }
        }
        await dispatcher.shutdown()
        #expect(recorder.state.order.violations == [])
        #expect(recorder.state.order.openExchangeCount == 0)
        #expect(recorder.state.endedCalls == count)
    }
}

private struct Weak: Sendable {
    nonisolated(unsafe) weak var call: ObservedCall?
    nonisolated(unsafe) weak var exchange: ObservedExchange?

    var isGone: Bool { call == nil && exchange == nil }
}

private struct Wrapping: HTTPTransport {
    let action: @Sendable (TransportRequest) async throws -> TransportResponse

    func send(_ request: TransportRequest) async throws -> TransportResponse { try await action(request) }
    func shutdown() async {}
    func invalidateAndCancel() {}
}

private struct Reacting: ExchangeObserver {
    let recorder: EventRecorder?
    let react: @Sendable (String) -> Void
    let taking: @Sendable (ExchangeEvent) -> Void

    init(
        _ recorder: EventRecorder?,
        _ react: @escaping @Sendable (String) -> Void,
        taking: @escaping @Sendable (ExchangeEvent) -> Void = { _ in }
    ) {
        self.recorder = recorder
        self.react = react
        self.taking = taking
    }

    func observe(_ event: ExchangeEvent) {
        recorder?.observe(event)
        taking(event)
        react(EventRecorder.text(of: event))
    }
}
#endif
