import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// The samples of the article on trailers, early hints and expectations, and of the comments on their types.
@Suite(.timeLimit(.generous)) struct TrailerSamplesTests {
    private actor Counter {
        var value = 0
    }

    private let request = URLRequest(url: Fixture.url("https://example.com/posts"), method: .post)
    private let print = Printed()
    private let dispatcher: URLRequestDispatcher

    init() {
        let transport = MockTransport { _ in
            var answer = MockAnswer(.ok, body: "hello")
            answer.trailers = ["X-Checksum": "42", "Content-Length": "9"]
            answer.informational = [
                InformationalResponse(.processing), InformationalResponse(.earlyHints, headers: [.link: "</a>"]),
            ]
            return answer
        }
        dispatcher = URLRequestDispatcher(transport: transport)
    }

    @Test func responses() async throws {
        let response = try await dispatcher.data(for: request)
        print(response.trailers["X-Checksum"] ?? "none")

        #expect(response.trailers == ["X-Checksum": "42"])

        for hint in response.informational where hint.statusCode == .earlyHints {
            print(hint.headers.values(for: "Link"))
        }

        let stream = try await dispatcher.stream(for: request)
        for try await chunk in stream.data {
            print(chunk.count)
        }
        print(stream.data.trailers?["X-Checksum"] ?? "none")

        #expect(print.lines == ["42", #"["</a>"]"#, "5", "42"])
    }

    @Test func uploads() async throws {
        let folder = try DownloadFolder()
        let fileURL = folder.url.appending(path: "file")
        try Data("hello".utf8).write(to: fileURL)

        let upload = RequestBody.file(fileURL).withTrailers(["X-Sum"], from: UInt64(0)) { sum, bytes in
            for byte in bytes { sum = sum &* 31 &+ UInt64(byte) }
        } compute: { sum in
            ["X-Sum": String(sum, radix: 16)]
        }
        let saved = try await dispatcher.upload(for: request, from: upload).response()

        #expect(saved.statusCode == .ok)

        var options = RequestOptions()
        options.expectContinue = .above(1 << 20).waiting(.seconds(3))
        let answer = try await dispatcher.upload(for: request, from: .file(fileURL), options: options).response()

        #expect(answer.statusCode == .ok)
    }

    @Test func expectation() async throws {
        let folder = try DownloadFolder()
        let fileURL = folder.url.appending(path: "file")
        try Data("hello".utf8).write(to: fileURL)

        var options = RequestOptions()
        options.expectContinue = .above(1 << 20).waiting(.seconds(3))
        let response = try await dispatcher.upload(for: request, from: .file(fileURL), options: options).response()

        #expect(response.statusCode == .ok)
    }

    @Test func bodies() async throws {
        let folder = try DownloadFolder()
        let fileURL = folder.url.appending(path: "file")
        try Data("hello".utf8).write(to: fileURL)
        let counter = Counter()
        let events = AsyncStream<Data> { $0.finish() }

        do {
            let body = RequestBody.stream(events).withTrailers(["X-Event-Count"]) {
                ["X-Event-Count": "\(await counter.value)"]
            }
            #expect(try await dispatcher.upload(for: request, from: body).response().statusCode == .ok)
        }

        let body = RequestBody.file(fileURL).gzipped().withTrailers(["X-Sum"], from: UInt64(0)) { sum, bytes in
            for byte in bytes { sum = sum &* 31 &+ UInt64(byte) }
        } compute: { sum in
            ["X-Sum": String(sum, radix: 16)]
        }
        #expect(try await dispatcher.upload(for: request, from: body).response().statusCode == .ok)
    }
}
