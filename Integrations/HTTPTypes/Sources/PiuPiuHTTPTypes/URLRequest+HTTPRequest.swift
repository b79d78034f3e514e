public import HTTPTypes
public import PiuPiuAsync

extension URLRequest {
    /// Creates a request from its pseudo header fields and header fields, without a body.
    ///
    /// The URL is made from `:scheme`, `:authority` and `:path`. `Host` may repeat the authority, or stand in for it. An
    /// empty path is `/`, and characters that a URL cannot have, such as `|` or `[`, are percent-encoded. What
    /// parsers could read in different ways is refused: spaces, control characters, characters that are not ASCII, `#`, a
    /// backslash, a `%` that begins no escape, user information (RFC 9113 §8.3.1), and a path that does not begin with a
    /// slash.
    ///
    /// A `URLRequest` has one value for each name. Fields of the same name are combined, in their order, with `", "`
    /// (RFC 9110 §5.3), and those of `Cookie` with `"; "` (RFC 9113 §8.2.3). A field that is not a list, such as
    /// `Content-Type` or `Authorization`, may occur once. Names keep the spelling of their first field.
    ///
    /// Which fields are secrets is not a part of a `URLRequest`: send it with ``PiuPiuValues/RequestOptions/hiding(_:)``.
    ///
    /// - Parameter request: The request.
    /// - Throws: `TransportError`. The code is `unsupportedScheme` if the scheme is neither `http` nor `https`;
    ///   `invalidURL` if there is no URL; `unsupported` for extended `CONNECT` (RFC 8441) and `OPTIONS *`;
    ///   `invalidRequest` for `CONNECT`, for a method that Foundation would change, such as `get`, for a `Host` that
    ///   contradicts the authority, for a field that occurs more often than it may, and for a value that is not UTF-8.
    ///   The error shows no value, no path and no authority.
    public init(_ request: HTTPRequest) throws(TransportError) {
        guard request.extendedConnectProtocol == nil else {
            throw TransportError(.unsupported, reason: "Extended CONNECT (RFC 8441) is not supported")
        }
        let method = request.method.rawValue
        guard method != "CONNECT" else { throw TransportError(.invalidRequest, reason: "CONNECT is for proxies") }
        self.init(url: try RequestURL.make(from: request))
        httpMethod = method
        // Methods are case-sensitive (RFC 9110 §9.1), and Foundation capitalizes those it knows.
        guard httpMethod == method else {
            throw TransportError(.invalidRequest, reason: "Foundation would change the case of the method \(method)")
        }
        // Setting the fields one by one would change the case of their names on Linux.
        allHTTPHeaderFields = try RequestFields.combined(request.headerFields)
    }
}
