/// Why a request of HTTP/2 was certainly not processed.
package enum HTTP2Refusal: Sendable, Equatable {
    /// The server refused the stream (RFC 9113 §8.7): RST_STREAM with REFUSED_STREAM.
    case stream
    /// The last stream that the server takes comes before the request (RFC 9113 §6.8).
    ///
    /// If the server took none, it does not want the connection; otherwise, GOAWAY and the request have met on the way.
    case goAway(HTTP2ErrorCode, tookOthers: Bool)
    /// The connection ended, or took no more requests, before any of it was sent.
    case notSent
}
