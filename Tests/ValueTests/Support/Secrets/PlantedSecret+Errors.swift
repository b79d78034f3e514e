import PiuPiuAsync
import TestSupport

@testable import PiuPiuRecording
@testable import PiuPiuValues

extension PlantedSecret {
    /// What libcurl, nghttp2 and Foundation say that quotes a proxy or a field.
    static let libraryTexts = [
        "Unsupported proxy syntax in 'http://user:\(secret)@proxy:99999'",
        "Unsupported proxy syntax in 'user:\(secret)@proxy:99999'",
        "Unsupported proxy syntax in 'http:/user:\(secret)@proxy'",
        "Unsupported proxy syntax in 'http://user:a//\(secret)@proxy:x'",
        "Unsupported proxy syntax in 'http://user:\(secret)",
        "Unsupported proxy syntax in 'it's:\(secret)@proxy'",
        "Unsupported proxy scheme for 'ftp://user:\(secret)@proxy'",
        "Unsupported proxy 'https://user:\(secret)@proxy', libcurl is built without the HTTPS-proxy support.",
        "Unsupported proxy type 9 for 'user:\(secret)@proxy'",
        "Unsupported proxy protocol for user:\(secret)",
        "Unsupported pre-proxy type for 'socks9://user:\(secret)@proxy'",
        "Having a SOCKS pre-proxy and proxy 'http://user:\(secret)@proxy' is not supported",
        "Could not resolve proxy: user:\(secret)@proxy",
        "Invalid HTTP header field was received: frame type: 1, stream: 1, name: [x-mine], value: [\(secret)]",
        "Failed to connect to http://user:\(secret)@example.com",
    ]

    static var errors: [PlantedSecret] {
        let texts = libraryTexts.flatMap { text in
            var later = TransportError(.proxy)
            later.underlyingDescription = text
            return [
                PlantedSecret("TransportError \(text)", TransportError(.proxy, underlyingDescription: text)),
                PlantedSecret("TransportError, later \(text)", later),
            ]
        }
        let refused: HTTPHeaderFields = [
            "Location": "https://user:\(secret)@example.com/", "Set-Cookie": "id=\(secret)", "X-Mine": secret,
            "X-Echo": "you sent \(secret)",
        ]
        let head = ResponseHead(url: url, statusCode: .found, headers: refused)
        let error = TransportError(
            .unsafeRedirect,
            request: request,
            response: head,
            sensitiveHeaders: ["X-Mine"]
        )
        let transfer = TransferError(.unacceptableStatus, response: Self.head, body: body)
        let unacceptable = [UnacceptableResponseError.Code.statusCode, .contentType].flatMap { code in
            let error = UnacceptableResponseError(
                code,
                request: request,
                response: head,
                body: body,
                sensitiveHeaders: ["X-Mine"]
            )
            return [
                PlantedSecret("UnacceptableResponseError", error),
                PlantedSecret("UnacceptableResponseError.request", error.request?.allHTTPHeaderFields as Any),
                PlantedSecret("UnacceptableResponseError.request.url", error.request?.url?.user as Any),
                PlantedSecret("UnacceptableResponseError.response", error.response),
                PlantedSecret("UnacceptableResponseError.response.headers", error.response.headers.map(\.value)),
                PlantedSecret("Result of it", Result<Int, UnacceptableResponseError>.failure(error)),
            ]
        }
        let undecodable = UndecodableResponseError(
            CocoaError(.coderReadCorrupt),
            decoding: [String].self,
            from: Response(data: body, urlRequest: request, head: head)
        )
        return texts + unacceptable + [
            PlantedSecret("UndecodableResponseError", undecodable),
            PlantedSecret("UndecodableResponseError.request.url", undecodable.request?.url?.user as Any),
            PlantedSecret("UndecodableResponseError.response", undecodable.response as Any),
            PlantedSecret("TransportError", error),
            PlantedSecret("TransportError.request", error.request?.allHTTPHeaderFields as Any),
            PlantedSecret("TransportError.request.url", error.request?.url?.user as Any),
            PlantedSecret("TransportError.response", error.response as Any),
            PlantedSecret("TransportError.response.headers", error.response?.headers.map(\.value) as Any),
            PlantedSecret("TransportError.response.urlResponse", error.response?.urlResponse.allHeaderFields as Any),
            PlantedSecret("Result of a TransportError", Result<Int, TransportError>.failure(error)),
            PlantedSecret("TransferError", transfer),
            PlantedSecret("TransferError.response", transfer.response?.headers.values(for: "Set-Cookie") as Any),
            PlantedSecret("HARError", HARError(.noMatch, reason: "no match", path: "log")),
            PlantedSecret("RequestFields.Refusal", RequestFields.Refusal(name: "X", reason: "no")),
        ]
    }
}
