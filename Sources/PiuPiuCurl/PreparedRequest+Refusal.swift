#if os(Linux)
import PiuPiuAsync

extension PreparedRequest {
    /// Why the request is not sent with a newer version than HTTP/1.1; `nil` if it may be.
    var refusalOfHTTP2: String? {
        sendsTrailers ? "libcurl sends trailers with HTTP/1.1, which the server does not speak" : nil
    }
}
#endif
