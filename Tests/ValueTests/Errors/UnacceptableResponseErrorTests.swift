import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuValues

struct UnacceptableResponseErrorTests {
    private struct Problem: Codable, Equatable {
        var message: String
    }

    private func make(
        _ code: UnacceptableResponseError.Code = .statusCode,
        _ statusCode: StatusCode = .notFound,
        headers: HTTPHeaderFields = [:],
        body: Data? = nil
    ) -> UnacceptableResponseError {
        let head = Fixture.head(statusCode, headers: headers)
        return UnacceptableResponseError(code, request: Fixture.request, response: head, body: body)
    }

    @Test func itCarriesWhatAHandlerNeeds() throws {
        let error = make(body: Data("{\"message\":\"no such post\"}".utf8))
        #expect(error.statusCode == .notFound)
        #expect(error.httpError == .clientError(.notFound))
        #expect(error.request?.url == Fixture.url)
        #expect(try error.decode(Problem.self) == Problem(message: "no such post"))
        #expect(make(.contentType, .ok).httpError == nil)
    }

    @Test func aBodyThatCannotBeDecodedIsTheDecodersError() {
        #expect(throws: ResponseError.unexpectedEmptyResponse) { try make().decode(Problem.self) }
        #expect(throws: DecodingError.self) { try make(body: Data("<html>".utf8)).decode(Problem.self) }
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 1_000_000])
    func atMost64KiBOfTheBodyAreKept(_ count: Int) {
        let body = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
        let error = make(body: body)
        #expect(error.body == body.prefix(65_536))
        #expect(error.body?.startIndex == 0)
        #expect(error.isBodyComplete == (count <= 65_536))
    }

    @Test func aCatchClauseCanNameTheCode() {
        func caught(_ error: any Error) -> String {
            do {
                throw error
            } catch UnacceptableResponseError.Code.contentType {
                return "type"
            } catch StatusCode.notFound {
                return "not found"
            } catch {
                return "other"
            }
        }
        #expect(caught(make(.contentType)) == "type")
        #expect(caught(make(.statusCode)) == "not found")
        #expect(caught(make(.statusCode, .gone)) == "other")
    }

    @Test(
        arguments: [
            (.statusCode, [:], "A response with status code 404 is not acceptable"),
            (
                .contentType, ["Content-Type": "text/html"],
                "A response with the Content-Type text/html is not acceptable"
            ),
            (.contentType, [:], "The response has no Content-Type"),
        ] as [(UnacceptableResponseError.Code, HTTPHeaderFields, String)]
    )
    func theDescriptionIsOneSentence(_ sample: (UnacceptableResponseError.Code, HTTPHeaderFields, String)) {
        let error = make(sample.0, headers: sample.1)
        #expect("\(error)" == "\(sample.2) (GET https://example.com/posts/1)")
        #expect(error.localizedDescription == "\(error)")
        #expect(String(reflecting: error) == "UnacceptableResponseError.\(sample.0): \(error)")
        let bare = UnacceptableResponseError(sample.0, response: error.response)
        #expect("\(bare)" == sample.2)
    }

    @Test func aLongContentTypeIsCut() {
        let error = make(.contentType, headers: ["Content-Type": String(repeating: "a", count: 10_000)])
        #expect("\(error)".count < 250)
    }

    @Test func aRequestWithoutAURLIsLeftOut() {
        var request = Fixture.request
        request.url = nil
        #expect(UnacceptableResponseError(.statusCode, request: request, response: Fixture.head()).request == nil)
    }

    @Test func whatTheDispatcherMarksIsASecret() async throws {
        var request = Fixture.request
        request.setValue("hunter2", forHTTPHeaderField: "X-Mine")
        let transport = ScriptedTransport {
            .scripted(500, for: $0, headers: ["X-Mine": "hunter2", "X-Echo": "hunter2"], body: "hunter2")
        }
        let options = RequestOptions(sensitiveHeaders: ["x-mine"])
        let plain = URLRequestDispatcher(transport: transport)
        let checking = URLRequestDispatcher(interceptors: [Validation.default], transport: transport)
        for error in [
            await #expect(throws: UnacceptableResponseError.self) {
                try await plain.data(for: request, options: options).validated()
            },
            await #expect(throws: UnacceptableResponseError.self) {
                try await plain.data(for: request, options: options).makeHTTPResponse().validated()
            },
            await #expect(throws: UnacceptableResponseError.self) {
                try await plain.stream(for: request, options: options).validated()
            },
            await #expect(throws: UnacceptableResponseError.self) {
                try await checking.data(for: request, options: options)
            },
        ] {
            let error = try #require(error)
            #expect(error.request?.value(forHTTPHeaderField: "X-Mine") == "<redacted>")
            #expect(error.response.headers.map(\.value) == ["<redacted>", "<redacted>"])
            #expect(error.body == Data("hunter2".utf8))
            #expect(!Fixture.allTexts(of: error).contains("hunter2"))
        }
    }
}
