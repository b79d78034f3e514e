#if os(Linux)
import PiuPiuAsync

/// Faults in what is sent.
enum BrokenRequests {
    static let faults: [BrokenTransportTests.Fault] = [
        .init("writes methods in capitals", foundBy: "requests.methods") {
            var request = $0
            request.urlRequest.httpMethod = request.urlRequest.httpMethod?.uppercased()
            return try await $1.send(request)
        },
        .init("drops the query", foundBy: "requests.target", "requests.fragment") {
            var request = $0
            var parts = $0.urlRequest.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: false) }
            parts?.query = nil
            request.urlRequest.url = parts?.url
            return try await $1.send(request)
        },
        .init("corrects what may not be sent", foundBy: "refusals.framing", "refusals.contentOfGet") {
            var request = $0
            request.urlRequest.setValue(nil, forHTTPHeaderField: "Content-Length")
            request.urlRequest.setValue(nil, forHTTPHeaderField: "Transfer-Encoding")
            if ["GET", "HEAD"].contains(request.urlRequest.httpMethod) { request.urlRequest.httpBody = nil }
            return try await $1.send(request)
        },
        .init("collects uploads", foundBy: "uploads.streamed", "uploads.backpressure", "uploads.framing") {
            var request = $0
            if let body = $0.body { request.body = .data(try await body.collect(upTo: 64 << 20)) }
            return try await $1.send(request)
        },
        .init("offers compression of its own", foundBy: "encodings.callersOwn") {
            var request = $0
            request.urlRequest.setValue(nil, forHTTPHeaderField: "Accept-Encoding")
            return try await $1.send(request)
        },
        .init("closes each connection", foundBy: "reuse.inARow", "reuse.afterAStream") {
            var request = $0
            request.urlRequest.setValue("close", forHTTPHeaderField: "Connection")
            return try await $1.send(request)
        },
    ]
}
#endif
