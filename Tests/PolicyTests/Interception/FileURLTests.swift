import Foundation
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync

/// Requests for `file:` URLs, which a dispatcher answers if its configuration allows it.
@Suite(.timeLimit(.generous)) struct FileURLTests {
    private let folder: DownloadFolder
    private let dispatcher: URLRequestDispatcher

    init() throws {
        folder = try DownloadFolder()
        dispatcher = .forTests { $0.allowsFileURLs = true }
    }

    private func code(_ url: URL, _ method: String = "GET", body: String? = nil) async throws -> TransportError.Code? {
        let error = try await failure { try await dispatcher.data(for: URLRequest(method, url, body: body)) }
        return (error as? TransportError)?.code
    }

    @Test func aFileIsRefusedByDefault() async throws {
        let file = try folder.write("file.json", Data("[]".utf8))
        let dispatcher = URLRequestDispatcher.forTests()
        let error = try await failure { try await dispatcher.data(from: file) }
        #expect(TransportError.Code.unsupportedScheme ~= error)
        #expect("\(error)".contains("allowsFileURLs"))
        await #expect(throws: TransportError.self) { try await dispatcher.stream(for: URLRequest(url: file)) }
        await #expect(throws: TransportError.self) {
            try await dispatcher.download(for: URLRequest(url: file), to: folder["copy"]).response()
        }
        #expect(folder.listing == ["file.json"])
    }

    @Test func aFileIsAResponse() async throws {
        let file = try folder.write("file.json", Data(#"{"id":1}"#.utf8))
        let response = try await dispatcher.data(from: file)
        #expect(response.data == Data(#"{"id":1}"#.utf8))
        #expect(response.statusCode == .ok)
        #expect(response.headers["Content-Type"] == "application/json")
        #expect(response.headers["Content-Length"] == "8")
        #expect(response.urlRequest.url == file)
        let foundation = try #require(response.urlResponse as? HTTPURLResponse)
        #expect(foundation.statusCode == 200 && foundation.url == file && foundation.mimeType == "application/json")
        #expect(try response.validated(.json).makeHTTPResponse().statusCode == .ok)
    }

    @Test(arguments: [
        ("a.json", "application/json"), ("A.JSON", "application/json"), ("a.tar.gz", "application/gzip"),
        ("a.txt", "text/plain"), ("a.jpeg", "image/jpeg"), ("json", "application/octet-stream"),
        (".json", "application/json"), ("a.", "application/octet-stream"), ("a.json.bak", "application/octet-stream"),
    ])
    func theTypeFollowsFromTheName(_ pair: (String, String)) async throws {
        let file = try folder.write(pair.0, Data("x".utf8))
        #expect(try await dispatcher.data(from: file).headers["Content-Type"] == pair.1)
    }

    @Test func aHeadHasNoBody() async throws {
        let file = try folder.write("file", Data("hello".utf8))
        let response = try await dispatcher.data(for: URLRequest("HEAD", file))
        #expect(response.data == nil)
        #expect(response.headers["Content-Length"] == "5")
    }

    @Test func anEmptyFileHasNoBody() async throws {
        let file = try folder.write("empty", Data())
        #expect(try await dispatcher.data(from: file).data == nil)
        let stream = try await dispatcher.stream(for: URLRequest(url: file))
        #expect(try await stream.data.collect(upTo: 10).isEmpty)
        _ = try await dispatcher.download(for: URLRequest(url: file), to: folder["copy"]).response()
        #expect(folder.data("copy") == Data())
    }

    @Test func theLimitForBodiesApplies() async throws {
        let file = try folder.write("file", Data(count: 1 << 20))
        let request = URLRequest(url: file)
        #expect(
            try await dispatcher.data(for: request, options: RequestOptions(maximumBufferedBody: 1 << 20)).data != nil
        )
        let small = RequestOptions(maximumBufferedBody: 1 << 20 - 1)
        let error = try await failure { try await dispatcher.data(for: request, options: small) }
        #expect(TransportError.Code.bodyTooLarge ~= error)
        let stream = try await dispatcher.stream(for: request, options: small)
        #expect(try await stream.data.collect(upTo: 1 << 20).count == 1 << 20)
    }

    // The length of such a file is zero until it is read.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
    func aFileWithoutALengthIsReadToItsEnd() async throws {
        let url = URL(filePath: "/proc/self/status")
        let response = try await dispatcher.data(from: url)
        #expect(String(decoding: response.data ?? Data(), as: UTF8.self).contains("Threads:"))
        #expect(response.headers["Content-Length"] == nil)
        let options = RequestOptions(maximumBufferedBody: 10)
        let error = try await failure { try await dispatcher.data(from: url, options: options) }
        #expect(TransportError.Code.bodyTooLarge ~= error)
    }

    @Test func aStreamReadsPieceByPieceAndClosesTheFile() async throws {
        let bytes = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let request = URLRequest(url: try folder.write("file", bytes))
        var read = Data()
        var largest = 0
        let stream = try await dispatcher.stream(for: request)
        #expect(stream.data.expectedLength == 700_000)
        for try await piece in stream.data {
            read += piece
            largest = max(largest, piece.count)
        }
        #expect(read == bytes && largest == 256 * 1024)
        for try await _ in try await dispatcher.stream(for: request).data { break }
        let unread = try await dispatcher.stream(for: request)
        _ = try await dispatcher.data(for: request)
        #expect(folder.openDescriptors <= 1)
        dispatcher.invalidateAndCancel()
        await #expect(throws: CancellationError.self) { try await unread.data.collect(upTo: .max) }
        #expect(folder.openDescriptors == 0)
    }

    @Test func aStreamThatIsCutOffIsNoEnd() async throws {
        let file = try folder.write("file", Data(count: 600_000))
        let stream = try await dispatcher.stream(for: URLRequest(url: file))
        var iterator = stream.data.makeAsyncIterator()
        #expect(try await iterator.next()?.count == 256 * 1024)
        try FileHandle(forWritingTo: file).truncate(atOffset: 300_000)
        let error = try await failure {
            while try await iterator.next() != nil {}
        }
        #expect(TransferError.Code.fileChanged ~= error)
    }

    @Test func theTotalLimitIncludesReadingTheStream() async throws {
        let clock = ManualClock()
        let mock = MockURLRequestDispatcher(
            transport: MockTransport(answers: [], clock: clock),
            configuration: .init(options: RequestOptions(timeouts: Timeouts(total: .seconds(5))), allowsFileURLs: true)
        )
        let file = try folder.write("file", Data(count: 600_000))
        let stream = try await mock.stream(for: URLRequest(url: file))
        var iterator = stream.data.makeAsyncIterator()
        #expect(try await iterator.next() != nil)
        clock.advance(by: .seconds(5))
        let error = try await failure { try await iterator.next() }
        #expect(TransportError.Code.timeout(.total) ~= error)
    }

    @Test func aDownloadCopiesTheFile() async throws {
        let bytes = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let request = URLRequest(url: try folder.write("file.zip", bytes))
        let response = try await dispatcher.download(for: request, to: folder["new/copy"]).response()
        #expect(response.statusCode == .ok && response.data == folder["new/copy"])
        #expect(folder.data("new/copy") == bytes)
        // Over the file itself, too.
        _ = try await dispatcher.download(for: request, to: folder["file.zip"]).response()
        #expect(folder.data("file.zip") == bytes)
        #expect(folder.openDescriptors == 0)
    }

    @Test func whatIsNoFileIsATransferError() async throws {
        try folder.write("folder/file", Data("x".utf8))
        #expect(mkfifo(folder["pipe"].path, 0o600) == 0)
        let link = folder["link"]
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder["pipe"])
        for url in [folder["folder"], folder["pipe"], link, URL(filePath: "/dev/zero"), URL(filePath: "/")] {
            let error = try await failure { try await dispatcher.data(from: url) }
            #expect(TransferError.Code.notARegularFile ~= error, "\(url): \(error)")
        }
        for url in [folder["missing"], folder["missing/file"]] {
            let error = try await failure { try await dispatcher.data(from: url) }
            #expect(TransferError.Code.fileNotFound ~= error, "\(url): \(error)")
        }
        await #expect(throws: TransferError.self) {
            try await dispatcher.download(for: URLRequest(url: folder["missing"]), to: folder["copy"]).response()
        }
        #expect(folder.data("copy") == nil)
    }

    @Test(arguments: [301, 302, 303, 307, 308]) func noRedirectLeadsToAFile(_ status: Int) async throws {
        let file = try folder.write("file", Data("secret".utf8))
        let server = try LoopbackServer()
        for target in [file.absoluteString, "FILE://" + file.path(), "file://localhost" + file.path()] {
            server.route("/", .redirect(to: target, status: status))
            let error = try await failure { try await dispatcher.data(from: server.url("/")) }
            #expect(TransportError.Code.unsafeRedirect ~= error, "\(error)")
            await #expect(throws: TransportError.self) {
                try await dispatcher.stream(for: URLRequest(url: server.url("/")))
            }
            await #expect(throws: TransportError.self) {
                try await dispatcher.download(for: URLRequest(url: server.url("/")), to: folder["copy"]).response()
            }
        }
        #expect(folder.data("copy") == nil)
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "LIST"]) func aFileIsOnlyRead(_ method: String)
        async throws
    {
        let file = try folder.write("file", Data("old".utf8))
        #expect(try await code(file, method, body: method == "PUT" ? "new" : nil) == .invalidRequest)
        #expect(folder.data("file") == Data("old".utf8))
    }

    @Test func aRequestForAFileHasNoBody() async throws {
        let file = try folder.write("file", Data("old".utf8))
        #expect(try await code(file, "GET", body: "body") == .invalidRequest)
        let body = RequestBody.file(file)
        let error = try await failure {
            try await dispatcher.upload(for: URLRequest("GET", file), from: body).response()
        }
        #expect(TransportError.Code.invalidRequest ~= error)
    }

    @Test func onlyThisMachineHasFiles() async throws {
        let path = try folder.write("file", Data("x".utf8)).path()
        for prefix in ["file://", "file://localhost", "FILE://LOCALHOST", "file:"] {
            let url = try #require(URL(string: prefix + path))
            #expect(try await dispatcher.data(from: url).data == Data("x".utf8), "\(url)")
        }
        for prefix in ["file://server", "file://127.0.0.1", "file://localhost.", "file://user@localhost", "file://:1"] {
            let url = try #require(URL(string: prefix + path))
            #expect(try await code(url) == .invalidURL, "\(url)")
        }
    }

    @Test func aPathNamesOneFile() async throws {
        try folder.write("file", Data("x".utf8))
        try folder.write("folder/file", Data("y".utf8))
        let base = folder.url.absoluteString
        let slash = base.hasSuffix("/") ? "" : "/"
        for path in ["file?query", "file#fragment", "./file", "%66ile"] {
            let url = try #require(URL(string: base + slash + path))
            #expect(try await dispatcher.data(from: url).data == Data("x".utf8), "\(url)")
        }
        for path in ["folder/../file", "folder/%2e%2e/file", "folder/.%2E/file", "folder%2Ffile", "file%00", "%FF"] {
            let url = try #require(URL(string: base + slash + path))
            #expect(try await code(url) == .invalidURL, "\(url)")
        }
        let relative = try #require(URL(string: "file"))
        #expect(throws: FileURLInterceptor.Refusal.self) { try FileURLInterceptor.file(relative) }
    }

    @Test func namesMayHaveAnyCharacter() async throws {
        for name in ["a b", "100%", "a;b", "ä", "a?b", "a#b", "..a", "a:b"] {
            let file = try folder.write(name, Data(name.utf8))
            #expect(try await dispatcher.data(from: file).data == Data(name.utf8), "\(file)")
        }
    }

    @Test func anAdapterCanPointToAFile() async throws {
        struct Local: URLRequestAdapter {
            let folder: URL

            func adapt(urlRequest: URLRequest) async throws -> URLRequest {
                var request = urlRequest
                request.url = folder.appending(path: (urlRequest.url?.lastPathComponent ?? "") + ".json")
                return request
            }
        }
        let file = try folder.write("posts.json", Data("[1]".utf8))
        var configuration = URLRequestDispatcher.Configuration()
        configuration.allowsFileURLs = true
        let dispatcher = URLRequestDispatcher(
            configuration: configuration,
            requestAdapters: [Local(folder: folder.url)]
        )
        let response = try await dispatcher.data(from: try #require(URL(string: "https://example.com/posts")))
        #expect(try response.decode([Int].self) == [1])
        #expect(response.urlRequest.url == file)
    }

    @Test func interceptorsSeeTheRequestAndTheResponse() async throws {
        struct Spy: Interceptor {
            let seen: Locked<[Int]>

            func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
                let response = try await next(request)
                seen.withLock { $0.append(response.body?.count ?? 0) }
                return response
            }
        }
        let seen = Locked<[Int]>([])
        let dispatcher = URLRequestDispatcher.forTests(interceptors: [Spy(seen: seen)]) { $0.allowsFileURLs = true }
        _ = try await dispatcher.data(from: try folder.write("file", Data("hello".utf8)))
        #expect(seen.withLock { $0 } == [5])
    }

    @Test func otherSchemesAreAsBefore() async throws {
        let server = try LoopbackServer()
        server.route("/", .response(body: "hello"))
        #expect(try await dispatcher.data(from: server.url("/")).data == Data("hello".utf8))
        #expect(try await code(try #require(URL(string: "ftp://example.com/"))) == .unsupportedScheme)
    }
}
