import HTTPTypes
public import Hummingbird
import Logging

/// Answers `/health` itself, and forwards every other request.
public struct ProxyResponder: HTTPResponder {
    /// The name of this proxy in `Via`.
    static let pseudonym = "piupiu"

    private let client: any UpstreamClient
    private let upstream: Upstream
    private let bodyLimit: Int

    /// Creates a responder.
    ///
    /// - Parameters:
    ///   - client: The client that forwards requests.
    ///   - upstream: The server to forward them to.
    ///   - bodyLimit: The largest body of a request, in bytes.
    public init(client: any UpstreamClient, upstream: Upstream, bodyLimit: Int) {
        self.client = client
        self.upstream = upstream
        self.bodyLimit = bodyLimit
    }

    /// Forwards a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - context: The context of the request.
    /// - Returns: The upstream's response, or one that says that there is none.
    /// - Throws: `CancellationError` if the client has gone away.
    public func respond(to request: Request, context: ProxyContext) async throws -> Response {
        if request.head.path == "/health" { return Self.text(.ok, "ok\n") }
        do {
            let forwarded = try ForwardedRequest(
                request,
                context,
                to: upstream,
                bodyLimit: bodyLimit
            )
            return try await forward(forwarded, context)
        } catch let error as ProxyError {
            var response = Self.text(error.status, error.text + "\n")
            // What is left of the request's body is not worth reading.
            if error == .contentTooLarge { response.headers[.connection] = "close" }
            return response
        }
    }

    private func forward(_ request: ForwardedRequest, _ context: ProxyContext) async throws -> Response {
        let body = request.body
        let response: UpstreamResponse
        do {
            response = try await client.send(request)
        } catch {
            await body?.end()
            guard let failure = client.failure(of: error) else { throw error }
            context.logger.warning("\(failure.text)", metadata: ["error": "\(error)"])
            throw failure
        }
        var fields = response.head.headerFields.endToEnd
        fields[.contentLength] = response.head.headerFields[.contentLength]
        fields.append(member: "1.1 \(Self.pseudonym)", to: .via)
        return Response(
            status: response.head.status,
            headers: fields,
            body: ResponseBody { writer in
                let trailers = try await response.writeBody(&writer)
                await body?.end()
                try await writer.finish(trailers)
            }
        )
    }

    private static func text(_ status: HTTPResponse.Status, _ text: String) -> Response {
        Response(
            status: status,
            headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
