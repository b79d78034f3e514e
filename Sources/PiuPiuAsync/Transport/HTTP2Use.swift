/// Whether a transport offers HTTP/2 to servers over TLS.
public enum HTTP2Use: Sendable, Hashable {
    /// Offers HTTP/2 if it is reliable: on Apple systems, and on Linux with libcurl 8.14 or newer, or over
    /// ``SocketTransport`` with nghttp2 1.33 or newer.
    ///
    /// An older libcurl reports a response as complete even if the server or a broken connection cut it off, unless its
    /// length is known. With such a version, requests use HTTP/1.1.
    case automatic
    /// Offers HTTP/2 with every version of libcurl. ``SocketTransport`` cannot be created with it if there is no nghttp2.
    ///
    /// With a libcurl older than 8.14, a response over HTTP/2 without a `Content-Length` may be truncated without an
    /// error, and a request that is not idempotent is not repeated if a server refuses it.
    case always
    /// Never offers HTTP/2. ``URLSessionTransport`` cannot disable HTTP/2 and refuses requests to `https` URLs.
    case never
}
