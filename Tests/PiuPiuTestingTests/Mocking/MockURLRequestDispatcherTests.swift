import PiuPiuAsync
import TestSupport
import Testing

@testable import PiuPiuTesting
@testable import PiuPiuValues

/// The dispatcher of PiuPiu 1, with its callback.
@Suite(.timeLimit(.generous))
struct MockURLRequestDispatcherTests {
    private struct Oops: Error, Equatable {}

    @Test func theCallbackMakesTheResponse() async throws {
        let dispatcher = MockURLRequestDispatcher(clock: ManualClock()) { request in
            try Response.makeMockJSONResponse(with: request, encodable: ["a": 1], statusCode: .created)
        }
        let response = try await dispatcher.data(for: Fixture.request)
        #expect(response.statusCode == .created)
        #expect(try response.decode([String: Int].self) == ["a": 1])
        #expect(dispatcher.requests.count == 1)
    }

    @Test func theCallbackMaySuspendAndThrow() async throws {
        let gate = Gate()
        let dispatcher = MockURLRequestDispatcher(clock: ManualClock()) { request in
            try await gate.wait()
            throw Oops()
        }
        let task = Task { try await dispatcher.data(for: Fixture.request) }
        await gate.arrival()
        gate.open()
        await #expect(throws: Oops()) { try await task.value }
    }

    @Test func theCallbackSeesTheBody() async throws {
        let dispatcher = MockURLRequestDispatcher(clock: ManualClock()) { request in
            try Response.makeMockResponse(with: request, data: request.httpBody, statusCode: .ok)
        }
        let request = URLRequest(url: Fixture.url, method: .put)
        let body = AsyncStream<Data> { continuation in
            continuation.yield(Data("hello".utf8))
            continuation.finish()
        }
        let response = try await dispatcher.upload(for: request, from: .stream(body)).response()
        #expect(response.data == Data("hello".utf8))
    }

    @Test func theDelayIsInSeconds() async throws {
        let clock = ManualClock()
        let dispatcher = MockURLRequestDispatcher(delay: 0.5, clock: clock) { request in
            try Response.makeMockResponse(with: request, statusCode: .ok)
        }
        #expect(dispatcher.delay == 0.5)
        let task = Task { try await dispatcher.data(for: Fixture.request) }
        _ = try await dispatcher.requests(atLeast: 1)
        clock.advance(by: .milliseconds(500))
        #expect(try await task.value.metrics?.total == .milliseconds(500))
    }

    @Test(arguments: [0, -1, -Double.infinity, Double.nan])
    func aDelayThatIsNoneIsNone(delay: TimeInterval) async throws {
        let dispatcher = MockURLRequestDispatcher(delay: delay, clock: ManualClock()) { request in
            try Response.makeMockResponse(with: request, statusCode: .ok)
        }
        #expect(try await dispatcher.data(for: Fixture.request).statusCode == .ok)
    }

    @Test(arguments: [1e300, Double.infinity])
    func aDelayWithoutEndCanBeCancelled(delay: TimeInterval) async throws {
        let dispatcher = MockURLRequestDispatcher(delay: delay) { request in
            try Response.makeMockResponse(with: request, statusCode: .ok)
        }
        let task = Task { try await dispatcher.data(for: Fixture.request) }
        _ = try await dispatcher.requests(atLeast: 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func callbackAndDelayCanBeChanged() async throws {
        let dispatcher = MockURLRequestDispatcher(delay: 1000) { request in
            try Response.makeMockResponse(with: request, statusCode: .ok)
        }
        dispatcher.delay = 0
        #expect(try await dispatcher.data(for: Fixture.request).statusCode == .ok)
        dispatcher.callback = { try Response.makeMockResponse(with: $0, statusCode: .notFound) }
        #expect(try await dispatcher.data(for: Fixture.request).statusCode == .notFound)
        dispatcher.callback = nil
        #expect(dispatcher.callback == nil)
        await #expect(throws: ResponseError.noResponse) { try await dispatcher.data(for: Fixture.request) }
    }

    @Test func aCallbackTakesTheTransportsPlace() async throws {
        let dispatcher = MockURLRequestDispatcher(transport: MockTransport(answers: [], clock: ManualClock()))
        #expect(dispatcher.callback == nil)
        dispatcher.callback = { try Response.makeMockResponse(with: $0, statusCode: .ok) }
        #expect(try await dispatcher.data(for: Fixture.request).statusCode == .ok)
    }

    @Test func aResponseNeedNotBeHTTP() async throws {
        let dispatcher = MockURLRequestDispatcher(clock: ManualClock()) { request in
            let urlResponse = URLResponse(
                url: Fixture.url,
                mimeType: "text/plain",
                expectedContentLength: 2,
                textEncodingName: nil
            )
            return Response(data: Data("hi".utf8), urlRequest: request, urlResponse: urlResponse)
        }
        let response = try await dispatcher.data(for: Fixture.request)
        #expect(response.data == Data("hi".utf8))
        #expect(response.statusCode == .other(0))
        #expect(response.urlResponse.mimeType == "text/plain")
    }

    @Test func aResponseOfFoundationIsTakenOver() async throws {
        let dispatcher = MockURLRequestDispatcher(clock: ManualClock()) { request in
            let urlResponse = HTTPURLResponse(
                url: Fixture.url,
                statusCode: 418,
                httpVersion: "HTTP/1.1",
                headerFields: ["X-A": "1"]
            )
            return Response(data: nil, urlRequest: request, urlResponse: try #require(urlResponse))
        }
        let response = try await dispatcher.data(for: Fixture.request)
        #expect(response.statusCode == .other(418))
        #expect(response.headers["x-a"] == "1")
    }

    // MARK: Made responses

    @Test func theEncoderIsUsed() throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        struct Value: Encodable {
            let userId = 7
        }
        let response = try Response.makeMockJSONResponse(
            with: Fixture.request,
            encodable: Value(),
            statusCode: .ok,
            headers: ["X-A": "1"],
            encoder: encoder
        )
        #expect(response.data == Data(#"{"user_id":7}"#.utf8))
        #expect(response.headers == ["X-A": "1", "Content-Type": "application/json"])
    }

    @Test func everyFormMakesItsResponse() throws {
        let object = try Response.makeMockResponse(
            with: Fixture.request,
            jsonObject: ["a": nil, "b": [1]],
            options: .sortedKeys,
            statusCode: .ok
        )
        #expect(object.data == Data(#"{"a":null,"b":[1]}"#.utf8))
        #expect(object.headers == ["Content-Type": "application/json"])
        let text = try Response.makeMockResponse(
            with: Fixture.request,
            jsonString: "\"ä\"",
            encoding: .isoLatin1,
            statusCode: .badRequest,
            headers: ["content-type": "text/json"]
        )
        #expect(text.data == Data([0x22, 0xE4, 0x22]))
        #expect(text.headers == ["content-type": "text/json"])
        #expect(text.httpError == .clientError(.badRequest))
        let data = try Response.makeMockResponse(with: Fixture.request, data: Data([1]), statusCode: .ok)
        #expect(data.data == Data([1]))
        #expect(data.headers == [:])
        let empty = try Response.makeMockResponse(
            with: Fixture.request,
            statusCode: .noContent,
            headers: ["B": "2", "A": "1"]
        )
        #expect(empty.data == nil)
        #expect(empty.headers.map(\.name) == ["A", "B"])
        #expect(empty.urlRequest == Fixture.request)
        #expect(empty.head?.url == Fixture.url)
    }

    @Test func whatCannotBeMadeThrows() throws {
        #expect(throws: EncodingError.self) {
            try Response.makeMockResponse(with: Fixture.request, jsonObject: ["a": Double.nan], statusCode: .ok)
        }
        #expect(throws: EncodingError.self) {
            try Response.makeMockResponse(with: Fixture.request, jsonString: "ä", encoding: .ascii, statusCode: .ok)
        }
        #expect(throws: EncodingError.self) {
            try Response.makeMockJSONResponse(with: Fixture.request, encodable: Double.nan, statusCode: .ok)
        }
    }

    @Test func aRequestWithoutAURLThrows() throws {
        var request = URLRequest(url: Fixture.url)
        request.url = nil
        let made: [() throws -> Response<Data?>] = [
            { [request] in try .makeMockJSONResponse(with: request, encodable: 1, statusCode: .ok) },
            { [request] in try .makeMockResponse(with: request, jsonObject: [:], statusCode: .ok) },
            { [request] in try .makeMockResponse(with: request, jsonString: "", statusCode: .ok) },
            { [request] in try .makeMockResponse(with: request, statusCode: .ok) },
        ]
        for make in made {
            do {
                _ = try make()
                Issue.record("It was made.")
            } catch {
                #expect(TransportError.Code.invalidURL ~= error)
            }
        }
    }
}
