import PiuPiuClassic
import Testing

@Suite(.timeLimit(.generous))
struct MockDispatcherTests {
    private let journal = Journal()
    private let request = BasicRequest(method: .get, path: "/posts/1")
    private let dispatcher = MockDispatcher(
        baseUrl: URL(fileURLWithPath: "/"),
        mockStatusCode: .ok,
        mockHeaders: ["X-Test": "1"]
    )

    init() {
        dispatcher.baseURL = URL(string: "https://example.com")
    }

    @Test func itAnswersWithWhatIsSet() async throws {
        let empty = try await dispatcher.future(from: request).fetchResult()
        #expect(empty.data == nil)
        #expect(empty.error == nil)
        #expect(empty.httpResponse.value(forHTTPHeaderField: "X-Test") == "1")
        #expect(empty.urlRequest.url?.absoluteString == "https://example.com/posts/1")
        dispatcher.mockStatusCode = .notFound
        dispatcher.mockHeaders = [:]
        dispatcher.mockData = Data("text".utf8)
        let missing = try await dispatcher.future(from: { self.request }).fetchResult()
        #expect(missing.statusCode == .notFound)
        #expect(missing.error?.errorKey == "NotFound")
        #expect(missing.httpResponse.value(forHTTPHeaderField: "X-Test") == nil)
        #expect(try missing.decodeString() == "text")
    }

    @Test func itTakesEachFormOfData() throws {
        try dispatcher.setMockData(Post.hello)
        #expect(try JSONDecoder().decode(Post.self, from: dispatcher.mockData ?? Data()) == .hello)
        try dispatcher.setMockData(encodable: [7])
        #expect(dispatcher.mockData == Data("[7]".utf8))
        try dispatcher.setMockData(jsonObject: ["id": nil], options: [.sortedKeys])
        #expect(dispatcher.mockData == Data(#"{"id":null}"#.utf8))
        dispatcher.setMockData(jsonString: "[8]", encoding: .utf16LittleEndian)
        #expect(dispatcher.mockData == "[8]".data(using: .utf16LittleEndian))
        #expect(throws: EncodingError.self) { try dispatcher.setMockData(Double.nan) }
        #expect(throws: EncodingError.self) { try dispatcher.setMockData(jsonObject: ["id": Date()]) }
        #expect(dispatcher.mockData == "[8]".data(using: .utf16LittleEndian))
    }

    @Test func aRedirectIsAResponseLikeAnyOther() async throws {
        dispatcher.mockStatusCode = StatusCode(rawValue: 302)
        dispatcher.mockHeaders = ["Location": "https://example.com/other"]
        let response = try await dispatcher.future(from: request).fetchResult()
        #expect(response.statusCode.rawValue == 302)
        #expect(response.error == nil)
    }

    @Test func aDelayEndsWithItsFuture() async {
        dispatcher.delay = 3600
        let future = dispatcher.future(from: request).recorded(in: journal)
        future.send()
        future.cancel()
        #expect(await journal.wait(for: "completion true") == ["cancellation true", "completion true"])
        dispatcher.delay = 0.001
        #expect(
            await dispatcher.future(from: request).then({ $0.statusCode.rawValue }).events() == [
                "response 200 true", "completion true",
            ]
        )
    }

    @Test func itNeedsAServer() async {
        dispatcher.baseURL = nil
        await #expect(throws: RequestError.self) { try await dispatcher.future(from: request).fetchResult() }
    }

    @Test func aReleasedMockAnswersItsFutures() async throws {
        var mock: MockDispatcher? = MockDispatcher(baseUrl: URL(fileURLWithPath: "/"), mockStatusCode: .created)
        mock?.baseURL = URL(string: "https://example.com")
        weak let released = mock
        var future = mock?.future(from: request)
        mock = nil
        #expect(try await future?.fetchResult().statusCode == .created)
        future = nil
        while released != nil { await Task.yield() }
    }
}
