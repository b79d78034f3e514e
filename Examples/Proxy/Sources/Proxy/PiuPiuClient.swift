import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOFoundationCompat
import PiuPiuAsync
import PiuPiuHTTPTypes
import ProxyKit

/// Forwards requests with a dispatcher.
struct PiuPiuClient: UpstreamClient {
    let dispatcher: URLRequestDispatcher

    /// Sends a request; both bodies are streams.
    func send(_ request: ForwardedRequest) async throws -> UpstreamResponse {
        let (head, body) = try await dispatcher.send(request.head, body: request.body.map(Self.upload))
        return UpstreamResponse(head: head) { writer in
            for try await chunk in body {
                try await writer.write(ByteBuffer(data: chunk))
            }
            guard let trailers = try body.trailerFields, !trailers.isEmpty else { return nil }
            return trailers
        }
    }

    /// The body, which is read no faster than the upstream takes it.
    private static func upload(_ body: ForwardedBody) -> PiuPiuAsync.RequestBody {
        body.length == 0
            ? .data(Data())
            : .stream(body.map { Data(buffer: $0) }, length: body.length.map { Int64($0) })
    }

    /// Returns the response to a request that failed.
    func failure(of error: any Error) -> ProxyError? {
        switch error {
        case let error as ProxyError: error
        case is CancellationError: nil
        case is LimitError, TransportError.Code.shutDown, TransportError.Code.timeout(.queue): .unavailable
        case let error as TransportError where error.code.timeoutPhase != nil: .timeout
        case TransportError.Code.invalidRequest, TransportError.Code.invalidURL, TransportError.Code.unsupported:
            .badRequest
        default: .badGateway
        }
    }
}
