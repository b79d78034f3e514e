import HTTPTypes
import PiuPiuAsync
import PiuPiuHTTPTypes
import PiuPiuTesting
import Testing

typealias HTTPResponse = HTTPTypes.HTTPResponse

/// The samples of the documentation, run against a mock.
@Suite struct SamplesTests {
    private let transport: MockTransport
    private let dispatcher: URLRequestDispatcher

    init() {
        transport = MockTransport { _ in MockAnswer(.ok, headers: ["Set-Cookie": "a"], body: Data("hello".utf8)) }
        dispatcher = URLRequestDispatcher(transport: transport)
    }

    @Test func sending() async throws {
        let request = HTTPRequest(method: .get, scheme: "https", authority: "api.example.com", path: "/posts")
        let (response, body) = try await dispatcher.send(request)
        for try await chunk in body {
            print(response.status, chunk.count)
        }
        #expect(transport.requests.map(\.url.absoluteString) == ["https://api.example.com/posts"])
    }

    @Test func collecting() async throws {
        let request = HTTPRequest(method: .get, scheme: "https", authority: "api.example.com", path: "/posts")
        let (response, data) = try await dispatcher.data(for: request, upTo: 1_048_576)
        print(response.status, response.headerFields[values: .setCookie], data.count)
        #expect(data == Data("hello".utf8))
    }

    @Test func uploading() async throws {
        let fileURL = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data("photo".utf8).write(to: fileURL)
        defer { try? FileManager.default.removeItem(at: fileURL) }
        do {
            let request = HTTPRequest(method: .put, scheme: "https", authority: "api.example.com", path: "/photos/7")
            let (response, body) = try await dispatcher.send(request, body: .file(fileURL))
            print(response.status.code, try await body.collect(upTo: 65_536).count)
        }
        let upload = RequestBody.file(fileURL).withTrailerFields([.eTag]) {
            [.eTag: "\"33a6\""]
        }
        let request = HTTPRequest(method: .put, scheme: "https", authority: "api.example.com", path: "/photos/7")
        _ = try await dispatcher.send(request, body: upload)
        #expect(transport.requests.map(\.body) == [Data("photo".utf8), Data("photo".utf8)])
    }

    @Test func secrets() async throws {
        let name = try name("X-Token")
        var request = HTTPRequest(method: .get, scheme: "https", authority: "api.example.com", path: "/")
        var token = HTTPField(name: name, value: "…")
        token.indexingStrategy = .disallow
        request.headerFields.append(token)
        _ = try await dispatcher.send(request)
        #expect(transport.requests.first?.options.sensitiveHeaders == ["X-Token"])
    }
}
