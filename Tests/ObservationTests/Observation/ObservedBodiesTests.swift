import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuCore

/// What observers see of the bodies of a transport that reports nothing itself.
@Suite(.timeLimit(.generous)) struct ObservedBodiesTests {
    private let recorder = EventRecorder(bodyLimit: 4)

    private func dispatcher(
        _ observers: [any ExchangeObserver]? = nil,
        _ interceptors: [any Interceptor] = [],
        _ transport: any HTTPTransport
    ) -> URLRequestDispatcher {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = observers ?? [recorder]
        return URLRequestDispatcher(configuration: configuration, interceptors: interceptors, transport: transport)
    }

    private var post: URLRequest {
        var request = URLRequest(url: Fixture.url, method: .post)
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        return request
    }

    private var requestBodies: [ObservedBody?] { recorder.state.ended.map(\.summary.requestBody) }
    private var responseBodies: [ObservedBody?] { recorder.state.ended.map(\.summary.responseBody) }

    private func body(_ beginning: String, _ size: Int, isComplete: Bool = true, type: String? = nil) -> ObservedBody {
        ObservedBody(beginning: Data(beginning.utf8), size: size, isComplete: isComplete, contentType: type)
    }

    @Test(arguments: ["", "a", "abc", "abcd", "abcde", "a longer one"])
    func theBeginningsOfBodiesInMemoryAreSeen(_ text: String) async throws {
        var request = post
        request.httpBody = Data(text.utf8)
        let answer = MockAnswer(.ok, headers: ["Content-Type": "text/css"], body: text)
        _ = try await dispatcher(nil, [], MockTransport(answers: [answer])).data(for: request)
        let isEmpty = text.isEmpty
        let size = text.utf8.count
        #expect(requestBodies == [isEmpty ? nil : body(String(text.prefix(4)), size, type: "text/plain")])
        #expect(responseBodies == [isEmpty ? nil : body(String(text.prefix(4)), size, type: "text/css")])
        #expect(responseBodies.first??.isWhole ?? true == (size <= 4))
    }

    @Test func aSliceBeginsAtZero() async throws {
        for end in [14, 20] {
            var request = post
            request.httpBody = Data("0123456789abcdefghijkl".utf8)[10..<end]
            _ = try await dispatcher(nil, [], MockTransport(answers: [MockAnswer(.ok)])).data(for: request)
            let seen = try #require(recorder.state.ended.last?.summary.requestBody)
            #expect(seen == body("abcd", end - 10, type: "text/plain"))
            #expect(seen.beginning.startIndex == 0)
        }
    }

    @Test func anObserverGetsWhatItAskedForAndNoMore() async throws {
        let observers = [0, 2, 100, -1, .min].map { EventRecorder(bodyLimit: $0) }
        var request = post
        request.httpBody = Data("abcdef".utf8)
        let transport = MockTransport(answers: [
            MockAnswer(.ok, body: "uvwxyz"), MockAnswer(.ok, pieces: ["uv", "wxyz"]),
        ])
        let dispatcher = dispatcher(observers, [], transport)
        _ = try await dispatcher.data(for: request)
        for try await _ in try await dispatcher.stream(for: request).data {}
        await dispatcher.shutdown()
        for (observer, limit) in zip(observers, [0, 2, 6, 0, 0]) {
            let ended = observer.state.ended.map(\.summary)
            #expect(ended.count == 2)
            for summary in ended {
                let expected = [(summary.requestBody, "abcdef"), (summary.responseBody, "uvwxyz")]
                for (seen, text) in expected {
                    #expect(seen?.beginning == (limit == 0 ? nil : Data(text.prefix(limit).utf8)))
                    #expect(seen?.size == (limit == 0 ? nil : 6))
                }
            }
        }
    }

    @Test func nothingIsKeptIfNoObserverAsks() async throws {
        let silent = EventRecorder()
        let transport = ScriptedTransport { .scripted(200, for: $0, stream: ["abc"]) }
        let dispatcher = dispatcher([silent], [], transport)
        _ = try await dispatcher.upload(for: post, from: .multipart(MultipartFormData())).response()
        let response = try await dispatcher.stream(for: post)
        for try await _ in response.data {}
        #expect(transport.requests.allSatisfy { $0.body?.tap == nil })
        #expect(transport.requests.first?.body != nil)
        #expect(silent.state.ended.count == 2)
        for (_, summary) in silent.state.ended { #expect(summary.requestBody == nil && summary.responseBody == nil) }
    }

    @Test func bodiesThatAreProducedAreSeenAsTheyAreSent() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "observed-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("file content".utf8).write(to: file)
        let pieces = AsyncStream<Data> { continuation in
            for piece in ["st", "", "re", "am"] { continuation.yield(Data(piece.utf8)) }
            continuation.finish()
        }
        let bodies: [(RequestBody, ObservedBody)] = [
            (.data(Data("memory".utf8)), body("memo", 6, type: "text/plain")),
            (.file(file), body("file", 12, type: "text/plain")),
            (.stream(pieces), body("stre", 6, type: "text/plain")),
        ]
        for (sent, seen) in bodies {
            let transport = MockTransport(answers: [MockAnswer(.ok)])
            let dispatcher = dispatcher(nil, [], transport)
            _ = try await dispatcher.upload(for: post, from: sent).response()
            #expect(recorder.state.ended.last?.summary.requestBody == seen)
        }
    }

    @Test func compressedBodiesAreSeenCompressed() async throws {
        let transport = MockTransport(answers: [MockAnswer(.ok)])
        let sent = RequestBody.data(Data("memory".utf8)).gzipped()
        let dispatcher = dispatcher(nil, [], transport)
        _ = try await dispatcher.upload(for: post, from: sent).response()
        let seen = try #require(requestBodies.last ?? nil)
        #expect(seen.beginning.starts(with: [0x1F, 0x8B]))
        #expect(seen.contentEncoding == "gzip" && seen.isComplete && seen.size > 20)
    }

    @Test func aTransportThatCollectsABodyShowsIt() async throws {
        let pieces = AsyncStream<Data> { continuation in
            continuation.yield(Data("stream".utf8))
            continuation.finish()
        }
        for sent in [RequestBody.stream(pieces), .data(Data("stream".utf8)).withTrailers([]) { [:] }] {
            let transport = ScriptedTransport { request in
                _ = try await request.body?.collect(upTo: 100)
                return .scripted(200, for: request)
            }
            let dispatcher = dispatcher(nil, [], transport)
            _ = try await dispatcher.upload(for: post, from: sent).response()
            #expect(recorder.state.ended.last?.summary.requestBody == body("stre", 6, type: "text/plain"))
        }
    }

    @Test func eachAttemptAndEachRedirectHasItsOwnBodies() async throws {
        let answers = [
            MockAnswer(.serviceUnavailable, body: "busy"),
            MockAnswer(.temporaryRedirect, headers: ["Location": "/2"], body: "go"),
            MockAnswer(.found, headers: ["Location": "/3"]), MockAnswer(.ok, body: "done!"),
        ]
        var request = URLRequest(url: Fixture.url, method: .put)
        request.httpBody = Data("put".utf8)
        let retry = RetryPolicy(backoff: Backoff(base: .zero))
        _ = try await dispatcher(nil, [retry], MockTransport(answers: answers)).data(for: request)
        #expect(recorder.state.order.violations == [])
        #expect(
            requestBodies.map { $0.map { String(decoding: $0.beginning, as: UTF8.self) } } == [
                "put", "put", "put", "put",
            ]
        )
        #expect(
            responseBodies.map { $0.map { String(decoding: $0.beginning, as: UTF8.self) } } == [
                "busy", "go", nil, "done",
            ]
        )
        #expect(responseBodies.map { $0?.isWhole } == [true, true, nil, false])
    }

    @Test func aStreamThatFailsIsIncomplete() async throws {
        let answer = MockAnswer(.ok, pieces: ["ab", "c"], ending: .failure(TransportError(.connectionLost)))
        let dispatcher = dispatcher(nil, [], MockTransport(answers: [answer]))
        let response = try await dispatcher.stream(for: post)
        await #expect(throws: TransportError.self) { for try await _ in response.data {} }
        await dispatcher.shutdown()
        #expect(responseBodies == [body("abc", 3, isComplete: false)])
    }

    @Test func anAbandonedStreamIsIncomplete() async throws {
        let transport = ScriptedTransport { .scripted(200, for: $0, stream: ["ab", "cd", "ef"]) }
        let dispatcher = dispatcher(nil, [], transport)
        do {
            var iterator = try await dispatcher.stream(for: post).data.makeAsyncIterator()
            #expect(try await iterator.next() == Data("ab".utf8))
        }
        await dispatcher.shutdown()
        #expect(responseBodies == [body("ab", 2, isComplete: false)])
        #expect(recorder.state.order.violations == [])
    }

    @Test func aStreamReadsAsWithoutAnObserver() async throws {
        var answer = MockAnswer(.ok, pieces: ["ab", "cd"])
        answer.trailers = ["X-Sum": "7"]
        let dispatcher = dispatcher(nil, [], MockTransport(answers: [answer]))
        let response = try await dispatcher.stream(for: post)
        #expect(response.data.expectedLength == 4)
        #expect(response.data.trailers == nil)
        #expect(try await response.data.collect(upTo: 10) == Data("abcd".utf8))
        #expect(response.data.trailers == ["X-Sum": "7"])
    }

    @Test(arguments: [false, true]) func aBodyThatMayStillBeEncodedSaysSo(_ isEncoded: Bool) async throws {
        var request = post
        if isEncoded { request.setValue("gzip", forHTTPHeaderField: "Accept-Encoding") }
        let answer = MockAnswer(.ok, headers: ["Content-Encoding": "gzip"], body: "abc")
        _ = try await dispatcher(nil, [], MockTransport(answers: [answer])).data(for: request)
        #expect(responseBodies.map { $0?.contentEncoding } == [isEncoded ? "gzip" : nil])
    }

    @Test func aPassBeginsAnewAndIgnoresOlderOnes() {
        let tap = BodyTap(limit: 3)
        let take = { (text: String, pass: Int) in Array(text.utf8).withUnsafeBytes { tap.take($0, in: pass) } }
        let first = tap.begin(length: nil)
        take("ab", first)
        let second = tap.begin(length: 5)
        take("x", first)
        tap.finish(first)
        #expect(tap.seen.beginning.size == 0 && !tap.seen.isComplete)
        take("cdef", second)
        #expect(tap.seen.beginning.bytes == Data("cde".utf8) && !tap.seen.isComplete)
        take("g", second)
        #expect(tap.seen.beginning.size == 5 && tap.seen.isComplete)
        tap.take(all: Data())
        #expect(tap.seen.beginning.bytes.isEmpty && tap.seen.isComplete)
    }

    @Test func descriptionsShowSizesOnly() async throws {
        var request = post
        request.httpBody = Data(SecretSearch.secret.utf8)
        let recorder = EventRecorder(bodyLimit: 1000)
        let answer = MockAnswer(.ok, headers: ["Content-Type": SecretSearch.secret], body: SecretSearch.secret)
        _ = try await dispatcher([recorder], [], MockTransport(answers: [answer])).data(for: request)
        let (_, summary) = try #require(recorder.state.ended.last)
        #expect(summary.responseBody?.beginning == Data(SecretSearch.secret.utf8))
        #expect("\(summary)".contains("ObservedBody(beginning: 14 bytes, size: 14, isComplete: true)"))
        let event = try #require(
            recorder.state.events.first { if case .exchangeEnded = $0.kind { true } else { false } }
        )
        for value in [summary, event, summary.requestBody as Any, summary.responseBody as Any] as [Any] {
            for showing in SecretSearch.showings(of: value) {
                #expect(!showing.tells, "\(showing.way): \(showing.text.prefix(300))")
            }
        }
    }
}
