import PiuPiuAsync
import PiuPiuRecording
import PiuPiuTesting
import TestSupport
import Testing

/// Recordings of real servers, replayed when the servers are gone.
@Suite(.timeLimit(.generous)) struct HARNetworkTests {
    private let recorder = HARRecorder()
    private let folder: DownloadFolder

    init() throws {
        folder = try DownloadFolder()
    }

    /// What was recorded, by way of a file.
    private func recorded() async throws -> HAR {
        try await recorder.save(to: folder["recorded.har"])
        return try HAR(contentsOf: folder["recorded.har"])
    }

    private func expectEqual(_ live: Response<Data?>, _ replayed: Response<Data?>) {
        #expect(replayed.data == live.data)
        #expect(replayed.statusCode == live.statusCode)
        #expect(replayed.head?.httpVersion == live.head?.httpVersion)
        #expect(replayed.head?.url == live.head?.url)
        let history = live.history.map { Redirect(statusCode: $0.statusCode, source: $0.source, target: $0.target) }
        #expect(replayed.history == history)
        var expected = live.headers
        if expected.contains("Content-Encoding") {
            expected["Content-Encoding"] = nil
            #expect(live.data?.isEmpty == false)
            if expected.contains("Content-Length") { expected["Content-Length"] = "\(live.data?.count ?? 0)" }
        }
        #expect(replayed.headers == expected)
    }

    @Test func whatALoopbackServerSaidIsSaidAgainWithoutIt() async throws {
        let server = try LoopbackServer()
        let binary = Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        server.route("GET", "/posts", .json(#"[{"id":1,"title":"Hé"}]"#))
        server.route("GET", "/binary", .response(headers: ["Content-Type": "image/png"], body: binary))
        server.route("GET", "/cookies", .response(headers: ["X-A": "1", "X-A": "2"], body: "two"))
        server.route("GET", "/missing", .json("{}", status: 404))
        server.route("HEAD", "/posts", .response(headers: ["X-Kind": "head"]))
        server.route("DELETE", "/posts", .response(status: 204))
        server.route("POST", "/posts", .echo)
        server.sequence("/counter", [[.response(body: "1")], [.response(body: "2")]])
        server.route("GET", "/old", .redirect(to: "/older"))
        server.route("GET", "/older", .redirect(to: "/posts", status: 307))
        var requests = ["/posts", "/binary", "/cookies", "/missing", "/counter", "/counter", "/old"].map {
            URLRequest(url: server.url($0))
        }
        requests.append(HARFixture.request("HEAD", server.url("/posts").absoluteString))
        requests.append(HARFixture.request("DELETE", server.url("/posts").absoluteString))
        var post = HARFixture.request("POST", server.url("/posts").absoluteString)
        try post.setJSONBody(Post(id: 3, title: "new"))
        requests.append(post)

        let live = URLRequestDispatcher.forTests(interceptors: [recorder])
        var responses: [Response<Data?>] = []
        for request in requests { responses.append(try await live.data(for: request)) }
        server.stop()

        let har = try await recorded()
        // Each redirect is an entry of its own.
        #expect(har.entries.count == requests.count + 2)
        let offline = HARFixture.offline(har)
        for (request, response) in zip(requests, responses) {
            expectEqual(response, try await offline.data(for: request))
        }
        #expect(responses[6].history.count == 2)
        let again = try await failure { try await offline.data(for: requests[0]) }
        #expect((again as? HARError)?.code == .usedUp)
        let lenient = HARFixture.offline(har, .lenient)
        for expected in ["1", "2", "2"] { #expect(try await lenient.text(requests[4]) == expected) }
    }

    @Test func redirectsAreRecordedInFullInsideOfTheirPolicy() async throws {
        let server = try LoopbackServer()
        server.route(
            "POST",
            "/old",
            .response(status: 303, headers: ["Location": "/new", "X-Hop": "1"], body: "see there")
        )
        server.route("GET", "/new", .response(body: "here"))
        let request = HARFixture.request("POST", server.url("/old").absoluteString, body: "text")
        let live = URLRequestDispatcher.forTests(interceptors: [RedirectPolicy(), recorder]) { $0.redirects = nil }
        let response = try await live.data(for: request)
        server.stop()

        let har = try await recorded()
        #expect(har.entries.map(\.request.method) == ["POST", "GET"])
        #expect(har.entries.first?.response.headers["X-Hop"] == "1")
        #expect(har.entries.first?.response.content.text == "see there")
        expectEqual(response, try await HARFixture.offline(har).data(for: request))
        // The redirect is returned if redirects are not followed.
        let unfollowed = try await HARFixture.offline(har, redirects: nil).data(for: request)
        #expect(unfollowed.statusCode == .seeOther)
    }

    @Test func uploadsAndDownloadsReplay() async throws {
        let server = try LoopbackServer()
        server.route("POST", "/upload", .echo)
        server.route("GET", "/file", .response(body: String(repeating: "0123456789", count: 10_000)))
        let file = try folder.write("upload.bin", Data([0, 255, 128, 13, 10]))
        let post = HARFixture.request("POST", server.url("/upload").absoluteString)
        let get = URLRequest(url: server.url("/file"))
        let live = URLRequestDispatcher.forTests(interceptors: [recorder])
        var form = MultipartFormData()
        form.append("Ada", name: "name")
        form.append(file: file, name: "file")
        func stream() -> RequestBody {
            .stream(
                AsyncStream { continuation in
                    for text in ["ab", "cd"] { continuation.yield(Data(text.utf8)) }
                    continuation.finish()
                }
            )
        }
        var bodies: [Data?] = []
        for body in [.file(file), stream(), .multipart(form)] as [RequestBody] {
            bodies.append(try await live.upload(for: post, from: body).response().data)
        }
        _ = try await live.download(for: get, to: folder["live"]).response()
        server.stop()

        let har = try await recorded()
        let recorded = har.entries.prefix(2).map { $0.request.postData?.data }
        #expect(recorded == [Data([0, 255, 128, 13, 10]), Data("abcd".utf8)])
        #expect(har.entries.first?.request.postData?.encoding == "base64")
        let offline = HARFixture.offline(har)
        _ = try await offline.download(for: get, to: folder["replayed"]).response()
        #expect(try Data(contentsOf: folder["replayed"]) == Data(contentsOf: folder["live"]))
        // A form of the same parts, with a boundary of its own.
        var other = MultipartFormData()
        other.append("Ada", name: "name")
        other.append(file: file, name: "file")
        for (body, expected) in zip([.file(file), stream(), .multipart(other)] as [RequestBody], bodies) {
            #expect(try await offline.upload(for: post, from: body).response().data == expected)
        }
    }

    @Test func streamsAreRecordedWhileTheyAreRead() async throws {
        let server = try LoopbackServer()
        let line = String(repeating: "x", count: 9999) + "\n"
        let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
        server.route("GET", "/lines", .send(head), .repeat(line, count: 50), .close)
        server.route("GET", "/endless", .send("HTTP/1.1 200 OK\r\n\r\n"), .repeat(line))
        let live = URLRequestDispatcher.forTests(interceptors: [recorder])
        let request = URLRequest(url: server.url("/lines"))
        var count = 0
        for try await line in try await live.stream(for: request).data.lines { count += line.count }
        let endless = URLRequest(url: server.url("/endless"))
        for try await chunk in try await live.stream(for: endless).data where !chunk.isEmpty { break }
        #expect(recorder.underWayCount == 0)
        #expect(count == 50 * 9999)
        server.stop()

        let har = try await recorded()
        let offline = HARFixture.offline(har)
        var replayed = 0
        for try await line in try await offline.stream(for: request).data.lines { replayed += line.count }
        #expect(replayed == count)
        #expect(har.entries.map(\.response.content.isTruncated) == [false, true])
        #expect(har.entries.last?.response.error == "not read to its end")
        let error = try await failure { try await offline.stream(for: endless) }
        #expect((error as? HARError)?.code == .incompleteEntry)
    }

    @Test func failuresAreRecordedAndNotReplayed() async throws {
        let server = try LoopbackServer()
        server.route("GET", "/gone", .close)
        let live = URLRequestDispatcher.forTests(interceptors: [recorder])
        let request = URLRequest(url: server.url("/gone"))
        _ = try await failure { try await live.data(for: request) }
        let har = try await recorded()
        #expect(har.entries.map(\.response.status) == [0])
        #expect(har.entries.first?.response.error == "connectionLost")
        let error = try await failure { try await HARFixture.offline(har).data(for: request) }
        #expect((error as? HARError)?.code == .noMatch)
    }

    @Test func timesAreThoseTheTransportMeasured() async throws {
        let server = try LoopbackServer()
        server.route("GET", "/", .response(body: "x"))
        let live = URLRequestDispatcher.forTests(interceptors: [recorder])
        let metrics = try await live.data(from: server.url("/")).metrics
        _ = try await live.data(from: server.url("/"))
        let timings = try await recorded().entries.map(\.timings)
        try #require(timings.count == 2)
        #expect(timings[0].total > 0)
        #if os(Linux)
        let total = try #require(metrics).total / .milliseconds(1)
        #expect(timings[0].connect >= 0 && timings[0].dns >= 0 && timings[0].ssl == -1)
        #expect(timings[1].connect == -1 && timings[1].dns == -1)
        #expect(timings[0].wait <= total + 0.01)
        #endif
    }
}

/// The same tests with a server that is not part of this project.
@Suite(.enabled(if: NginxServer.shared != nil, "nginx and openssl are needed"))
struct HARNginxTests {
    @Test func whatNginxSaidIsSaidAgainWithoutIt() async throws {
        let nginx = try #require(NginxServer.shared)
        let folder = try DownloadFolder()
        let recorder = HARRecorder(savingTo: folder["nginx.har"])
        let live = URLRequestDispatcher.forTests(interceptors: [recorder]) {
            $0.transport.certificateAuthorityFile = nginx.authority
        }
        let urls = [
            nginx.url(nginx.plain, "/text"), nginx.url(nginx.http2, "/text"), nginx.url(nginx.http1, "/to-plain"),
            nginx.url(nginx.http2, "/mega.bin"), nginx.url(nginx.plain, "/nothing"),
        ]
        var requests = urls.map { URLRequest(url: $0) }
        // From https to http it does not go by default.
        requests.remove(at: 2)
        requests.append(HARFixture.request("HEAD", urls[3].absoluteString))
        var responses: [Response<Data?>] = []
        for request in requests { responses.append(try await live.data(for: request)) }
        _ = try await failure { try await live.data(from: urls[2]) }
        await live.shutdown()
        #expect(responses[0].headers["Content-Encoding"] == "gzip")

        let offline = HARFixture.offline(try HAR(contentsOf: folder["nginx.har"]))
        for (request, live) in zip(requests, responses) {
            let replayed = try await offline.data(for: request)
            #expect(replayed.data == live.data)
            #expect(replayed.statusCode == live.statusCode)
            #expect(replayed.head?.httpVersion == live.head?.httpVersion)
            #expect(replayed.headers["Content-Encoding"] == nil)
            #expect(replayed.headers["Content-Type"] == live.headers["Content-Type"])
            #expect(replayed.headers["ETag"] == live.headers["ETag"])
        }
        #expect(recorder.har.entries.last?.response.error == "unsafeRedirect")
    }
}
