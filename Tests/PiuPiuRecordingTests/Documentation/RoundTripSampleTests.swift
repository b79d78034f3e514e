import PiuPiuAsync
import PiuPiuRecording
import PiuPiuTesting
import TestSupport
import Testing

/// The sample of a recording that is made and replayed in one test.
struct RoundTripSampleTests {
    @Test func recordedAndReplayed() async throws {
        let folder = try DownloadFolder()
        let fileURL = folder["posts.har"]
        let server = try LoopbackServer()
        let body = #"[{"id":1,"title":"Hello"}]"#
        server.route("/posts", .json(body))

        // Record: a server of the test here, the real service in yours.
        let recorder = HARRecorder()
        let live = URLRequestDispatcher(baseURL: server.baseURL, interceptors: [recorder])
        let recorded: [Post] = try await live.get("/posts", headers: [.authorization: "Bearer s3cret"])
        try await recorder.save(to: fileURL)
        await live.shutdown()

        // Replay: no transport is asked, and one without answers proves it.
        let replayer = HARReplayer(try HAR(contentsOf: fileURL))
        var configuration = URLRequestDispatcher.Configuration()
        configuration.baseURL = server.baseURL
        let replaying = URLRequestDispatcher(
            configuration: configuration,
            interceptors: [replayer],
            transport: MockTransport(answers: [])
        )
        let replayed: [Post] = try await replaying.get("/posts")

        #expect(replayed.map(\.title) == recorded.map(\.title))
        #expect(try String(contentsOf: fileURL, encoding: .utf8).contains("s3cret") == false)
        await #expect(throws: HARError.self) { let _: Post = try await replaying.get("/posts/2") }

        #expect(recorded.map(\.title) == ["Hello"])
        #expect(server.requests(for: "/posts").count == 1)
    }
}
