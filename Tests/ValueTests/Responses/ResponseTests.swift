import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuValues

struct ResponseTests {
    private func httpURLResponse(_ statusCode: Int = 200) throws -> HTTPURLResponse {
        try #require(
            HTTPURLResponse(
                url: Fixture.url,
                statusCode: statusCode,
                httpVersion: nil,
                headerFields: ["Server": "test"]
            )
        )
    }

    private var notHTTP: Response<Data?> {
        let response = URLResponse(url: Fixture.url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
        return Response(data: nil, urlRequest: Fixture.request, urlResponse: response)
    }

    @Test func aGivenURLResponseIsKept() throws {
        let urlResponse = try httpURLResponse(404)
        let response = Response(data: nil as Data?, urlRequest: Fixture.request, urlResponse: urlResponse)
        #expect(response.urlResponse === urlResponse)
        #expect(response.statusCode == .notFound)
        #expect(response.head?.statusCode == .notFound)
        #expect(response.headers["server"] == "test")
        #expect(response.httpError == .clientError(.notFound))
        #expect(response.urlRequest == Fixture.request)
        #expect(try response.makeHTTPResponse().httpResponse === urlResponse)
    }

    @Test func aResponseThatIsNotHTTPHasNoHead() {
        let response = notHTTP
        #expect(response.head == nil)
        #expect(response.statusCode == .other(0) && response.statusCode.type == .invalid)
        #expect(response.url == Fixture.url)
        #expect(response.httpError == nil)
        #expect(response.metrics == nil)
        #expect(response.headers.isEmpty)
        #expect(throws: ResponseError.notHTTPResponse) { try response.makeHTTPResponse() }
        #expect(throws: ResponseError.notHTTPResponse) { try response.validated() }
        #expect(throws: ResponseError.notHTTPResponse) { try HTTPResponse(response: response, data: 1) }
        #expect("\(response)" == "https://example.com/posts/1")
    }

    @Test func aTransportResponseGivesHeadHistoryAndMetrics() throws {
        let metrics = ExchangeMetrics(total: .seconds(1))
        let head = Fixture.head(.created, headers: ["A": "1"], metrics: metrics)
        let history = [Redirect(statusCode: .found, source: Fixture.url("https://a.example"), target: Fixture.url)]
        let body = Data("x".utf8)
        let transport = TransportResponse(head: head, body: body, urlRequest: Fixture.request, history: history)
        let response = Response(transport)
        let http = try response.makeHTTPResponse()
        #expect(response.data == body)
        #expect(response.history == history)
        #expect(response.metrics == metrics)
        #expect(response.statusCode == .created)
        #expect(http.data == body)
        #expect(http.history == history)
        #expect(http.metrics == metrics)
        #expect(http.headers == ["A": "1"])
        #expect(http.httpResponse === response.urlResponse)
    }

    @Test func anAdaptedResponseGoesFirst() throws {
        let metrics = ExchangeMetrics(total: .seconds(1))
        var transport = TransportResponse(
            head: Fixture.head(.ok, metrics: metrics),
            body: nil,
            urlRequest: Fixture.request
        )
        let adapted = try httpURLResponse(503)
        transport.adaptedResponse = adapted
        let response = Response(transport)
        #expect(response.statusCode == .serviceUnavailable)
        #expect(response.urlResponse === adapted)
        #expect(response.metrics == metrics)
        transport.adaptedResponse = notHTTP.urlResponse
        #expect(Response(transport).head == nil)
    }

    @Test func anAdapterThatChangesNothingKeepsTheHead() {
        let headers: HTTPHeaderFields = ["B": "1", "a": "2", "B": "3"]
        var transport = TransportResponse(head: Fixture.head(headers: headers), body: nil, urlRequest: Fixture.request)
        transport.adaptedResponse = transport.head.urlResponse
        #expect(Response(transport).headers == headers)
    }

    @Test func mapAndInitKeepEverythingButTheBody() throws {
        let history = [Redirect(statusCode: .found, source: Fixture.url, target: Fixture.url)]
        let head = Fixture.head(.accepted)
        let response = Response(data: "12", urlRequest: Fixture.request, head: head, history: history)
        let http = try response.makeHTTPResponse()
        for copy in [
            response.map { Int($0) }, Response(response: response, data: 12), Response(response: http, data: 12),
        ] {
            #expect(copy.data == 12)
            #expect(copy.history == history)
            #expect(copy.urlResponse === head.urlResponse)
        }
        for copy in [http.map { Int($0) }, try HTTPResponse(response: response, data: 12)] {
            #expect(copy.data == 12)
            #expect(copy.history == history)
            #expect(copy.httpResponse === head.urlResponse)
        }
        #expect(throws: CancellationError.self) { try response.map { _ in throw CancellationError() } }
    }

    @Test func aTypeOfOnesOwnCanBeTheSource() throws {
        struct Stored: ResponseInterface {
            let data: Data?
            let urlRequest: URLRequest
            let urlResponse: URLResponse
        }
        let urlResponse = try httpURLResponse(201)
        let stored = Stored(data: Data("1".utf8), urlRequest: Fixture.request, urlResponse: urlResponse)
        #expect(try stored.decode(Int.self) == 1)
        #expect(Response(response: stored, data: "a").statusCode == .created)
        #expect(try HTTPResponse(response: stored, data: "a").httpResponse === urlResponse)
    }

    @Test func anHTTPResponseIsMadeOfFoundations() throws {
        let urlResponse = try httpURLResponse(304)
        var http = HTTPResponse(data: 1, urlRequest: Fixture.request, httpResponse: urlResponse)
        http.urlRequest.httpMethod = "HEAD"
        #expect(http.statusCode == .notModified)
        #expect(http.httpError == nil)
        #expect(http.urlResponse === urlResponse)
        #expect(http.urlRequest.httpMethod == "HEAD")
    }

    @Test func itIsSendableWhereItsBodyIs() {
        func sendable(_ value: some Sendable) {}
        sendable(Fixture.response("1"))
        sendable(Response(data: [1], urlRequest: Fixture.request, head: Fixture.head()))
        // A tuple and a class that is not sendable are bodies like any other.
        final class Model { var name = "" }
        let tuple = Response(data: (1, "a"), urlRequest: Fixture.request, head: Fixture.head())
        #expect(tuple.data.1 == "a")
        #expect(tuple.map { _ in Model() }.data.name == "")
    }

    @Test func itIsSmall() {
        #expect(MemoryLayout<Response<Void>>.size <= 4 * MemoryLayout<Int>.size)
        #expect(MemoryLayout<HTTPResponse<Void>>.size <= 4 * MemoryLayout<Int>.size)
    }
}
