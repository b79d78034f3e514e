public import HTTPTypes
import Hummingbird

/// A request as it is sent to the upstream.
public struct ForwardedRequest: Sendable {
    /// The target at the upstream, and the fields that are forwarded.
    public let head: HTTPRequest
    /// The body; `nil` if the request has none.
    public let body: ForwardedBody?

    /// Creates the request to send from the one that arrived.
    ///
    /// - Parameters:
    ///   - request: The request that arrived.
    ///   - context: The context of the request.
    ///   - upstream: The server to send it to.
    ///   - bodyLimit: The largest body that is forwarded, in bytes.
    /// - Throws: ``ProxyError``: `badRequest` if the target is not a path, or the length of the body is not one;
    ///   `contentTooLarge` if the body is announced to be larger than the limit.
    init(_ request: Request, _ context: ProxyContext, to upstream: Upstream, bodyLimit: Int) throws(ProxyError) {
        guard let path = request.head.path, path.hasPrefix("/"), request.method != .connect else {
            throw .badRequest
        }
        var fields = request.headers.endToEnd
        fields.append(member: "1.1 \(ProxyResponder.pseudonym)", to: .via)
        if let client = context.clientAddress { fields.append(member: client, to: .forwardedFor) }
        fields[.forwardedProto] = "http"
        fields[.forwardedHost] = request.head.authority
        head = HTTPRequest(
            method: request.method,
            scheme: upstream.scheme,
            authority: upstream.authority,
            path: upstream.basePath.isEmpty ? path : upstream.basePath + path,
            headerFields: fields
        )
        body = try Self.body(of: request, limit: bodyLimit)
    }

    /// The body of a request: there is one if it says so (RFC 9112 §6.3).
    private static func body(of request: Request, limit: Int) throws(ProxyError) -> ForwardedBody? {
        if request.headers[.transferEncoding] != nil {
            return ForwardedBody(request.body, length: nil, limit: limit)
        }
        guard let value = request.headers[.contentLength] else { return nil }
        guard let length = Int(value), length >= 0 else { throw .badRequest }
        guard length <= limit else { throw .contentTooLarge }
        return ForwardedBody(request.body, length: length, limit: limit)
    }
}

extension HTTPField.Name {
    static let forwardedFor = HTTPField.Name("X-Forwarded-For") ?? .via
    static let forwardedHost = HTTPField.Name("X-Forwarded-Host") ?? .via
    static let forwardedProto = HTTPField.Name("X-Forwarded-Proto") ?? .via
}
