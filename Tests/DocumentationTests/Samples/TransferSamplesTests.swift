import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// The samples about transfers and streams in the documentation and in comments, run against a server.
@Suite(.enabled(if: Surroundings.reachLoopbackDirectly, "a proxy stands in between"), .timeLimit(.generous))
final class TransferSamplesTests {
    private let server: LoopbackServer
    private let dispatcher = URLRequestDispatcher.forTests()
    private let folder = FileManager.default.temporaryDirectory.appending(path: "piupiu-\(UUID().uuidString)")
    private var fileURL: URL { folder.appending(path: "file.bin") }

    init() throws {
        server = try LoopbackServer()
        server.route("GET", "/file", .response(body: String(repeating: "x", count: 1_048_576)))
        server.route("GET", "/missing", .response(status: 404, body: "no such file"))
        server.route("GET", "/lines", .response(body: "one\r\ntwo\nthree"))
        server.route("GET", "/rows", .response(body: "{\"id\":1,\"title\":\"a\"}\n\n{\"id\":2,\"title\":\"b\"}\n"))
        server.route(
            "GET",
            "/events",
            .response(headers: ["Content-Type": "text/event-stream"], body: "data: hello\n\nevent: done\ndata: x\n\n")
        )
        server.route("POST", "/upload", .echo)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    @Test func downloadWithProgress() async throws {
        let print = Printed()
        let request = URLRequest(url: server.url("/file"))
        for try await event in dispatcher.download(for: request, to: fileURL) {
            switch event {
            case .progress(let progress): print(progress.fractionCompleted ?? 0)
            case .finished(let response): print(response.data)
            }
        }
        #expect(print.lines.first == "0.0")
        #expect(print.lines.last == "\(fileURL)")
    }

    @Test func downloadWithoutProgress() async throws {
        let request = URLRequest(url: server.url("/file"))
        let saved = try await dispatcher.download(for: request, to: fileURL).response()
        #expect(try Data(contentsOf: saved.data).count == 1_048_576)
    }

    @Test func downloadWithOptions() async throws {
        let request = URLRequest(url: server.url("/file"))
        var options = DownloadOptions()
        options.resume = .ifPossible
        options.expectedSize = 1_048_576
        let saved = try await dispatcher.download(for: request, to: fileURL, options: options).response()
        #expect(saved.data == fileURL)
    }

    @Test func downloadIntoAFolder() async throws {
        let print = Printed()
        let folderURL = folder
        let request = URLRequest(url: server.url("/file"))
        let report = try await dispatcher.download(for: request, into: folderURL).response()
        print(report.data.lastPathComponent)
        #expect(print.lines == ["file"])
    }

    @Test func downloadThatFails() async throws {
        let print = Printed()
        let request = URLRequest(url: server.url("/missing"))
        do {
            let saved = try await dispatcher.download(for: request, to: fileURL).response()
            print(saved.data.path)
        } catch let error as TransferError where error.code == .unacceptableStatus {
            print(error.response?.statusCode.rawValue ?? 0, String(decoding: error.body ?? Data(), as: UTF8.self))
        } catch TransferError.Code.noSpace {
            // nothing is left behind of the file
        }
        #expect(print.lines == ["404 no such file"])
    }

    @Test func uploads() async throws {
        let photoURL = folder.appending(path: "photo.jpg")
        try Data("photo".utf8).write(to: photoURL)
        try Data("contents".utf8).write(to: fileURL)
        let request = URLRequest(url: server.url("/upload"), method: .post)
        let response = try await dispatcher.upload(for: request, from: .file(fileURL)).response()
        #expect(response.data == Data("contents".utf8))
        do {
            var form = MultipartFormData()
            form.append("Ada", name: "author")
            form.append(file: photoURL, name: "photo", contentType: "image/jpeg")
            let answer = try await dispatcher.upload(for: request, from: .multipart(form)).response().validated()
            #expect(answer.data?.count ?? 0 > 100)
        }
        let rows = AsyncStream<Data> { continuation in
            for row in 1...3 { continuation.yield(Data("row \(row)\n".utf8)) }
            continuation.finish()
        }
        let stored = try await dispatcher.upload(for: request, from: .stream(rows)).response()
        #expect(stored.data == Data("row 1\nrow 2\nrow 3\n".utf8))
    }

    @Test func streamedUploads() async throws {
        let print = Printed()
        try Data(#"{"id":1,"title":"a"}"#.utf8).write(to: fileURL)
        let request = URLRequest(url: server.url("/upload"), method: .post)
        let response = try await dispatcher.stream(for: request, from: .file(fileURL)).validated()
        for try await row in response.data.jsonLines(of: Post.self) {
            print(row.title)
        }
        #expect(print.lines == ["a"])
    }

    @Test func streams() async throws {
        let print = Printed()
        do {
            let request = URLRequest(url: server.url("/lines"))
            let stream = try await dispatcher.stream(for: request)
            for try await chunk in stream.data {
                print(chunk.count)
            }
        }
        do {
            let request = URLRequest(url: server.url("/lines"))
            let response = try await dispatcher.stream(for: request).validated()
            for try await line in response.data.lines {
                print(line)
            }
        }
        do {
            let request = URLRequest(url: server.url("/rows"))
            let rows = try await dispatcher.stream(for: request).validated().data.jsonLines(of: Post.self)
            for try await post in rows {
                print(post.title)
            }
        }
        do {
            let request = URLRequest(url: server.url("/events"))
            for try await event in dispatcher.serverSentEvents(for: request) {
                print(event.type, event.data)
                if event.type == "done" { break }
            }
        }
        let request = URLRequest(url: server.url("/file"))
        let body = try await dispatcher.stream(for: request).data.collect(upTo: 1_048_576)
        #expect(body.count == 1_048_576)
        #expect(print.lines.dropFirst() == ["one", "two", "three", "a", "b", "message hello", "done x"])
    }
}
