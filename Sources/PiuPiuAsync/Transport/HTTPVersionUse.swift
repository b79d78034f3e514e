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

/// Whether a transport uses HTTP/3 (RFC 9114) for `https` URLs.
///
/// Requests to `http` URLs never use it, and it cannot pass a proxy. On Linux, `CurlTransport` of the product `PiuPiuCurl`
/// speaks it; ``SocketTransport`` refuses everything but ``never`` with ``TransportError/Code/unsupported``.
public enum HTTP3Use: Sendable, Hashable {
    /// Does not ask for HTTP/3.
    ///
    /// On Apple systems, `URLSession` may still use it with a server that advertises it.
    case never
    /// Tries HTTP/3 for each new connection, and HTTP/2 or HTTP/1.1 if it does not succeed at once.
    ///
    /// If the server has not answered over UDP after 100 milliseconds, or HTTP/3 is not ready after 200, a connection over
    /// TCP is opened as well; the first that is ready is used and the other closed. Where UDP is blocked, each new
    /// connection therefore takes 100 milliseconds longer. Through a proxy, only HTTP/2 and HTTP/1.1 are
    /// spoken. Streams and downloads share connections, too; if it comes to HTTP/2, one that is not read may hold up others.
    ///
    /// With a libcurl without HTTP/3 (see `CurlTransport.supportsHTTP3`), this and on Apple systems, where
    /// `URLSession` decides by itself, this is like ``never``.
    case preferred
    /// Uses HTTP/3 with an origin that advertises it with `Alt-Svc` (RFC 7838), and until then HTTP/2 or HTTP/1.1.
    ///
    /// An `https` response may name `h3` as an alternative for its origin. One of the next requests then tries it, on a new
    /// connection, like ``preferred``; if it works, new connections use HTTP/3, and those over TCP are closed after their next
    /// response. If it does not, or a later connection over HTTP/3 does not come up, it is not tried for five minutes, and then
    /// for twice as long each time, up to a day: where UDP is blocked, one request takes 100 milliseconds longer, and no
    /// other. The advertisement holds for the time that it names, at most thirty days, or a day if it names none.
    ///
    /// Only alternatives on the same host and port are used. What is known is kept in memory, by each event loop of
    /// its own (``TransportConfiguration/eventLoops``), and forgotten when the configuration changes. The rest is as with
    /// ``preferred``: no HTTP/3 through a proxy, nor with a libcurl without it; on Apple systems `URLSession` decides by itself.
    case altSvc
    /// Uses HTTP/3 or fails, for streams and downloads as well, which share its connections.
    ///
    /// Creating a transport throws `unsupported` if libcurl lacks HTTP/3. A request that would go through a proxy fails with
    /// `unsupported`, and so does each request to an `https` URL with ``URLSessionTransport``.
    case required
}
