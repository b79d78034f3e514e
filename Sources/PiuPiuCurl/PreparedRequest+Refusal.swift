#if os(Linux)
import PiuPiuAsync

extension PreparedRequest {
    /// Why the request may not use a version newer than HTTP/1.1; `nil` if it may.
    var refusalOfHTTP2: String? {
        sendsTrailers ? "libcurl sends trailers with HTTP/1.1, which the server does not speak" : nil
    }
}
#endif
