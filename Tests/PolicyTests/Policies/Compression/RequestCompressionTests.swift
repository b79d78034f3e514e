import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

@Suite(.enabled(if: Gunzip.isInstalled, "there is no gzip"), .timeLimit(.generous)) struct RequestCompressionTests {
    private static let text = Data(String(repeating: "a line of text that is repeated\n", count: 400).utf8)
    private static let post = URLRequest("POST", Fixture.url)

    /// A request with the text.
    private static var posting: URLRequest {
        var request = post
        request.httpBody = text
        return request
    }

    // MARK: The rules

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var headers: [String: String] = [:]
        var type: String?
        var data: Data?
        var body: RequestBody?
        var length: Int64?
        var minimumLength = 1024
        var expected = "leave"
    }

    // Made anew, because the leak checker does not see data that global values hold.
    static var rows: [Row] {
        [
            Row(testDescription: "nothing to send"),
            Row(testDescription: "empty data", data: Data(), minimumLength: 0),
            Row(testDescription: "empty file", body: .file(Fixture.url), length: 0, minimumLength: -5),
            Row(testDescription: "short data", data: Data(count: 1023)),
            Row(testDescription: "long data", data: Data(count: 1024), expected: "data"),
            Row(testDescription: "data with no limit", data: Data(count: 1), minimumLength: .min, expected: "data"),
            Row(testDescription: "data to upload", body: .data(Data(count: 1024)), expected: "data"),
            Row(testDescription: "short file", body: .file(Fixture.url), length: 1023),
            Row(testDescription: "long file", body: .file(Fixture.url), length: 1024, expected: "body"),
            Row(testDescription: "stream", body: .stream(AsyncStream { $0.finish() }), expected: "body"),
            Row(testDescription: "compressed", body: .file(Fixture.url).gzipped(), length: 5000),
            Row(testDescription: "encoded", headers: ["Content-Encoding": "br"], data: Data(count: 5000)),
            Row(testDescription: "identity", headers: ["content-encoding": "identity"], data: Data(count: 5000)),
            Row(testDescription: "part", headers: ["Content-Range": "bytes 0-4/9"], data: Data(count: 5000)),
            Row(testDescription: "digest", headers: ["Content-Digest": "md5=:a:"], data: Data(count: 5000)),
            Row(testDescription: "old digest", headers: ["Digest": "md5=a"], data: Data(count: 5000)),
            Row(testDescription: "whole digest", headers: ["Repr-Digest": "md5=:a:"], data: Data(count: 5000)),
            Row(testDescription: "MD5", headers: ["Content-MD5": "a"], data: Data(count: 5000)),
            Row(testDescription: "two bodies", data: Data(count: 5000), body: .data(Data(count: 5000))),
            Row(testDescription: "JPEG", type: "image/jpeg", data: Data(count: 5000)),
            Row(testDescription: "SVG", type: "image/svg+xml", data: Data(count: 5000), expected: "data"),
            Row(testDescription: "ZIP", type: "application/zip", body: .file(Fixture.url), length: 5000),
            Row(testDescription: "JSON", type: "application/json", data: Data(count: 5000), expected: "data"),
            Row(testDescription: "nonsense", type: "so so", data: Data(count: 5000), expected: "data"),
        ]
    }

    @Test(arguments: rows) func bodiesAreCompressedByTheRules(row: Row) {
        var urlRequest = URLRequest("POST", Fixture.url, headers: row.headers)
        if let type = row.type { urlRequest.setValue(type, forHTTPHeaderField: "Content-Type") }
        urlRequest.httpBody = row.data
        var request = TransportRequest(urlRequest)
        request.body = row.body
        let decision = RequestCompression(minimumLength: row.minimumLength).decision(for: request, length: row.length)
        switch decision {
        case .leave: #expect(row.expected == "leave")
        case .data(let data): #expect(row.expected == "data" && !data.isEmpty)
        case .body: #expect(row.expected == "body")
        }
        let refusing = RequestCompression(minimumLength: row.minimumLength) { _ in false }
        guard case .leave = refusing.decision(for: request, length: row.length) else {
            Issue.record("it is compressed although it must not be")
            return
        }
    }

    @Test func aRequestWithoutAURLIsLeftAlone() {
        var urlRequest = URLRequest(url: Fixture.url)
        urlRequest.httpBody = Self.text
        urlRequest.url = nil
        guard case .leave = RequestCompression().decision(for: TransportRequest(urlRequest), length: nil) else {
            Issue.record("it is changed")
            return
        }
    }

    // MARK: What is sent

    private static func mock(_ interceptors: [any Interceptor] = [RequestCompression()]) -> MockURLRequestDispatcher {
        MockURLRequestDispatcher(transport: MockTransport { _ in MockAnswer(.ok) }, interceptors: interceptors)
    }

    private static func check(_ request: MockRequest, holds content: Data = text, _ line: Int = #line) async throws {
        let location = SourceLocation(fileID: #fileID, filePath: #filePath, line: line, column: 1)
        #expect(request["Content-Encoding"] == "gzip", sourceLocation: location)
        #expect(request["Content-Length"] == nil, sourceLocation: location)
        #expect(try await Gunzip.content(of: request.body) == content, sourceLocation: location)
    }

    @Test func dataOfARequestIsCompressed() async throws {
        let dispatcher = Self.mock()
        var request = Self.posting
        request.setValue("\(Self.text.count)", forHTTPHeaderField: "Content-Length")
        let response = try await dispatcher.data(for: request)
        try await Self.check(dispatcher.requests[0])
        #expect(dispatcher.requests[0].body.count < Self.text.count / 10)
        #expect(response.urlRequest.httpBody?.isGzip == true)
        // The caller's request is as it was.
        #expect(request.httpBody == Self.text)
    }

    @Test func everyKindOfCallCompresses() async throws {
        let folder = try DownloadFolder()
        let file = try folder.write("file", Self.text)
        let dispatcher = Self.mock()
        _ = try await dispatcher.upload(for: Self.post, from: .data(Self.text)).response()
        _ = try await dispatcher.upload(for: Self.post, from: .file(file)).response()
        _ = try await dispatcher.upload(for: Self.post, from: .stream(GatedChunks([Self.text]))).response()
        _ = try await dispatcher.upload(
            for: Self.post,
            from: .stream(GatedChunks([Self.text]), length: Int64(Self.text.count))
        )
        .response()
        let stream = try await dispatcher.core.stream(for: Self.posting)
        for try await _ in stream.data {}
        _ = try await dispatcher.download(for: Self.posting, to: folder["saved"]).response()
        #expect(dispatcher.requests.count == 6)
        for request in dispatcher.requests { try await Self.check(request) }
    }

    @Test func formsAreCompressed() async throws {
        let folder = try DownloadFolder()
        let file = try folder.write("file", Self.text)
        var form = MultipartFormData()
        form.append(Self.text, name: "text")
        for hasFile in [false, true] {
            if hasFile { form.append(file: file, name: "file") }
            let dispatcher = Self.mock()
            _ = try await dispatcher.upload(for: Self.post, from: .multipart(form)).response()
            let request = dispatcher.requests[0]
            #expect(request["Content-Type"] == form.contentType)
            try await Self.check(request, holds: form.encoded())
        }
    }

    @Test func whatDoesNotShrinkIsSentAsItIs() async throws {
        var random = SeededRandom(seed: 1)
        let noise = Data((0..<5000).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        let dispatcher = Self.mock()
        var request = Self.post
        request.httpBody = noise
        _ = try await dispatcher.data(for: request)
        #expect(dispatcher.requests[0].body == noise)
        #expect(dispatcher.requests[0]["Content-Encoding"] == nil)
    }

    @Test func aBodyIsCompressedOnce() async throws {
        let dispatcher = Self.mock([RequestCompression(), RequestCompression(minimumLength: 0)])
        _ = try await dispatcher.data(for: Self.posting)
        _ = try await dispatcher.upload(for: Self.post, from: .stream(GatedChunks([Self.text]))).response()
        _ = try await dispatcher.upload(for: Self.post, from: .stream(GatedChunks([Self.text])).gzipped().gzipped())
            .response()
        for request in dispatcher.requests { try await Self.check(request) }
    }

    private struct Twice: Interceptor {
        func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
            _ = try await next(request)
            return try await next(request)
        }
    }

    @Test(arguments: [true, false]) func anotherAttemptSendsTheSame(isRetryOutside: Bool) async throws {
        let folder = try DownloadFolder()
        let file = try folder.write("file", Self.text)
        let policies: [any Interceptor] = [Twice(), RequestCompression()]
        let dispatcher = Self.mock(isRetryOutside ? policies : policies.reversed())
        _ = try await dispatcher.data(for: Self.posting)
        _ = try await dispatcher.upload(for: Self.post, from: .file(file)).response()
        #expect(dispatcher.requests.count == 4)
        for request in dispatcher.requests { try await Self.check(request) }
        await expect(TransferError.Code.bodyNotRepeatable) {
            _ = try await dispatcher.upload(for: Self.post, from: .stream(GatedChunks([Self.text]))).response()
        }
    }

    @Test(arguments: [303, 307]) func redirectsKeepTheBodyOrDropIt(code: Int) async throws {
        let dispatcher = MockURLRequestDispatcher(
            transport: MockTransport { request in
                request.path == "/end"
                    ? MockAnswer(.ok) : MockAnswer(StatusCode(rawValue: code), headers: ["Location": "/end"])
            },
            interceptors: [RequestCompression()]
        )
        _ = try await dispatcher.data(for: Self.posting)
        let last = dispatcher.requests[1]
        if code == 307 {
            try await Self.check(last)
        } else {
            #expect(last.body.isEmpty && last["Content-Encoding"] == nil)
        }
    }

    @Test func withoutTheLibraryNothingIsSent() async throws {
        var policy = RequestCompression()
        policy.isAvailable = false
        let dispatcher = Self.mock([policy])
        var request = Self.posting
        await expect(TransportError.Code.unsupported) { [request] in try await dispatcher.data(for: request) }
        await expect(TransportError.Code.unsupported) {
            try await dispatcher.upload(for: Self.post, from: .stream(GatedChunks([Self.text]))).response()
        }
        #expect(dispatcher.requests.isEmpty)
        // What is not compressed needs no library.
        request.httpBody = Data("short".utf8)
        _ = try await dispatcher.data(for: request)
        #expect(dispatcher.requests.count == 1)
    }

    @Test func descriptionsShowNoBody() {
        let policy = RequestCompression(minimumLength: 7)
        #expect("\(policy)" == "RequestCompression(minimumLength: 7)")
        #expect("\(RequestBody.data(Data(count: 3)).gzipped())" == "3 bytes, compressed")
    }
}
