/// Whether a transport offers HTTP/2 to servers over TLS.
public enum HTTP2Use: Sendable, Hashable {
    /// Where it can be relied on: on Apple systems, and on Linux with libcurl 8.14 or newer.
    ///
    /// An older libcurl takes a response for complete that the server or a broken connection cut off, unless its length is
    /// known. With it, requests go over HTTP/1.1.
    case automatic
    /// With every version of libcurl.
    ///
    /// With a version older than 8.14, a response over HTTP/2 that has no `Content-Length` may lack its end without an error,
    /// and a request that is not idempotent is not repeated when a server refuses it.
    case always
    /// Never. ``URLSessionTransport`` cannot be kept from HTTP/2 and refuses requests to `https` URLs.
    case never
}
