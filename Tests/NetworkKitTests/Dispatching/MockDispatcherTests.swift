// swift-format-ignore-file: NeverForceUnwrap

import NetworkKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MockDispatcherTests {
    private let journal = Journal()
    private let request = BasicRequest(method: .get, path: "/posts")
    private let url: URL
    private let dispatcher: MockDispatcher

    init() {
        url = URL(string: "https://jsonplaceholder.typicode.com")!
        dispatcher = MockDispatcher(baseUrl: url, mockStatusCode: .ok)
    }

    private func body(_ dispatcher: MockDispatcher) async throws -> String? {
        try await dispatcher.future(from: request).fetchResult().data.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func everyFormOfData() async throws {
        let pretty = JSONSerialization.WritingOptions.prettyPrinted
        let forms: [(set: (MockDispatcher) throws -> Void, isExpected: (String?) -> Bool)] = [
            ({ _ in }, { $0 == nil }),
            ({ try $0.setMockData(encodable: [1]) }, { $0 == "[1]" }),
            ({ try $0.setMockData([2]) }, { $0 == "[2]" }),
            ({ try $0.setMockData(mapEncodable: MapPost(id: 3)) }, { $0 == #"{"id":3}"# }),
            ({ try $0.setMockData(mapEncodable: MapPost(id: 3), options: pretty) }, { $0?.contains("\n") == true }),
            ({ try $0.setMockData(MapPost(id: 4)) }, { $0 == #"{"id":4}"# }),
            ({ try $0.setMockData(jsonObject: ["a": nil]) }, { $0 == #"{"a":null}"# }),
            ({ try $0.setMockData(jsonObject: ["a": 1], options: pretty) }, { $0?.contains("\n") == true }),
            ({ $0.setMockData(jsonString: "text") }, { $0 == "text" }),
            ({ $0.setMockData(jsonString: "text", encoding: .utf16BigEndian) }, { $0?.utf8.count == 8 }),
            ({ $0.mockData = nil }, { $0 == nil }),
        ]
        for (index, form) in forms.enumerated() {
            try form.set(dispatcher)
            let body = try await body(dispatcher)
            #expect(form.isExpected(body), "row \(index): \(body ?? "nil")")
        }
    }

    @Test func dataThatCannotBeEncodedChangesNothing() async throws {
        dispatcher.setMockData(jsonString: "before")
        #expect(throws: EncodingError.self) { try dispatcher.setMockData(Double.nan) }
        #expect(throws: EncodingError.self) { try dispatcher.setMockData(jsonObject: ["a": Double.nan]) }
        #expect(throws: Failure(number: 6)) { try dispatcher.setMockData(MapPost(id: -1)) }
        #expect(try await body(dispatcher) == "before")
    }

    @Test func theAnswerHasStatusHeadersAndURL() async throws {
        let dispatcher = MockDispatcher(baseUrl: url, mockStatusCode: .created, mockHeaders: ["X-A": "b"])
        #expect(dispatcher.baseURL == url)
        #expect(dispatcher.mockHeaders == ["X-A": "b"])
        let response = try await dispatcher.future(from: request).fetchResult()
        #expect(response.statusCode == .created)
        #expect(response.httpResponse.value(forHTTPHeaderField: "x-a") == "b")
        #expect(response.urlRequest.url?.absoluteString == "https://jsonplaceholder.typicode.com/posts")
        #expect(response.error == nil)
    }

    @Test func theErrorIsThatOfTheStatusUnlessThereIsOne() async throws {
        let dispatcher = MockDispatcher(baseUrl: url, mockStatusCode: .badRequest)
        #expect(try await dispatcher.future(from: request).fetchResult().error?.errorKey == "BadRequest")

        let other = MockDispatcher(baseUrl: url, mockStatusCode: .badRequest, mockError: .conflict(cause: nil))
        guard case .failure(let response) = try await other.make(request).fetchResult() else {
            Issue.record("The promise did not fail.")
            return
        }
        #expect(response.error.errorKey == "Conflict")
        #expect(response.statusCode == .badRequest)
        other.mockError = nil
        other.mockStatusCode = .ok
        #expect(try await other.future(from: request).fetchResult().error == nil)
    }

    @Test func redirectsAreAnswers() async throws {
        let dispatcher = MockDispatcher(baseUrl: url, mockStatusCode: .found, mockHeaders: ["Location": "/elsewhere"])
        let response = try await dispatcher.future(from: request).fetchResult()
        #expect(response.statusCode == .found)
        #expect(response.error == nil)
    }

    @MainActor
    @Test func theAnswerIsTheOneThatWasSetWhenItWasSent() async throws {
        for text in ["a", "b"] {
            dispatcher.setMockData(jsonString: text)
            dispatcher.future(from: request).response { journal(try $0.decodeString()) }.send()
        }
        dispatcher.setMockData(jsonString: "c")
        await journal.wait(for: "a")
        await journal.wait(for: "b")
    }

    @MainActor
    @Test func aDelayedAnswerCanBeCancelled() async {
        dispatcher.delay = 3600
        #expect(dispatcher.delay == 3600)
        let future = dispatcher.future(from: request).record(journal).send()
        await MainActor.drain()
        #expect(future.status == .started)
        future.cancel()
        #expect(await journal.wait() == ["completion"])
    }

    @Test func aDelayPasses() async throws {
        dispatcher.delay = 0.001
        #expect(try await dispatcher.future(from: request).fetchResult().statusCode == .ok)
    }

    @Test func aRequestWithoutAValidURLIsAnError() async throws {
        do {
            _ = try await dispatcher.future(from: BasicRequest(method: .get, path: "posts")).fetchResult()
            Issue.record("There is a response.")
        } catch RequestError.invalidURL(let cause) {
            #expect((cause as? URLError)?.code == .badURL)
        }
    }

    @Test func theMockMayBeALocalVariable() async {
        weak var released: MockDispatcher?
        do {
            let dispatcher = MockDispatcher(baseUrl: url, mockStatusCode: .noContent)
            released = dispatcher
            dispatcher.make(request).then { $0.statusCode }.thenFailure { _ in 0 }.record(journal).send()
        }
        #expect(await journal.wait() == ["success noContent", "completion"])
        await MainActor.drain()
        #expect(released == nil)
    }

    @MainActor
    @Test func subclassesMayChangeTheAnswer() async throws {
        class Teapot: MockDispatcher {
            override var mockStatusCode: StatusCode {
                get { StatusCode(rawValue: 418) }
                set { super.mockStatusCode = newValue }
            }
        }
        let dispatcher = Teapot(baseUrl: url, mockStatusCode: .ok)
        #expect(try await dispatcher.future(from: request).fetchResult().statusCode.rawValue == 418)
    }
}
