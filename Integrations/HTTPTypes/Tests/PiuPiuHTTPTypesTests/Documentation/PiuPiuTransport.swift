import HTTPTypes
import PiuPiuAsync
import PiuPiuHTTPTypes

// The sample of the landing page.
struct PiuPiuTransport: ClientTransport {
    let dispatcher: URLRequestDispatcher

    func send(
        _ request: HTTPRequest,
        body: HTTPBody?,
        baseURL: URL,
        operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?) {
        var request = request
        request.url = try RequestDefaults(baseURL: baseURL).url(request.path ?? "")
        let upload = body.map { body in
            let length: Int64? = if case .known(let length) = body.length { length } else { nil }
            return RequestBody.stream(body.map { Data($0) }, length: length)
        }
        let (response, download) = try await dispatcher.send(request, body: upload)
        let length = download.expectedLength.map { HTTPBody.Length.known($0) } ?? .unknown
        return (response, HTTPBody(download.map { ArraySlice($0) }, length: length, iterationBehavior: .single))
    }
}
