import PiuPiuAsync
import TestSupport
@testable import PiuPiuRecording
@testable import PiuPiuTesting

extension PlantedSecret {
    /// An interceptor and adapter of a user, which hides nothing.
    private struct Token: Interceptor, URLRequestAdapter {
        var token = secret

        func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
            try await next(request)
        }

        func adapt(urlRequest: URLRequest) async throws -> URLRequest { urlRequest }
    }

    static var configuration: URLRequestDispatcher.Configuration {
        URLRequestDispatcher.Configuration(
            options: options,
            additionalHeaders: ["Authorization": "Bearer \(secret)", "X-Mine": secret]
        )
    }

    static var machinery: [PlantedSecret] {
        let transport = MockTransport { _ in MockAnswer(.ok, body: secret) }
        let dispatcher = URLRequestDispatcher(
            configuration: configuration,
            interceptors: [Token()],
            requestAdapters: [Token()],
            transport: transport
        )
        let answer = MockAnswer(.ok, headers: responseFields, body: secret)
        let failure = MockAnswer.Ending.failure(TransportError(.proxy, underlyingDescription: libraryTexts[1]))
        let recording = HAR(entries: [entry], comment: nil)
        var kinds = [
            PlantedSecret("Configuration", configuration),
            PlantedSecret("URLRequestDispatcher", dispatcher),
            PlantedSecret("DispatcherCore", dispatcher.core),
            PlantedSecret("InterceptorChain", InterceptorChain([Token()], transport: transport)),
            PlantedSecret("URLSessionTransport", URLSessionTransport()),
            PlantedSecret(
                "MockRequest",
                MockRequest(transportRequest, body: body, isBodyComplete: true)
            ),
            PlantedSecret("MockAnswer", answer),
            PlantedSecret("MockAnswer.Piece", MockAnswer.Piece(secret)),
            PlantedSecret("MockAnswer.Ending", failure),
            PlantedSecret("MockSequence", MockSequence([answer])),
            PlantedSecret("MockTransport", MockTransport(answers: [answer])),
            PlantedSecret("MockURLRequestDispatcher", MockURLRequestDispatcher(transport: transport)),
            PlantedSecret("HAR", recording),
            PlantedSecret("HAR.Entry", entry),
            PlantedSecret("HAR.Request", entry.request),
            PlantedSecret("HAR.PostData", entry.request.postData as Any),
            PlantedSecret("HAR.Response", entry.response),
            PlantedSecret("HAR.Content", entry.response.content),
            PlantedSecret("HARRecorder", HARRecorder(continuing: recording)),
            PlantedSecret("HARReplayer", HARReplayer(recording)),
            PlantedSecret(
                "HAR file",
                (try? recording.redacted().data()).map { String(decoding: $0, as: UTF8.self) } as Any
            ),
        ]
        #if os(Linux)
        kinds += [PlantedSecret("SocketTransport", (try? SocketTransport()) as Any)]
        #endif
        return kinds
    }

    private static var entry: HAR.Entry {
        HAR.Entry(
            request: HAR.Request(
                method: "POST",
                url: "https://user:\(secret)@example.com/?token=\(secret)",
                headers: ["Authorization": "Bearer \(secret)", "Cookie": "id=\(secret)"],
                postData: HAR.PostData(body, mimeType: "application/json")
            ),
            response: HAR.Response(
                status: 200,
                headers: responseFields,
                content: HAR.Content(body, mimeType: "application/json")
            )
        )
    }
}
