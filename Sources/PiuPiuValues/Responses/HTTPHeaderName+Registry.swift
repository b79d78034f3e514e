/// The common names of the IANA registry of
/// [HTTP field names](https://www.iana.org/assignments/http-fields/http-fields.xhtml), with their specifications.
extension HTTPHeaderName {
    /// Media types that the client accepts (RFC 9110 §12.5.1).
    public static let accept = HTTPHeaderName("Accept")
    /// Content codings that the client accepts; a dispatcher that decompresses sets it itself (RFC 9110 §12.5.3).
    public static let acceptEncoding = HTTPHeaderName("Accept-Encoding")
    /// Languages that the client prefers (RFC 9110 §12.5.4).
    public static let acceptLanguage = HTTPHeaderName("Accept-Language")
    /// Media types that a resource accepts in `PATCH` (RFC 5789 §3.1).
    public static let acceptPatch = HTTPHeaderName("Accept-Patch")
    /// Media types that a resource accepts in `POST` (Linked Data Platform §7.1).
    public static let acceptPost = HTTPHeaderName("Accept-Post")
    /// Range units that a resource supports (RFC 9110 §14.3).
    public static let acceptRanges = HTTPHeaderName("Accept-Ranges")
    /// Whether a script may read a response to a request with credentials (WHATWG Fetch §3.3).
    public static let accessControlAllowCredentials = HTTPHeaderName("Access-Control-Allow-Credentials")
    /// Request fields that a script may set (WHATWG Fetch §3.3).
    public static let accessControlAllowHeaders = HTTPHeaderName("Access-Control-Allow-Headers")
    /// Methods that a script may use (WHATWG Fetch §3.3).
    public static let accessControlAllowMethods = HTTPHeaderName("Access-Control-Allow-Methods")
    /// The origin whose scripts may read a response (WHATWG Fetch §3.3).
    public static let accessControlAllowOrigin = HTTPHeaderName("Access-Control-Allow-Origin")
    /// Response fields that a script may read (WHATWG Fetch §3.3).
    public static let accessControlExposeHeaders = HTTPHeaderName("Access-Control-Expose-Headers")
    /// How long the result of a preflight request may be cached, in seconds (WHATWG Fetch §3.3).
    public static let accessControlMaxAge = HTTPHeaderName("Access-Control-Max-Age")
    /// Fields of the request that a preflight request asks for (WHATWG Fetch §3.3).
    public static let accessControlRequestHeaders = HTTPHeaderName("Access-Control-Request-Headers")
    /// The method that a preflight request asks for (WHATWG Fetch §3.3).
    public static let accessControlRequestMethod = HTTPHeaderName("Access-Control-Request-Method")
    /// The seconds since a cached response was created (RFC 9111 §5.1).
    public static let age = HTTPHeaderName("Age")
    /// Methods that a resource supports (RFC 9110 §10.2.1).
    public static let allow = HTTPHeaderName("Allow")
    /// Other services for the same origin (RFC 7838 §3).
    public static let altSvc = HTTPHeaderName("Alt-Svc")
    /// Information after a successful authentication (RFC 9110 §11.6.3).
    public static let authenticationInfo = HTTPHeaderName("Authentication-Info")
    /// Credentials for the origin server; a secret (RFC 9110 §11.6.2).
    public static let authorization = HTTPHeaderName("Authorization")
    /// Directives for caches (RFC 9111 §5.2).
    public static let cacheControl = HTTPHeaderName("Cache-Control")
    /// How caches handled a request (RFC 9211 §2).
    public static let cacheStatus = HTTPHeaderName("Cache-Status")
    /// Directives for content delivery networks (RFC 9213 §3.1).
    public static let cdnCacheControl = HTTPHeaderName("CDN-Cache-Control")
    /// Kinds of stored data to remove (Clear Site Data §3.1).
    public static let clearSiteData = HTTPHeaderName("Clear-Site-Data")
    /// Options for a connection (RFC 9110 §7.6.1).
    public static let connection = HTTPHeaderName("Connection")
    /// Digests of the content of a message (RFC 9530 §2).
    public static let contentDigest = HTTPHeaderName("Content-Digest")
    /// How to present content, and its file name (RFC 6266).
    public static let contentDisposition = HTTPHeaderName("Content-Disposition")
    /// Codings that were applied to the content (RFC 9110 §8.4).
    public static let contentEncoding = HTTPHeaderName("Content-Encoding")
    /// Languages of the intended audience (RFC 9110 §8.5).
    public static let contentLanguage = HTTPHeaderName("Content-Language")
    /// The length of the content in bytes (RFC 9110 §8.6).
    public static let contentLength = HTTPHeaderName("Content-Length")
    /// The URL of the resource that the content represents (RFC 9110 §8.7).
    public static let contentLocation = HTTPHeaderName("Content-Location")
    /// The part of a representation that the content has (RFC 9110 §14.4).
    public static let contentRange = HTTPHeaderName("Content-Range")
    /// Sources that a document may load from (Content Security Policy §3.1).
    public static let contentSecurityPolicy = HTTPHeaderName("Content-Security-Policy")
    /// The media type of the content (RFC 9110 §8.3).
    public static let contentType = HTTPHeaderName("Content-Type")
    /// Cookies for the server; a secret (RFC 6265 §4.2).
    public static let cookie = HTTPHeaderName("Cookie")
    /// When a message was created (RFC 9110 §6.6.1).
    public static let date = HTTPHeaderName("Date")
    /// When a resource was or will be deprecated (RFC 9745 §2).
    public static let deprecation = HTTPHeaderName("Deprecation")
    /// Whether a request was sent in early data of TLS (RFC 8470 §5.1).
    public static let earlyData = HTTPHeaderName("Early-Data")
    /// The current entity tag of a representation (RFC 9110 §8.8.3).
    public static let eTag = HTTPHeaderName("ETag")
    /// The client's expectations of a server before it sends content (RFC 9110 §10.1.1).
    public static let expect = HTTPHeaderName("Expect")
    /// When a response becomes stale (RFC 9111 §5.3).
    public static let expires = HTTPHeaderName("Expires")
    /// The information that proxies have about a request (RFC 7239 §4).
    public static let forwarded = HTTPHeaderName("Forwarded")
    /// The e-mail address of the person in control of a client (RFC 9110 §10.1.2).
    public static let from = HTTPHeaderName("From")
    /// The host and port of the target; a dispatcher sets it itself (RFC 9110 §7.2).
    public static let host = HTTPHeaderName("Host")
    /// Entity tags, one of which must match (RFC 9110 §13.1.1).
    public static let ifMatch = HTTPHeaderName("If-Match")
    /// The date after which a representation must have changed (RFC 9110 §13.1.3).
    public static let ifModifiedSince = HTTPHeaderName("If-Modified-Since")
    /// Entity tags, none of which may match (RFC 9110 §13.1.2).
    public static let ifNoneMatch = HTTPHeaderName("If-None-Match")
    /// The validator that must match for a range to be sent (RFC 9110 §13.1.5).
    public static let ifRange = HTTPHeaderName("If-Range")
    /// The date after which a representation must not have changed (RFC 9110 §13.1.4).
    public static let ifUnmodifiedSince = HTTPHeaderName("If-Unmodified-Since")
    /// The identifier of the last server-sent event that was received (WHATWG HTML §9.2).
    public static let lastEventID = HTTPHeaderName("Last-Event-ID")
    /// When a representation was last changed (RFC 9110 §8.8.2).
    public static let lastModified = HTTPHeaderName("Last-Modified")
    /// Links to other resources, such as the next page (RFC 8288 §3).
    public static let link = HTTPHeaderName("Link")
    /// The target of a redirect, or the URL of a created resource (RFC 9110 §10.2.2).
    public static let location = HTTPHeaderName("Location")
    /// How often a request may be forwarded (RFC 9110 §7.6.2).
    public static let maxForwards = HTTPHeaderName("Max-Forwards")
    /// The version of MIME that a message conforms to (RFC 9112 §B.1).
    public static let mimeVersion = HTTPHeaderName("MIME-Version")
    /// The origin that caused a request (RFC 6454 §7).
    public static let origin = HTTPHeaderName("Origin")
    /// Behaviour that a client would like (RFC 7240 §2).
    public static let prefer = HTTPHeaderName("Prefer")
    /// Preferences that a server followed (RFC 7240 §3).
    public static let preferenceApplied = HTTPHeaderName("Preference-Applied")
    /// The urgency of a response (RFC 9218 §5).
    public static let priority = HTTPHeaderName("Priority")
    /// Challenges of a proxy (RFC 9110 §11.7.1).
    public static let proxyAuthenticate = HTTPHeaderName("Proxy-Authenticate")
    /// Information after a successful authentication at a proxy (RFC 9110 §11.7.3).
    public static let proxyAuthenticationInfo = HTTPHeaderName("Proxy-Authentication-Info")
    /// Credentials for a proxy; a secret (RFC 9110 §11.7.2).
    public static let proxyAuthorization = HTTPHeaderName("Proxy-Authorization")
    /// How proxies handled a response (RFC 9209 §2).
    public static let proxyStatus = HTTPHeaderName("Proxy-Status")
    /// The parts of a representation that a client asks for (RFC 9110 §14.2).
    public static let range = HTTPHeaderName("Range")
    /// The resource from which the target was obtained (RFC 9110 §10.1.3).
    public static let referer = HTTPHeaderName("Referer")
    /// How much of a URL is sent as a referrer (Referrer Policy §8.1).
    public static let referrerPolicy = HTTPHeaderName("Referrer-Policy")
    /// Digests of a representation (RFC 9530 §3).
    public static let reprDigest = HTTPHeaderName("Repr-Digest")
    /// When to send a request again, in seconds or as a date (RFC 9110 §10.2.3).
    public static let retryAfter = HTTPHeaderName("Retry-After")
    /// The server's part of the handshake of a WebSocket (RFC 6455 §11.3.3).
    public static let secWebSocketAccept = HTTPHeaderName("Sec-WebSocket-Accept")
    /// Extensions of a WebSocket (RFC 6455 §11.3.2).
    public static let secWebSocketExtensions = HTTPHeaderName("Sec-WebSocket-Extensions")
    /// The client's part of the handshake of a WebSocket (RFC 6455 §11.3.1).
    public static let secWebSocketKey = HTTPHeaderName("Sec-WebSocket-Key")
    /// The subprotocol of a WebSocket (RFC 6455 §11.3.4).
    public static let secWebSocketProtocol = HTTPHeaderName("Sec-WebSocket-Protocol")
    /// The version of the WebSocket protocol (RFC 6455 §11.3.5).
    public static let secWebSocketVersion = HTTPHeaderName("Sec-WebSocket-Version")
    /// The software of the server (RFC 9110 §10.2.4).
    public static let server = HTTPHeaderName("Server")
    /// How long steps of the server took (Server Timing §3).
    public static let serverTiming = HTTPHeaderName("Server-Timing")
    /// A cookie to store; a secret (RFC 6265 §4.1).
    public static let setCookie = HTTPHeaderName("Set-Cookie")
    /// The requirement to use only HTTPS for a host (RFC 6797 §6.1).
    public static let strictTransportSecurity = HTTPHeaderName("Strict-Transport-Security")
    /// When a resource is expected to become unavailable (RFC 8594 §3).
    public static let sunset = HTTPHeaderName("Sunset")
    /// Transfer codings that a client accepts, and whether it accepts trailers (RFC 9110 §10.1.4).
    public static let te = HTTPHeaderName("TE")
    /// The request in a distributed trace (Trace Context §3.2).
    public static let traceparent = HTTPHeaderName("traceparent")
    /// Details of a distributed trace for vendors (Trace Context §3.3).
    public static let tracestate = HTTPHeaderName("tracestate")
    /// Fields that the trailer section may contain (RFC 9110 §6.6.2).
    public static let trailer = HTTPHeaderName("Trailer")
    /// Codings of a message in HTTP/1.1 (RFC 9112 §6.1).
    public static let transferEncoding = HTTPHeaderName("Transfer-Encoding")
    /// Protocols that a client would like to change to (RFC 9110 §7.8).
    public static let upgrade = HTTPHeaderName("Upgrade")
    /// The software of the client (RFC 9110 §10.1.5).
    public static let userAgent = HTTPHeaderName("User-Agent")
    /// Request fields that a response depends on (RFC 9110 §12.5.5).
    public static let vary = HTTPHeaderName("Vary")
    /// Proxies and gateways that a message passed (RFC 9110 §7.6.3).
    public static let via = HTTPHeaderName("Via")
    /// Algorithms that are preferred for `Content-Digest` (RFC 9530 §4).
    public static let wantContentDigest = HTTPHeaderName("Want-Content-Digest")
    /// Algorithms that are preferred for `Repr-Digest` (RFC 9530 §4).
    public static let wantReprDigest = HTTPHeaderName("Want-Repr-Digest")
    /// Challenges of the origin server (RFC 9110 §11.6.1).
    public static let wwwAuthenticate = HTTPHeaderName("WWW-Authenticate")
    /// The instruction to a browser not to guess the type of content (WHATWG Fetch §3.6).
    public static let xContentTypeOptions = HTTPHeaderName("X-Content-Type-Options")
    /// Whether a document may be shown in a frame (WHATWG HTML §7.5).
    public static let xFrameOptions = HTTPHeaderName("X-Frame-Options")
}
