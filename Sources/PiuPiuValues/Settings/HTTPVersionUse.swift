/// Whether a transport offers HTTP/2 to servers over TLS.
public enum HTTP2Use: Sendable, Hashable {
    /// Offers HTTP/2 if the system supports it: always on Apple systems, and on Linux with nghttp2 1.33 or newer.
    ///
    /// Otherwise, requests use HTTP/1.1.
    case automatic
    /// Offers HTTP/2 like ``automatic``, but a ``SocketTransport`` cannot be created without nghttp2.
    case always
    /// Never offers HTTP/2. ``URLSessionTransport`` cannot disable HTTP/2 and refuses requests to `https` URLs.
    case never
}

/// Whether a transport uses HTTP/3 (RFC 9114) for `https` URLs.
///
/// Requests to `http` URLs and through proxies never use it. On Linux, `CurlTransport` of the product `PiuPiuCurl` supports it;
/// ``SocketTransport`` refuses every value but ``never`` with ``TransportError/Code/unsupported``.
public enum HTTP3Use: Sendable, Hashable {
    /// Does not request HTTP/3.
    ///
    /// On Apple systems, `URLSession` may still use it with a server that advertises it.
    case never
    /// Tries HTTP/3 for each new connection, and HTTP/2 or HTTP/1.1 if it does not succeed at once.
    ///
    /// If the server has not answered over UDP after 100 milliseconds, or HTTP/3 is not ready after 200, the transport also
    /// opens a connection over TCP; it uses the first one that is ready and closes the other. If UDP is blocked, each new
    /// connection therefore takes 100 milliseconds longer. Through a proxy, the transport uses only HTTP/2 and HTTP/1.1.
    /// Streams and downloads share connections, too; with HTTP/2, a stream that is not read may delay others.
    ///
    /// With a libcurl without HTTP/3 (see `CurlTransport.supportsHTTP3`), and on Apple systems, where `URLSession` decides by
    /// itself, this is like ``never``.
    case preferred
    /// Uses HTTP/3 with an origin that advertises it with `Alt-Svc` (RFC 7838), and HTTP/2 or HTTP/1.1 before that.
    ///
    /// An `https` response may name `h3` as an alternative for its origin. One of the next requests then tries it on a new
    /// connection, like ``preferred``. If it works, new connections use HTTP/3, and those over TCP close after their next
    /// response. If it fails, or a later connection over HTTP/3 fails, the transport does not try it again for five minutes,
    /// and then for twice as long each time, up to a day: if UDP is blocked, only one request takes 100 milliseconds longer.
    /// The advertisement is valid for the time that it states, at most thirty days, or for a day if it states none.
    ///
    /// The transport uses only alternatives on the same host and port. Each event loop (``TransportConfiguration/eventLoops``)
    /// keeps its known alternatives in memory, and forgets them when the configuration changes. Otherwise, this is like
    /// ``preferred``: no HTTP/3 through a proxy or with a libcurl without it; on Apple systems, `URLSession` decides by itself.
    case altSvc
    /// Uses HTTP/3 or fails, also for streams and downloads, which share its connections.
    ///
    /// Creating a transport throws `unsupported` if libcurl lacks HTTP/3. A request through a proxy fails with `unsupported`,
    /// and so does each request to an `https` URL with ``URLSessionTransport``.
    case required
}
