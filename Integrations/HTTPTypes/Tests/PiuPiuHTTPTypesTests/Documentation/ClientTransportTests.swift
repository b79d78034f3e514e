import HTTPTypes
import PiuPiuAsync
import PiuPiuTesting
import Testing

/// The transport for generated clients that the documentation shows.
@Suite(.timeLimit(.minutes(5)))
struct ClientTransportTests {
    private let server: LoopbackServer
    private let transport: any ClientTransport = PiuPiuTransport(dispatcher: .forTests())

    init() throws {
        server = try LoopbackServer()
        server.route("GET", "/v1/posts/7", .response(headers: ["Set-Cookie": "a", "Set-Cookie": "b"], body: "seven"))
        server.route("POST", "/v1/posts", .echo)
    }

    private func request(_ method: HTTPRequest.Method, _ path: String?) -> HTTPRequest {
        HTTPRequest(method: method, scheme: nil, authority: nil, path: path)
    }

    private func text(_ body: HTTPBody?) async throws -> String {
        var bytes: [UInt8] = []
        for try await chunk in try #require(body) { bytes += chunk }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: ["/v1", "/v1/"])
    func aRequestGoesBelowTheBaseURL(base: String) async throws {
        let (response, body) = try await transport.send(
            request(.get, "/posts/7?draft=true"),
            body: nil,
            baseURL: server.url(base),
            operationID: "getPost"
        )
        #expect(response.status == .ok)
        #expect(response.headerFields[values: .setCookie] == ["a", "b"])
        #expect(body?.length == .known(5))
        #expect(try await text(body) == "seven")
        #expect(server.requests.map(\.target) == ["/v1/posts/7?draft=true"])
    }

    @Test(arguments: [HTTPBody.Length.unknown, .known(10)])
    func aBodyIsStreamedBothWays(length: HTTPBody.Length) async throws {
        let chunks = AsyncStream<ArraySlice<UInt8>> { continuation in
            for text in ["hello", "world"] { continuation.yield(ArraySlice(text.utf8)) }
            continuation.finish()
        }
        var request = request(.post, "/posts")
        request.headerFields[.contentType] = "text/plain"
        if length != .unknown { request.headerFields[.contentLength] = "10" }
        let (response, body) = try await transport.send(
            request,
            body: HTTPBody(chunks, length: length, iterationBehavior: .single),
            baseURL: server.url("/v1"),
            operationID: "addPost"
        )
        #expect(response.headerFields[.contentType] == "text/plain")
        #expect(try await text(body) == "helloworld")
        let header = server.requests.first?.header("Content-Length")
        #expect(header == (length == .unknown ? nil : "10"))
    }

    @Test(arguments: ["/../secret", "//evil.example/", "/%2e%2e/secret", "http://evil.example/", "/a#b"])
    func noPathLeavesTheBaseURL(path: String) async throws {
        await #expect(throws: RequestPathError.self) {
            _ = try await transport.send(
                request(.get, path),
                body: nil,
                baseURL: server.url("/v1"),
                operationID: "getPost"
            )
        }
        #expect(server.acceptedConnections == 0)
    }

    @Test(arguments: ["/v1", "relative", "ftp://example.com", "http://user:secret@example.com/"])
    func aBaseURLThatIsNoneIsAnError(base: String) async throws {
        let baseURL = try #require(URL(string: base))
        await #expect(throws: RequestPathError.self) {
            _ = try await transport.send(request(.get, "/a"), body: nil, baseURL: baseURL, operationID: "getPost")
        }
    }
}
