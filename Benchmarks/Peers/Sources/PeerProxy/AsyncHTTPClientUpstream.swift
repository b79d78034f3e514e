import AsyncHTTPClient
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import ProxyKit

/// Forwards requests with async-http-client.
struct AsyncHTTPClientUpstream: UpstreamClient {
    let client: HTTPClient

    func send(_ request: ForwardedRequest) async throws -> UpstreamResponse {
        let head = request.head
        var outgoing = HTTPClientRequest(url: "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "")")
        outgoing.method = HTTPMethod(head.method)
        outgoing.headers = HTTPHeaders(head.headerFields)
        if let body = request.body {
            outgoing.body = .stream(body, length: body.length.map { .known(Int64($0)) } ?? .unknown)
        }
        let response = try await client.execute(outgoing, deadline: .distantFuture)
        let arrived = HTTPResponse(
            status: .init(code: Int(response.status.code)),
            headerFields: HTTPFields(response.headers, splitCookie: false)
        )
        return UpstreamResponse(head: arrived) { writer in
            for try await buffer in response.body {
                try await writer.write(buffer)
            }
            return nil
        }
    }

    func failure(of error: any Error) -> ProxyError? {
        switch error {
        case let error as ProxyError: error
        case is CancellationError: nil
        case let error as HTTPClientError: Self.failure(of: error)
        default: .badGateway
        }
    }

    private static func failure(of error: HTTPClientError) -> ProxyError? {
        switch error {
        case .cancelled: nil
        case .getConnectionFromPoolTimeout, .alreadyShutdown: .unavailable
        case .readTimeout, .writeTimeout, .connectTimeout: .timeout
        default: .badGateway
        }
    }
}
