import PiuPiuAsync
import SuiteSupport
import TestSupport
@testable import PiuPiuTesting

extension PlantedSecret {
    static var messages: [PlantedSecret] {
        let raw = RawHead(bytes: Array("HTTP/1.1 200 OK\r\nSet-Cookie: id=\(secret)\r\n".utf8))
        let rawHead = ResponseHead(record: ResponseRecord(.raw(raw), to: URLRequest(url: url), statusCode: 200))
        var changed = redirect
        changed.source = url
        changed.target = url
        var withBody = transportRequest
        withBody.body = .data(body)
        withBody.urlRequest.httpBody = nil
        let collected = TransportResponse(head: head, body: body, urlRequest: request, history: [redirect])
        let streamed = TransportResponse(head: head, body: nil, stream: ResponseBody(body), urlRequest: request)
        let field = HTTPHeaderField(name: "Authorization", value: secret)
        return [
            PlantedSecret("HTTPHeaderField", field),
            PlantedSecret("HTTPHeaderField of a usual name", HTTPHeaderField(name: "X-Api-Key", value: secret)),
            PlantedSecret("HTTPHeaderFields", responseFields),
            PlantedSecret("[HTTPHeaderField]", Array(responseFields)),
            PlantedSecret("ResponseHead", head),
            PlantedSecret("ResponseHead of bytes", rawHead),
            PlantedSecret("RawHead", raw),
            PlantedSecret("Response", response),
            PlantedSecret("Response of a text", response.map { _ in secret }),
            PlantedSecret("Response of a stream", response.map { _ in ResponseBody(body) }),
            PlantedSecret("HTTPResponse", (try? response.makeHTTPResponse()) as Any),
            PlantedSecret("ResponseRecord", response.record),
            PlantedSecret("Redirect", redirect),
            PlantedSecret("Redirect, changed", changed),
            PlantedSecret("TransportRequest", transportRequest),
            PlantedSecret("TransportRequest with a body", withBody),
            PlantedSecret("TransportResponse", collected),
            PlantedSecret("TransportResponse with a stream", streamed),
            PlantedSecret("RequestTarget", (try? RequestTarget(url)) as Any),
            PlantedSecret("PreparedRequest", (try? PreparedRequest(transportRequest, userAgent: nil)) as Any),
        ]
    }

    /// What a dispatcher gives back that was told which fields are secrets, from a server that echoes one of them.
    static func answers() async throws -> [PlantedSecret] {
        let mine: HTTPHeaderFields = ["X-Mine": secret]
        let transport = MockTransport { _ in MockAnswer(.ok, headers: responseFields + mine) }
        let configuration = URLRequestDispatcher.Configuration(options: options)
        let dispatcher = URLRequestDispatcher(configuration: configuration, transport: transport)
        var request = URLRequest(url: Fixture.url("https://user:\(secret)@example.com/"), method: .get)
        request.allHTTPHeaderFields = fields
        let response = try await dispatcher.data(for: request)
        let stream = try await dispatcher.stream(for: request)
        let http = try response.makeHTTPResponse()
        return [
            PlantedSecret("Response, marked", response),
            PlantedSecret("Response.head, marked", response.head as Any),
            PlantedSecret("Response.headers, marked", response.headers),
            PlantedSecret("Response of a stream, marked", stream.head as Any),
            PlantedSecret("HTTPResponse.head, marked", http.head),
        ]
    }
}
