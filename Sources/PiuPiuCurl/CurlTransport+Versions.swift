#if os(Linux)
import PiuPiuAsync

extension CurlTransport {
    /// Whether the libcurl of this process can speak HTTP/3.
    ///
    /// HTTP/3 requires libcurl 8.23 or newer, built with HTTP/3 and OpenSSL. Otherwise `HTTP3Use.preferred` has the effect of
    /// `HTTP3Use.never`, and `HTTP3Use.required` is refused.
    public static var supportsHTTP3: Bool { (try? CurlLibrary.shared.get().supportsHTTP3) ?? false }
}
#endif
