import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// The samples that the design promises for PiuPiuAsync, as they are written there.
@Suite(.enabled(if: Surroundings.reachLoopbackDirectly, "a proxy stands in between"), .timeLimit(.generous))
struct DesignSamplesTests {
    private struct MarkingAdapter: URLRequestAdapter {
        func adapt(urlRequest: URLRequest) async throws -> URLRequest {
            var request = urlRequest
            request.setValue("yes", forHTTPHeaderField: "X-Marked")
            return request
        }
    }

    // swift-format-ignore
    @Test func dispatcherAndConfiguration() async throws {
        let server = try Surroundings.server()
        server.sequence("/busy", [[.response(status: 503)], [.response(body: "done")]])
        let url = server.url("/posts/1")
        let request = URLRequest(url: server.url("/posts/2"))
        let logger = SampleCounter()
        let adapter = MarkingAdapter()

        let dispatcher = URLRequestDispatcher()                                // actor, sensible defaults
        let response = try await dispatcher.data(for: URLRequest(url: url, method: .get))   // Response<Data?>
        let post = try response.decode(Post.self)
        let http = try response.makeHTTPResponse()                             // HTTPResponse<Data?>
        if let error = http.httpError { throw error }                          // 4xx/5xx are not thrown by themselves
        let post2 = try await dispatcher.data(for: request).validated().decode(Post.self)   // validated() throws a struct: head, body, httpError

        // configuration is a value
        var configuration = URLRequestDispatcher.Configuration()
        configuration.timeouts = .init(connect: .seconds(5), idle: .seconds(30), total: .seconds(60))
        configuration.connections = .init(perHost: 8, total: 256)
        configuration.maximumBufferedBody = 16 * 1024 * 1024
        let tuned = URLRequestDispatcher(configuration: configuration, interceptors: [RetryPolicy(), logger])
        // the documented initialiser keeps working and maps what applies
        let classic = URLRequestDispatcher(configuration: .default, requestAdapter: adapter, responseAdapter: nil)

        let types: (Response<Data?>, HTTPResponse<Data?>) = (response, http)
        #expect(types.0.statusCode == .ok)
        #expect(post.title == "Hello")
        #expect(post2.title == "Bye")
        #expect(try await tuned.data(from: server.url("/busy")).decodeString() == "done")
        #expect(await logger.count.value == 2)
        #expect(tuned.configuration.maximumBufferedBody == 16_777_216)
        _ = try await classic.data(from: url)
        #expect(server.requests.last?.header("X-Marked") == "yes")
    }

    @Test func structuredConcurrency() async throws {
        let server = try Surroundings.server()
        let dispatcher = URLRequestDispatcher()
        let postsRequest = URLRequest(url: server.url("/posts"))
        let usersRequest = URLRequest(url: server.url("/users"))

        async let posts = dispatcher.data(for: postsRequest).decode([Post].self)
        async let users = dispatcher.data(for: usersRequest).decode([User].self)
        let (p, u) = try await (posts, users)

        #expect(p.count == 2)
        #expect(u.map(\.name) == ["Ada"])
    }

    /// What the samples call `bar`.
    private final class Bar {
        private(set) var fractions: [Double?] = []

        func update(_ fraction: Double?) {
            fractions.append(fraction)
        }
    }

    private struct Row: Decodable, Equatable {
        let id: Int
    }

    // swift-format-ignore
    @Test func transfers() async throws {
        let server = try Surroundings.server()
        server.route("PUT", "/upload", .echo)
        let dispatcher = URLRequestDispatcher()
        let folder = FileManager.default.temporaryDirectory.appending(path: "piupiu-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let fileURL = folder.appending(path: "posts.json")
        let bar = Bar()
        let print = Printed()
        var request = URLRequest(url: server.url("/posts"))

        // transfers: cold AsyncSequences. The request starts at the first iteration; leaving the loop cancels it;
        // the last event is always .finished; a slow reader skips progress, never the end.
        for try await event in dispatcher.download(for: request, to: fileURL) {
            switch event {
            case .progress(let progress): bar.update(progress.fractionCompleted)   // Double?, nil while the total is unknown
            case .finished(let response): print(response.data)                     // Response<URL>
            }
        }
        let saved = try await dispatcher.download(for: request, to: fileURL).response()      // without looking at progress
        #expect(bar.fractions.last == 1)
        #expect(print.lines == ["\(fileURL)"])
        #expect(saved.data == fileURL)

        request = URLRequest(url: server.url("/upload"), method: .put)
        var echoed: Data?
        for try await event in dispatcher.upload(for: request, from: .file(fileURL)) {   // .data, .file, .stream, .multipart
            switch event {
            case .progress(let progress):
                let counts = (progress.bytesSent, progress.bytesToSend, progress.bytesReceived, progress.bytesToReceive)
                #expect(counts.0 <= counts.1 ?? .max && counts.2 <= counts.3 ?? .max)
                bar.update(progress.fractionSent ?? progress.fractionReceived)
            case .finished(let response): echoed = response.data
            }
        }
        #expect(try echoed == Data(contentsOf: fileURL))
        await dispatcher.shutdown()                                            // finish what runs, refuse what comes
        await #expect(throws: TransportError.self) { try await dispatcher.data(for: request) }
    }

    // swift-format-ignore
    @Test func streaming() async throws {
        let server = try Surroundings.server()
        server.route("/rows", .response(body: "{\"id\":1}\n{\"id\":2}\n"))
        let dispatcher = URLRequestDispatcher()
        let request = URLRequest(url: server.url("/rows"))

        // streaming, with backpressure
        let stream = try await dispatcher.stream(for: request)                 // Response<ResponseBody>
        for try await chunk in stream.data { #expect(!chunk.isEmpty) }         // Data
        for try await line in stream.data.lines { Issue.record("\(line) was read before") }   // String
        for try await event in stream.data.serverSentEvents { Issue.record("\(event) was read before") }
        for try await row in stream.data.jsonLines(of: Row.self) { Issue.record("\(row) was read before") }

        var lines: [String] = []
        for try await line in try await dispatcher.stream(for: request).data.lines { lines.append(line) }
        #expect(lines == ["{\"id\":1}", "{\"id\":2}"])
        var rows: [Row] = []
        for try await row in try await dispatcher.stream(for: request).data.jsonLines(of: Row.self) { rows.append(row) }
        #expect(rows == [Row(id: 1), Row(id: 2)])
    }
}
