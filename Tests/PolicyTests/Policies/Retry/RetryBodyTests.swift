import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

/// What happens to the bodies of requests that are sent again, and to those of responses that nobody gets.
@Suite(.timeLimit(.generous)) struct RetryBodyTests {
    private let clock = ManualClock()
    private let policy = RetryPolicy(backoff: Backoff(base: .zero))

    private func dispatcher(_ answers: [MockAnswer]) -> (URLRequestDispatcher, MockTransport) {
        let transport = MockTransport(answers: answers, clock: clock)
        return (URLRequestDispatcher(interceptors: [policy], transport: transport), transport)
    }

    // MARK: Requests

    @Test func anUploadIsSentAgain() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "PiuPiuRetry-\(UUID())")
        try Data("file".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        for body in [RequestBody.data(Data("file".utf8)), .file(file)] {
            let (dispatcher, transport) = dispatcher([MockAnswer(.badGateway), MockAnswer(.ok)])
            let request = URLRequest(url: Fixture.url, method: .put)
            let response = try await dispatcher.upload(for: request, from: body).response()
            #expect(response.attempts.count == 2)
            #expect(transport.requests.map(\.body) == [Data("file".utf8), Data("file".utf8)])
        }
    }

    @Test func aStreamIsSentOnce() async throws {
        for answer in [
            MockAnswer(.badGateway), .failure(TransportError(.connectionLost)),
            .failure(TransportError(.cannotConnect)),
        ] {
            let (dispatcher, transport) = dispatcher([answer, MockAnswer(.ok)])
            let body = RequestBody.stream(AsyncStream(chunks: ["a", "b"]))
            var request = URLRequest(url: Fixture.url, method: .put)
            request.setValue("7", forHTTPHeaderField: "Idempotency-Key")
            _ = try? await dispatcher.upload(for: request, from: body).response()
            #expect(transport.requests.count == 1)
        }
    }

    @Test func aStreamIsSentOnceEvenIfAFunctionWantsMore() async throws {
        var policy = policy
        policy.decide = { _ in .retry(ignoringIdempotency: true) }
        let transport = MockTransport(answers: [MockAnswer(.badGateway), MockAnswer(.ok)], clock: clock)
        let dispatcher = URLRequestDispatcher(interceptors: [policy], transport: transport)
        let body = RequestBody.stream(AsyncStream(chunks: ["a"]))
        let request = URLRequest(url: Fixture.url, method: .put)
        #expect(try await dispatcher.upload(for: request, from: body).response().statusCode == .badGateway)
        #expect(transport.requests.count == 1)
    }

    @Test func aStreamThatNobodyTouchedIsSentAfterAFailureToConnect() async throws {
        let failures = Locked(1)
        let transport = ScriptedTransport { request in
            if failures.withLock({ failures in
                defer { failures -= 1 }
                return failures > 0
            }) {
                throw TransportError(.cannotConnect)
            }
            let data = try await request.body?.collect(upTo: 100) ?? Data()
            return .scripted(200, for: request, body: String(decoding: data, as: UTF8.self))
        }
        let dispatcher = URLRequestDispatcher(interceptors: [policy], transport: transport)
        let body = RequestBody.stream(AsyncStream(chunks: ["a", "b"]))
        let response = try await dispatcher.upload(for: URLRequest(url: Fixture.url, method: .post), from: body)
            .response()
        #expect(response.data == Data("ab".utf8))
        #expect(response.attempts.count == 2)
    }

    @Test func aBodyStreamOfFoundationIsNotSentAgain() async throws {
        let transport = ScriptedTransport { .scripted(503, for: $0) }
        let dispatcher = URLRequestDispatcher(interceptors: [policy], transport: transport)
        var request = URLRequest(url: Fixture.url, method: .put)
        request.httpBodyStream = InputStream(data: Data("a".utf8))
        #expect(try await dispatcher.data(for: request).statusCode == .serviceUnavailable)
        #expect(transport.requests.count == 1)
    }

    // MARK: Responses

    @Test func aStreamIsDeliveredAfterRetries() async throws {
        let (dispatcher, _) = dispatcher([MockAnswer(.badGateway, body: "sorry"), MockAnswer(.ok, body: "hello")])
        let response = try await dispatcher.stream(for: Fixture.request)
        #expect(response.attempts.count == 2)
        #expect(try await response.data.collect(upTo: 10) == Data("hello".utf8))
    }

    @Test func theStreamOfTheLastAttemptIsTheCallers() async throws {
        let (dispatcher, _) = dispatcher([MockAnswer](repeating: MockAnswer(.badGateway, body: "sorry"), count: 3))
        let response = try await dispatcher.stream(for: Fixture.request)
        #expect(try await response.data.collect(upTo: 10) == Data("sorry".utf8))
    }

    @Test func anErrorInsideAStreamIsNotRetried() async throws {
        let broken = MockAnswer(.ok, pieces: ["half"], ending: .failure(TransportError(.truncatedBody)))
        let (dispatcher, transport) = dispatcher([broken, MockAnswer(.ok)])
        let response = try await dispatcher.stream(for: Fixture.request)
        let error = await #expect(throws: TransportError.self) { try await response.data.collect(upTo: 10) }
        #expect(error?.code == .truncatedBody)
        #expect(transport.requests.count == 1)
    }

    /// A body that counts what is read of it, and remembers whether it was closed.
    private final class Source: Sendable {
        private struct State {
            var chunks: [Int]
            var read = 0
            var isClosed = false
            var isOver = false
        }

        private let state: Locked<State>
        let stall = Gate()
        let stalls: Bool

        init(_ chunks: [Int], stalls: Bool = false) {
            state = Locked(State(chunks: chunks))
            self.stalls = stalls
        }

        var read: Int { state.withLock { $0.read } }
        var isClosed: Bool { state.withLock { $0.isClosed } }
        var isOver: Bool { state.withLock { $0.isOver } }

        func body(announcing length: Int64? = nil) -> ResponseBody {
            ResponseBody(expectedLength: length, next: { try await self.next() }, cancel: { self.close() })
        }

        private func next() async throws -> Data? {
            let count: Int? = state.withLock { state in
                guard !state.chunks.isEmpty else { return nil }
                state.read += state.chunks[0]
                return state.chunks.removeFirst()
            }
            if let count { return Data(count: count) }
            if stalls { try await stall.wait() }
            state.withLock { $0.isOver = true }
            return nil
        }

        private func close() {
            state.withLock { $0.isClosed = true }
        }
    }

    /// A transport whose first response is a 503 with a body; the second is sent when the first was dealt with.
    private final class Streams: HTTPTransport {
        let clock: TransferClock?
        let source: Source
        let length: Int64?
        private let count = Locked(0)
        /// Whether the first body had been read to its end, or closed, when the second request arrived.
        let state = Locked<(isOver: Bool, isClosed: Bool)?>(nil)

        init(_ clock: ManualClock, _ source: Source, length: Int64? = nil) {
            self.clock = TransferClock(clock)
            self.source = source
            self.length = length
        }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let number = count.withLock { count in
                count += 1
                return count
            }
            var response = TransportResponse.scripted(number == 1 ? 503 : 200, for: request)
            if number == 1 {
                response.stream = source.body(announcing: length)
            } else {
                state.withLock { $0 = (source.isOver, source.isClosed) }
                response.stream = ResponseBody(Data("hello".utf8))
            }
            return response
        }

        func shutdown() async {}
        func invalidateAndCancel() {}
    }

    private func retried(_ source: Source, length: Int64? = nil) async throws -> (isOver: Bool, isClosed: Bool)? {
        let transport = Streams(clock, source, length: length)
        let dispatcher = URLRequestDispatcher(interceptors: [policy], transport: transport)
        let response = try await dispatcher.stream(for: Fixture.request)
        #expect(try await response.data.collect(upTo: 10) == Data("hello".utf8))
        return transport.state.withLock { $0 }
    }

    @Test(arguments: [[], [10], [30_000, 30_000, 5536]])
    func aSmallBodyIsReadToItsEnd(_ chunks: [Int]) async throws {
        let source = Source(chunks)
        let state = try await retried(source)
        #expect(state?.isOver == true && state?.isClosed == false)
        #expect(source.read == chunks.reduce(0, +))
        #expect(clock.deadlines.isEmpty)
    }

    @Test func aLargeBodyIsClosed() async throws {
        let source = Source([30_000, 30_000, 5537, 1000, 1000])
        let state = try await retried(source)
        #expect(state?.isOver == false && state?.isClosed == true)
        #expect(source.read == 65_537)
    }

    @Test func aBodyThatIsAnnouncedAsLargeIsClosedUnread() async throws {
        let source = Source([10])
        let state = try await retried(source, length: 65_537)
        #expect(state?.isClosed == true)
        #expect(source.read == 0)
    }

    @Test func aStalledBodyIsClosedAfterASecond() async throws {
        let source = Source([10], stalls: true)
        let transport = Streams(clock, source)
        let dispatcher = URLRequestDispatcher(interceptors: [policy], transport: transport)
        async let response = dispatcher.stream(for: Fixture.request)
        await source.stall.arrival()
        await clock.sleeper(until: .seconds(1))
        #expect(!source.isClosed)
        clock.advance(by: .seconds(1))
        #expect(try await response.data.collect(upTo: 10) == Data("hello".utf8))
        #expect(source.isClosed)
    }

    @Test func aBodyWhoseSourceIgnoresCancellationIsClosed() async throws {
        let closed = FirstOutcome<Void>()
        let body = ResponseBody(
            next: {
                await closed.value()
                return nil
            },
            cancel: { closed.conclude(()) }
        )
        let clock = TransferClock(clock)
        async let drained: Void = body.drain(upTo: 10, until: clock.instant.advanced(by: .seconds(1)), clock: clock)
        await self.clock.sleeper(until: .seconds(1))
        self.clock.advance(by: .seconds(1))
        await drained
    }

    @Test func theTimeForTheBodyIsPartOfTheWait() async throws {
        let source = Source([10], stalls: true)
        let transport = Streams(clock, source)
        let policy = RetryPolicy(backoff: Backoff(base: .milliseconds(1500), jitter: .none))
        let dispatcher = URLRequestDispatcher(interceptors: [policy], transport: transport)
        async let response = dispatcher.stream(for: Fixture.request)
        await clock.sleeper(until: .seconds(1))
        clock.advance(by: .seconds(1))
        await clock.sleeper(until: .milliseconds(1500))
        clock.advance(by: .milliseconds(500))
        #expect(try await response.data.collect(upTo: 10) == Data("hello".utf8))
    }

    @Test func cancellationEndsTheReading() async throws {
        let source = Source([10], stalls: true)
        let transport = Streams(clock, source)
        let dispatcher = URLRequestDispatcher(interceptors: [policy], transport: transport)
        let call = Task { try await dispatcher.stream(for: Fixture.request) }
        await source.stall.arrival()
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(transport.state.withLock { $0 } == nil)
    }

    // MARK: Transfers

    @Test func aDownloadIsRetried() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "PiuPiuRetry-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let (dispatcher, transport) = dispatcher([
            MockAnswer(.serviceUnavailable, body: "sorry"), .failure(TransportError(.connectionLost)),
            MockAnswer(.ok, body: "a file of some length"),
        ])
        let file = folder.appending(path: "file")
        let response = try await dispatcher.download(for: Fixture.request, to: file).response()
        #expect(try String(contentsOf: file, encoding: .utf8) == "a file of some length")
        #expect(response.attempts.count == 3)
        #expect(transport.requests.count == 3)
    }

    @Test func theProgressIsThatOfTheLastResponse() async throws {
        let long = String(repeating: "x", count: 1000)
        let (dispatcher, _) = dispatcher([MockAnswer(.serviceUnavailable, body: "sorry"), MockAnswer(.ok, body: long)])
        let request = URLRequest(url: Fixture.url, method: .put)
        var progress: [TransferProgress] = []
        for try await event in dispatcher.upload(for: request, from: .data(Data("file".utf8))) {
            if case .progress(let new) = event { progress.append(new) }
        }
        #expect(progress.last?.bytesReceived == 1000)
        #expect(progress.last?.bytesToReceive == 1000)
        #expect(progress.last?.bytesSent == 4)
        for (earlier, later) in zip(progress, progress.dropFirst()) {
            #expect(earlier.bytesReceived <= later.bytesReceived && earlier.bytesSent <= later.bytesSent)
        }
    }

    @Test func theProgressStartsAgainWithARetry() async throws {
        let progress = Locked(TransferProgress(direction: .receiving))
        let lengths = Locked<[Int64?]>([])
        let transport = ScriptedTransport { request in
            let isFirst = request.attempts.count == 1
            request.reporter?.willReceive(isFirst ? 5 : 1000)
            request.reporter?.didReceive(5)
            lengths.withLock { $0.append(progress.withLock { $0.bytesToReceive }) }
            return .scripted(isFirst ? 503 : 200, for: request)
        }
        var request = TransportRequest(Fixture.request)
        request.reporter = TransferReporter { change in _ = progress.withLock { $0.advance(change) } }
        _ = try await InterceptorChain([policy], transport: transport)(request)
        #expect(lengths.withLock { $0 } == [5, 1000])
    }

    @Test func theLengthOfAResponseThatNobodyGetsIsForgotten() {
        let progress = Locked(TransferProgress(direction: .receiving))
        let reporter = TransferReporter { change in _ = progress.withLock { $0.advance(change) } }
        func counts() -> [Int64?] {
            progress.withLock { [$0.bytesSent, $0.bytesToSend, $0.bytesReceived, $0.bytesToReceive] }
        }
        reporter.willSend(4)
        reporter.didSend(4)
        reporter.willReceive(5)
        reporter.didReceive(5)
        #expect(counts() == [4, 4, 5, 5])
        reporter.willSendAgain()
        #expect(counts() == [4, 4, 5, nil])
        reporter.willSend(4)
        reporter.didSend(2)
        reporter.willReceive(1000)
        reporter.didReceive(3)
        #expect(counts() == [4, 4, 5, 1000])
        reporter.willReceive(nil)
        reporter.didReceive(6)
        #expect(counts() == [4, 4, 6, 1000])
    }
}

extension AsyncStream<Data> {
    fileprivate init(chunks: [String]) {
        self.init { continuation in
            for chunk in chunks { continuation.yield(Data(chunk.utf8)) }
            continuation.finish()
        }
    }
}
