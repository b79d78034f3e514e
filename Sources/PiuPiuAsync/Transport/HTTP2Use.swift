/// Whether a transport offers HTTP/2 to servers over TLS.
public enum HTTP2Use: Sendable, Hashable {
    /// Offers HTTP/2 if the system can: always on Apple systems, and on Linux if there is nghttp2 1.33 or newer.
    ///
    /// Otherwise requests use HTTP/1.1.
    case automatic
    /// Offers HTTP/2 as ``automatic`` does, but ``SocketTransport`` cannot be created if there is no nghttp2.
    case always
    /// Never offers HTTP/2. ``URLSessionTransport`` cannot disable HTTP/2 and refuses requests to `https` URLs.
    case never
}
