import PiuPiuAsync
import PiuPiuRecording
import TestSupport
import Testing

/// The samples about recordings.
struct RecordingSamplesTests {
    private let url = Fixture.url("https://example.com/posts")
    private let folder: DownloadFolder
    private let fileURL: URL

    init() throws {
        folder = try DownloadFolder()
        fileURL = folder["posts.har"]
        let body = #"[{"id":1,"title":"Hello"}]"#
        try HAR(entries: [HARFixture.entry("https://example.com/posts", body: body)]).write(to: fileURL)
    }

    /// A dispatcher as in the samples, without a network.
    private struct URLRequestDispatcher {
        private let dispatcher: PiuPiuAsync.URLRequestDispatcher

        typealias Configuration = PiuPiuAsync.URLRequestDispatcher.Configuration

        init(configuration: Configuration = Configuration(), interceptors: [any Interceptor] = []) {
            dispatcher = PiuPiuAsync.URLRequestDispatcher(
                configuration: configuration,
                interceptors: interceptors,
                transport: ScriptedTransport { .scripted(200, for: $0, body: #"[{"id":2,"title":"Live"}]"#) }
            )
        }

        func data(from url: URL) async throws -> Response<Data?> { try await dispatcher.data(from: url) }
        func data(for request: URLRequest) async throws -> Response<Data?> { try await dispatcher.data(for: request) }
    }

    @Test func recording() async throws {
        let recorder = HARRecorder()
        let dispatcher = URLRequestDispatcher(interceptors: [recorder])
        let posts = try await dispatcher.data(from: url).decode([Post].self)
        try await recorder.save(to: fileURL)

        #expect(posts.map(\.title) == ["Live"])
        #expect(try HAR(contentsOf: fileURL).entries.count == 1)
    }

    @Test func recordingInComments() async throws {
        let request = URLRequest(url: url)

        let recorder = HARRecorder()
        let dispatcher = URLRequestDispatcher(interceptors: [recorder])
        _ = try await dispatcher.data(for: request)
        try await recorder.save(to: fileURL)

        #expect(recorder.har.entries.count == 1)
    }

    @Test func observing() async throws {
        let recorder = HARRecorder()
        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = [recorder]
        let dispatcher = URLRequestDispatcher(configuration: configuration)

        let both = URLRequestDispatcher(configuration: configuration, interceptors: [recorder, RetryPolicy()])

        _ = try await dispatcher.data(from: url)
        _ = try await both.data(from: url)
        let texts = recorder.har.entries.map(\.response.content.text)
        #expect(texts == [nil, #"[{"id":2,"title":"Live"}]"#])
    }

    @Test func observingInComments() async throws {
        let recorder = HARRecorder()
        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = [recorder]
        let dispatcher = URLRequestDispatcher(configuration: configuration, interceptors: [recorder])

        _ = try await dispatcher.data(from: url)
        #expect(recorder.har.entries.count == 1)
    }

    @Test func savingAlways() async throws {
        let careful = HARRecorder(savingTo: fileURL)

        _ = try await URLRequestDispatcher(interceptors: [careful]).data(from: url)
        #expect(try HAR(contentsOf: fileURL) == careful.har)
    }

    @Test func redacting() async throws {
        var redaction = HARRedaction.default
        redaction.fields += ["iban"]
        redaction.headers += ["X-Customer"]
        let discreet = HARRecorder(redaction: redaction)

        _ = try await URLRequestDispatcher(interceptors: [discreet]).data(from: url)
        #expect(discreet.har.entries.count == 1)
    }

    @Test func redactingByAFunction() async throws {
        let url = Fixture.url("https://example.com/private/posts")

        var redaction = HARRedaction.default
        redaction.fields += ["iban"]
        redaction.custom = { entry in
            if entry.request.url.contains("/private/") { entry.response.content = HAR.Content() }
        }
        let recorder = HARRecorder(redaction: redaction)

        _ = try await URLRequestDispatcher(interceptors: [recorder]).data(from: url)
        #expect(recorder.har.entries.first?.response.content.text == nil)
    }

    @Test func replaying() async throws {
        let har = try HAR(contentsOf: fileURL)
        let dispatcher = URLRequestDispatcher(interceptors: [HARReplayer(har)])
        let posts = try await dispatcher.data(from: url).decode([Post].self)

        #expect(posts.map(\.title) == ["Hello"])
    }

    @Test func reading() async throws {
        let har = try HAR(contentsOf: fileURL)
        let dispatcher = URLRequestDispatcher(interceptors: [HARReplayer(har)])

        #expect(try await dispatcher.data(from: url).statusCode == .ok)
    }

    @Test func replayingInComments() async throws {
        let replayer = HARReplayer(try HAR(contentsOf: fileURL), matching: .lenient)
        let dispatcher = URLRequestDispatcher(interceptors: [replayer])
        let posts = try await dispatcher.data(from: url).decode([Post].self)

        #expect(posts.map(\.title) == ["Hello"])
    }

    @Test func rules() async throws {
        let har = try HAR(contentsOf: fileURL)
        func inComments() -> HARReplayer {
            var matching = HARMatching.strict
            matching.headers = ["Accept-Language"]
            matching.ignoredQueryItems = ["timestamp"]
            let replayer = HARReplayer(har, matching: matching)
            return replayer
        }

        var matching = HARMatching.strict
        matching.headers = ["Accept-Language"]
        matching.ignoredQueryItems = ["timestamp"]
        matching.repeatsLast = true
        let replayer = HARReplayer(har, matching: matching)

        let timed = Fixture.url("https://example.com/posts?timestamp=1")
        for replayer in [replayer, inComments()] {
            let dispatcher = URLRequestDispatcher(interceptors: [replayer])
            #expect(try await dispatcher.data(from: timed).decode([Post].self).map(\.title) == ["Hello"])
        }
    }

    @Test func both() async throws {
        let har = try HAR(contentsOf: fileURL)

        let replayer = HARReplayer(har, sendsWhatIsMissing: true)
        let recorder = HARRecorder(continuing: har, savingTo: fileURL)
        let dispatcher = URLRequestDispatcher(interceptors: [replayer, recorder])

        for title in ["Hello", "Live"] {
            #expect(try await dispatcher.data(from: url).decode([Post].self).map(\.title) == [title])
        }
        #expect(try HAR(contentsOf: fileURL).entries.count == 2)
    }

    @Test func whatIsMissing() async throws {
        let print = Printed()
        let dispatcher = URLRequestDispatcher(interceptors: [HARReplayer(try HAR(contentsOf: fileURL))])
        let request = URLRequest(url: Fixture.url("https://example.com/posts?page=2"))

        do {
            _ = try await dispatcher.data(for: request)
        } catch let error as HARError where error.code == .noMatch {
            print(error)  // names the nearest request of the recording, and what differs
        }

        #expect(print.lines.first?.contains("which differs in the query item \"page\"") == true)
    }
}
