import PiuPiuAsync
import PiuPiuRecording
import TestSupport
import Testing

@Suite(.timeLimit(.generous)) struct HARRecorderTests {
    private let folder: DownloadFolder
    private let url = "https://example.com/"

    init() throws {
        folder = try DownloadFolder()
    }

    /// A transport that gives a body in chunks, and counts how many were asked for.
    private func chunks(_ chunks: [String], asked: Tally, error: (any Error)? = nil) -> ScriptedTransport.Script {
        { request in
            let rest = Rest(chunks)
            var response = TransportResponse.scripted(200, for: request)
            response.stream = ResponseBody(next: {
                asked.add()
                guard let chunk = rest.next() else {
                    if let error { throw error }
                    return nil
                }
                return Data(chunk.utf8)
            })
            return response
        }
    }

    @Test func streamsAreReadNoFasterThanTheReaderWants() async throws {
        let recorder = HARRecorder()
        let asked = Tally()
        let dispatcher = HARFixture.recording(with: recorder, chunks(["a", "b", "c"], asked: asked))
        let body = try await dispatcher.stream(for: HARFixture.request(url)).data
        #expect(asked.count == 0 && recorder.underWayCount == 1 && recorder.har.entries.isEmpty)
        var iterator = body.makeAsyncIterator()
        for (index, expected) in ["a", "b", "c"].enumerated() {
            #expect(try await iterator.next() == Data(expected.utf8))
            #expect(asked.count == index + 1)
        }
        #expect(recorder.underWayCount == 1)
        #expect(try await iterator.next() == nil)
        #expect(recorder.underWayCount == 0)
        #expect(recorder.har.entries.map(\.response.content.text) == ["abc"])
    }

    @Test func bodiesBeyondTheLimitAreMarked() async throws {
        let recorder = HARRecorder(maximumBody: 4)
        let asked = Tally()
        let streaming = HARFixture.recording(with: recorder, chunks(["abc", "def"], asked: asked))
        #expect(try await streaming.stream(for: HARFixture.request(url)).data.collect(upTo: 10) == Data("abcdef".utf8))
        let buffering = HARFixture.recording(with: recorder) { .scripted(200, for: $0, body: "abcdef") }
        let post = HARFixture.request("POST", url, body: "123456")
        #expect(try await buffering.text(post) == "abcdef")
        for entry in recorder.har.entries {
            #expect(entry.response.content.text == "abcd")
            #expect(entry.response.content.size == 6)
            #expect(entry.response.content.isTruncated)
        }
        #expect(recorder.har.entries.last?.request.postData?.text == "1234")
        let har = try HAR(recorder.har.data())
        for request in [HARFixture.request(url), post] {
            let error = try await failure { try await HARFixture.offline(har).data(for: request) }
            #expect((error as? HARError)?.code == .incompleteEntry)
            #expect("\(error)".contains("only a part of its body was recorded"))
        }
    }

    @Test func streamsThatFailAreMarked() async throws {
        let recorder = HARRecorder()
        let script = chunks(["a"], asked: Tally(), error: TransportError(.truncatedBody))
        let dispatcher = HARFixture.recording(with: recorder, script)
        let error = try await failure {
            try await dispatcher.stream(for: HARFixture.request(url)).data.collect(upTo: 10)
        }
        #expect((error as? TransportError)?.code == .truncatedBody)
        #expect(recorder.har.entries.map(\.response.error) == ["truncatedBody"])
        #expect(recorder.har.entries.map(\.response.content.isTruncated) == [true])
        // The body is not read at all.
        _ = try await dispatcher.stream(for: HARFixture.request(url))
        #expect(recorder.har.entries.last?.response.error == "not read to its end")
        #expect(recorder.underWayCount == 0)
    }

    @Test func entriesAreInTheOrderInWhichTheyBegan() async throws {
        let recorder = HARRecorder()
        let gate = Gate()
        let dispatcher = HARFixture.recording(with: recorder) { request in
            if request.urlRequest.url?.path == "/0" { try await gate.wait() }
            return .scripted(200, for: request)
        }
        let first = Task { try await dispatcher.data(for: HARFixture.request(url + "0")) }
        await gate.arrival()
        _ = try await dispatcher.data(for: HARFixture.request(url + "1"))
        #expect(recorder.har.entries.map(\.request.url) == [url + "1"])
        gate.open()
        _ = try await first.value
        #expect(recorder.har.entries.map(\.request.url) == [url + "0", url + "1"])
    }

    @Test func whatDoesNotFitIsCounted() async throws {
        let recorder = HARRecorder(maximumSize: 2000)
        let dispatcher = HARFixture.recording(with: recorder) {
            .scripted(200, for: $0, body: String(repeating: "x", count: 1000))
        }
        for _ in 0..<3 { _ = try await dispatcher.data(for: HARFixture.request(url)) }
        #expect(recorder.har.entries.count == 1)
        #expect(recorder.skippedCount == 2)
        #expect(try HAR(recorder.har.data()).comment?.hasPrefix("2 exchanges are missing") == true)
    }

    @Test func everyExchangeIsSavedWhereThatIsWanted() async throws {
        let file = folder["new/folder/a.har"]
        let recorder = HARRecorder(savingTo: file)
        let asked = Tally()
        let dispatcher = HARFixture.recording(with: recorder) { .scripted(200, for: $0, body: "x") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<20 {
                group.addTask { _ = try await dispatcher.data(for: HARFixture.request(url + "\(index)")) }
            }
            try await group.waitForAll()
        }
        #expect(try HAR(contentsOf: file).entries.count == 20)
        let streaming = HARFixture.recording(with: recorder, chunks(["a"], asked: asked))
        _ = try await streaming.stream(for: HARFixture.request(url)).data.collect(upTo: 1)
        #expect(try HAR(contentsOf: file).entries.count == 21)
        #expect(folder.listing == ["new", "new/folder", "new/folder/a.har"])
    }

    @Test func pathsWithDotsAndLinksAreFollowed() async throws {
        try await HARRecorder().save(to: URL(filePath: folder.url.path + "/missing/../x.har"))
        #expect(try HAR(contentsOf: folder["x.har"]).entries.isEmpty)
        try folder.write("data/old.har", Data("old".utf8))
        let link = folder["link.har"]
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "data/old.har")
        try await HARRecorder().save(to: link)
        #expect(try HAR(contentsOf: folder["data/old.har"]).entries.isEmpty)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "data/old.har")
        #expect(folder.listing == ["data", "data/old.har", "link.har", "missing", "x.har"])
    }

    @Test func aPipeIsWrittenTo() async throws {
        let pipe = folder["pipe"]
        #expect(mkfifo(pipe.path, 0o600) == 0)
        // On a thread of its own, because opening a pipe waits for the other side.
        async let read = withCheckedThrowingContinuation { (continuation: CheckedContinuation<Data?, any Error>) in
            Thread.detachNewThread {
                continuation.resume(with: Result { try FileHandle(forReadingFrom: pipe).readToEnd() })
            }
        }
        try await HARRecorder().save(to: pipe)
        #expect(try await read == HARRecorder().har.data())
        #expect(folder.listing == ["pipe"])
        try await HARRecorder().save(to: URL(filePath: "/dev/null"))
    }

    @Test func aFileThatCannotBeWrittenIsAnError() async throws {
        try folder.write("blocked", Data())
        let inTheWay = folder["blocked/a.har"]
        let dispatcher = HARFixture.recording(with: HARRecorder(savingTo: inTheWay)) { .scripted(200, for: $0) }
        let error = try await failure { try await dispatcher.data(for: HARFixture.request(url)) }
        #expect(error is TransferError)
        await #expect(throws: TransferError.self) { try await HARRecorder().save(to: folder.url) }
        await #expect(throws: TransferError.self) { try await HARRecorder().save(to: Fixture.url) }
        #expect(folder.listing == ["blocked"])
    }

    @Test func cancelledExchangesAreRecordedAsSuch() async throws {
        let recorder = HARRecorder()
        let gate = Gate()
        let dispatcher = HARFixture.recording(with: recorder) { request in
            try await gate.wait()
            return .scripted(200, for: request)
        }
        let task = Task { try await dispatcher.data(for: HARFixture.request(url)) }
        await gate.arrival()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(recorder.har.entries.map(\.response.error) == ["cancelled"])
    }
}

/// What is left of some chunks.
private final class Rest: Sendable {
    private let chunks: Locked<[String]>

    init(_ chunks: [String]) {
        self.chunks = Locked(chunks)
    }

    func next() -> String? {
        chunks.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
