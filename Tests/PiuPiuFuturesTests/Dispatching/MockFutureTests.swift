import PiuPiuFutures
import PiuPiuTesting
import TestSupport
import Testing

/// Futures of the mock, which are those of the real dispatcher.
@MainActor
@Suite(.timeLimit(.generous))
struct MockFutureTests {
    private let url = Fixture.url

    @Test(arguments: RequestForm.allCases)
    func everyFormIsAnswered(form: RequestForm) async throws {
        let mock = MockURLRequestDispatcher { request in
            try .makeMockResponse(with: request, data: request.httpBody ?? Data("answer".utf8), statusCode: .created)
        }
        let response = try await form.future(mock, url).fetchResult()
        #expect(response.statusCode == .created)
        let isUpload = form.rawValue.hasPrefix("upload")
        #expect(response.data == (isUpload ? "body" : "answer"))
        #expect(mock.requests.map(\.method) == [isUpload ? "PUT" : "GET"])
    }

    @Test(arguments: RequestForm.allCases)
    func progressIsTold(form: RequestForm) async throws {
        let mock = MockURLRequestDispatcher(
            transport: MockTransport(answers: [MockAnswer(.ok, pieces: ["12", "34"])])
        )
        let ending = Ending(of: form.future(mock, url))
        #expect(await ending.wait() == ["success", "completion"])
        #expect(ending.updates.last?.state == .completed)
        #expect(ending.updates.last?.countOfBytesReceived == 4)
        #expect(ending.updates.last?.countOfBytesSent == (form.rawValue.hasPrefix("upload") ? 4 : 0))
        #expect(ending.updates.last?.percentTransferred == 1)
    }

    @Test(arguments: RequestForm.allCases)
    func cancellingEndsAHangingAnswer(form: RequestForm) async throws {
        let mock = MockURLRequestDispatcher(transport: MockTransport(answers: [.hang]))
        let future = form.future(mock, url)
        let ending = Ending(of: future)
        _ = try await mock.requests(atLeast: 1)
        future.cancel()
        #expect(await ending.wait() == ["cancellation", "completion"])
        await mock.shutdown()
    }

    @Test(arguments: RequestForm.allCases)
    func releasingTheMockFails(form: RequestForm) async throws {
        let transport = MockTransport(answers: [.hang])
        var mock: MockURLRequestDispatcher? = MockURLRequestDispatcher(transport: transport)
        let future = form.future(try #require(mock), url)
        weak let released = mock
        let ending = Ending(of: future)
        _ = try await transport.requests(atLeast: 1)
        mock = nil
        #expect(released == nil)
        #expect(await ending.wait() == ["error", "completion"])
    }

    // K5, rule 2
    @Test(arguments: RequestForm.allCases)
    func releasedBeforeSendFails(form: RequestForm) async throws {
        var mock: MockURLRequestDispatcher? = MockURLRequestDispatcher(transport: MockTransport(answers: []))
        let future = form.future(try #require(mock), url)
        mock = nil
        #expect(await Ending.events(of: future) == ["error", "completion"])
    }

    // K15: PiuPiu 1 ended the process.
    @Test(arguments: RequestForm.closures)
    func aRequestWithoutAURLIsAnError(form: RequestForm) async throws {
        let mock = MockURLRequestDispatcher { request in
            try .makeMockJSONResponse(with: request, encodable: 1, statusCode: .ok)
        }
        let future = form.future(mock, url) { [url] in
            var request = URLRequest(url: url)
            request.url = nil
            return request
        }
        let error = await Ending.error(of: future)
        #expect((error as? TransportError)?.code == .invalidURL)
    }

    // K15
    @Test func theEncoderOfAMockIsUsed() async throws {
        struct Value: Codable, Sendable { var date: Date }
        let mock = MockURLRequestDispatcher { request in
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .rfc3339
            let value = Value(date: Date(timeIntervalSince1970: 0))
            return try .makeMockJSONResponse(with: request, encodable: value, statusCode: .ok, encoder: encoder)
        }
        let text = try await mock.dataFuture(from: URLRequest(url: url)).decodedString().fetchResult().data
        #expect(text == #"{"date":"1970-01-01T00:00:00Z"}"#)
    }

    @Test(arguments: RequestForm.allCases)
    func errorsEndTheFuture(form: RequestForm) async throws {
        let mock = MockURLRequestDispatcher { _ in throw ResponseError.unexpectedEmptyResponse }
        mock.callback = nil
        let error = await Ending.error(of: form.future(mock, url))
        #expect(error as? ResponseError == .noResponse)
    }
}
