import PiuPiuAsync
import TestSupport
import Testing

@testable import PiuPiuCore
@testable import PiuPiuTesting

/// Bodies in pieces, in both directions.
@Suite(.timeLimit(.generous))
struct MockBodyTests {
    private struct Oops: Error, Equatable {}

    private static let put = URLRequest(url: Fixture.url, method: .put)

    private static func echo() -> MockURLRequestDispatcher {
        MockURLRequestDispatcher(transport: MockTransport(clock: ManualClock()) { MockAnswer(.ok, body: $0.body) })
    }

    // MARK: Streams

    @Test func aStreamComesPieceByPiece() async throws {
        let clock = ManualClock()
        let pieces: [MockAnswer.Piece] = ["a", .init("b", after: .seconds(1)), .init("c", after: .seconds(1))]
        let dispatcher = MockURLRequestDispatcher(
            transport: MockTransport(answers: [MockAnswer(.ok, pieces: pieces)], clock: clock)
        )
        let stream = try await dispatcher.stream(for: Fixture.request)
        #expect(stream.statusCode == .ok)
        #expect(stream.data.expectedLength == 3)
        var chunks = stream.data.makeAsyncIterator()
        for text in ["a", "b", "c"] {
            #expect(try await chunks.next() == Data(text.utf8))
            clock.advance(by: .seconds(1))
        }
        #expect(try await chunks.next() == nil)
        #expect(dispatcher.requests.first?.delivery == .streamed)
    }

    @Test func anAnswerHasTheVersionThatItIsGiven() async throws {
        let answers = [MockAnswer(.ok, pieces: ["a"], httpVersion: "HTTP/2"), MockAnswer(.ok, pieces: ["a"])]
        let dispatcher = MockURLRequestDispatcher(transport: MockTransport(answers: answers, clock: ManualClock()))
        #expect(try await dispatcher.data(for: Fixture.request).head?.httpVersion == "HTTP/2")
        #expect(try await dispatcher.data(for: Fixture.request).head?.httpVersion == "HTTP/1.1")
    }

    @Test func aStreamCanBreakOff() async throws {
        let dispatcher = MockURLRequestDispatcher(
            transport: MockTransport(answers: [
                MockAnswer(.ok, pieces: ["half"], ending: .failure(Oops())),
                MockAnswer(.ok, headers: ["Content-Length": "9"], body: "half"),
            ])
        )
        var chunks = try await dispatcher.stream(for: Fixture.request).data.makeAsyncIterator()
        #expect(try await chunks.next() == Data("half".utf8))
        await #expect(throws: Oops()) { try await chunks.next() }
        let body = try await dispatcher.stream(for: Fixture.request).data
        let error = try await failure { try await body.collect(upTo: 100) } as? TransportError
        #expect(error?.code == .truncatedBody)
        #expect(error?.bytesReceived == 4)
        #expect(error?.response?.statusCode == .ok)
    }

    @Test func aStreamWaitsForItsReader() async throws {
        let count = 100
        let piece = Data(repeating: 7, count: 64 * 1024)
        let clock = ManualClock()
        let pieces = (0..<count).map { _ in MockAnswer.Piece(piece, after: .seconds(1)) }
        let transport = MockTransport(
            answers: [MockAnswer(.ok, pieces: pieces + [.init("end", after: .seconds(1))])],
            clock: clock
        )
        let total = Duration.seconds(500_000_000)
        let options = RequestOptions(timeouts: Timeouts(idle: .seconds(2), total: total))
        let dispatcher = URLRequestDispatcher(configuration: .init(options: options), transport: transport)
        let body = try await dispatcher.stream(for: Fixture.request).data
        // Time passes while the body is not read, and does not count: the pieces come when there is room for them.
        clock.advance(by: .seconds(1000))
        // There is none left: nothing is waited for but the reader, and no limit applies but that of the whole.
        await clock.sleeper(until: total)
        clock.advance(by: .seconds(1000))
        #expect(clock.deadlines == [total])
        let reader = Task {
            var total = 0
            for try await chunk in body {
                #expect(chunk.startIndex == 0)
                total += chunk.count
            }
            return total
        }
        let pacer = Task {
            while !Task.isCancelled {
                clock.advance(by: .seconds(1))
                await Task.yield()
            }
        }
        #expect(try await reader.value == count * piece.count + 3)
        pacer.cancel()
    }

    @Test func theWholeCallIsLimitedWhereNobodyReads() async throws {
        let clock = ManualClock()
        let pieces = (0..<10).map { _ in MockAnswer.Piece(Data(repeating: 7, count: 64 * 1024)) }
        let dispatcher = MockURLRequestDispatcher(
            transport: MockTransport(answers: [MockAnswer(.ok, pieces: pieces)], clock: clock)
        )
        let options = RequestOptions(timeouts: Timeouts(idle: .seconds(1), total: .seconds(5)))
        let body = try await dispatcher.stream(for: Fixture.request, options: options).data
        clock.advance(by: .seconds(5))
        await dispatcher.transport.shutdown()
        let error = try await failure { try await body.collect(upTo: .max) } as? TransportError
        #expect(error?.code == .timeout(.total))
        // That is what waited for a reader; the rest was not made ready.
        #expect(error?.bytesReceived == 192 * 1024)
    }

    @Test func leavingAStreamEndsTheExchange() async throws {
        let transport = MockTransport(answers: [MockAnswer(.ok, pieces: ["a"], ending: .hang)])
        let dispatcher = MockURLRequestDispatcher(transport: transport)
        for try await chunk in try await dispatcher.stream(for: Fixture.request).data {
            #expect(chunk == Data("a".utf8))
            break
        }
        // It would wait forever if the exchange had not ended.
        await dispatcher.shutdown()
        await transport.shutdown()
    }

    @Test func eventsAndLinesAreRead() async throws {
        let dispatcher = MockURLRequestDispatcher(
            transport: MockTransport(answers: [MockAnswer(.ok, pieces: ["on", "e\ntw", "o\n"])], clock: ManualClock())
        )
        var lines: [String] = []
        for try await line in try await dispatcher.stream(for: Fixture.request).data.lines { lines.append(line) }
        #expect(lines == ["one", "two"])
    }

    // MARK: Uploads

    @Test func bodiesOfAllKindsAreRead() async throws {
        let dispatcher = Self.echo()
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        try content.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let stream = AsyncStream<Data> { continuation in
            for start in stride(from: 0, to: content.count, by: 10_000) {
                continuation.yield(content[start..<start + 10_000])
            }
            continuation.finish()
        }
        var form = MultipartFormData(boundary: "b")
        form.append("value", name: "name")
        let bodies: [RequestBody] = [.data(content), .file(file), .stream(stream), .multipart(form)]
        for body in bodies.dropLast() {
            let response = try await dispatcher.upload(for: Self.put, from: body).response()
            #expect(response.data == content)
        }
        let response = try await dispatcher.upload(for: Self.put, from: bodies[3]).response()
        #expect(try response.decodeString().contains("value"))
        #expect(dispatcher.requests.last?["Content-Type"] == "multipart/form-data; boundary=b")
        #expect(dispatcher.requests.count == 4)
    }

    @Test(arguments: [(2, "12", false), (6, "123456", true), (0, "", false)])
    func aLongBodyIsAnsweredEarly(limit: Int, body: String, isComplete: Bool) async throws {
        let stopped = Tally()
        let (stream, feed) = AsyncStream<Data>.makeStream()
        feed.onTermination = { _ in stopped.add() }
        feed.yield(Data("123456".utf8))
        let transport = MockTransport(clock: ManualClock(), bodyLimit: limit) { _ in MockAnswer(.contentTooLarge) }
        let dispatcher = MockURLRequestDispatcher(transport: transport)
        // If all that was announced is read, the stream still has to say that there is no more.
        if isComplete { feed.finish() }
        let response = try await dispatcher.upload(for: Self.put, from: .stream(stream, length: isComplete ? 6 : nil))
            .response()
        #expect(response.statusCode == .contentTooLarge)
        let request = try #require(dispatcher.requests.first)
        #expect(request.body == Data(body.utf8))
        #expect(request.isBodyComplete == isComplete)
        if limit > 0 { await stopped.reach(1) }
        feed.finish()
    }

    @Test func aBodyInMemoryHasTheSameLimit() async throws {
        let transport = MockTransport(clock: ManualClock(), bodyLimit: 3) { _ in MockAnswer(.contentTooLarge) }
        _ = try await transport.send(TransportRequest(URLRequest("PUT", Fixture.url, body: "12345")))
        _ = try await transport.send(TransportRequest(URLRequest("PUT", Fixture.url, body: "123")))
        #expect(transport.requests.map(\.isBodyComplete) == [false, true])
        #expect(transport.requests.map(\.body) == [Data("123".utf8), Data("123".utf8)])
    }

    @Test func anErrorOfABodyReachesTheCaller() async throws {
        let dispatcher = Self.echo()
        let (stream, feed) = AsyncThrowingStream<Data, any Error>.makeStream()
        feed.yield(Data("12".utf8))
        feed.finish(throwing: Oops())
        await #expect(throws: Oops()) {
            try await dispatcher.upload(for: Self.put, from: .stream(stream)).response()
        }
        let short = AsyncStream<Data> { $0.finish() }
        let error = try await failure {
            try await dispatcher.upload(for: Self.put, from: .stream(short, length: 5)).response()
        }
        #expect(TransferError.Code.lengthMismatch ~= error)
        #expect(dispatcher.requests.isEmpty)
    }

    // MARK: Progress

    @Test func bytesAreReportedInBothDirections() async throws {
        let log = Locked<[String]>([])
        let reporter = TransferReporter { change in
            var progress = TransferProgress(direction: .sending)
            change(&progress)
            let text =
                "\(progress.bytesToSend ?? -1) \(progress.bytesSent) \(progress.bytesToReceive ?? -1) "
                + "\(progress.bytesReceived)"
            log.withLock { $0.append(text) }
        }
        var request = TransportRequest(Self.put)
        request.body = .data(Data(repeating: 1, count: 100_000))
        request.reporter = reporter
        let transport = MockTransport(answers: [MockAnswer(.ok, pieces: ["abc", "de"])], clock: ManualClock())
        _ = try await transport.send(request)
        #expect(
            log.withLock { $0 } == [
                "100000 0 -1 0", "-1 65536 -1 0", "-1 100000 -1 0", "-1 0 5 0", "-1 0 -1 3", "-1 0 -1 5",
            ]
        )
    }

    @Test func aDownloadTellsItsProgress() async throws {
        let clock = ManualClock()
        let pieces: [MockAnswer.Piece] = ["12345", .init("67890", after: .seconds(1))]
        let dispatcher = MockURLRequestDispatcher(
            transport: MockTransport(answers: [MockAnswer(.ok, pieces: pieces)], clock: clock)
        )
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        var fractions: [Double] = []
        var saved: URL?
        for try await event in dispatcher.download(for: Fixture.request, to: file).progress(every: .zero) {
            switch event {
            case .progress(let progress):
                fractions.append(progress.fractionCompleted ?? 0)
                if progress.bytesReceived == 5 { clock.advance(by: .seconds(1)) }
            case .finished(let response): saved = response.data
            }
        }
        #expect(saved == file)
        #expect(try Data(contentsOf: file) == Data("1234567890".utf8))
        #expect(fractions.contains(0.5))
        #expect(fractions == fractions.sorted())
    }

    @Test func anUploadTellsItsProgress() async throws {
        let dispatcher = Self.echo()
        let (stream, feed) = AsyncStream<Data>.makeStream()
        feed.yield(Data(repeating: 1, count: 50))
        var sent: [Int64] = []
        for try await event in dispatcher.upload(for: Self.put, from: .stream(stream)).progress(every: .zero) {
            guard case .progress(let progress) = event else { continue }
            sent.append(progress.bytesSent)
            if progress.bytesSent == 50 {
                feed.yield(Data(repeating: 1, count: 50))
                feed.finish()
            }
        }
        #expect(sent.contains(50))
        #expect(sent.last == 100)
    }

    @Test func theBodyOfARedirectIsNoProgress() async throws {
        let received = Locked<[Int64]>([])
        let reporter = TransferReporter { change in
            var progress = TransferProgress(direction: .receiving)
            change(&progress)
            received.withLock { $0.append(progress.bytesReceived) }
        }
        var request = TransportRequest(Fixture.request)
        request.reporter = reporter
        let transport = MockTransport(answers: [MockAnswer(.found, body: "moved")], clock: ManualClock())
        _ = try await transport.send(request)
        #expect(received.withLock { $0 }.allSatisfy { $0 == 0 })
    }
}
