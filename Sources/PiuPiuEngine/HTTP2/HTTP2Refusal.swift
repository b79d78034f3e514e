/// Why an HTTP/2 request was certainly not processed.
package enum HTTP2Refusal: Sendable, Equatable {
    /// The server refused the stream (RFC 9113 §8.7): RST_STREAM with REFUSED_STREAM.
    case stream
    /// The request comes after the last stream that the server takes (RFC 9113 §6.8).
    ///
    /// If the server took no stream, it does not want the connection; otherwise, its GOAWAY crossed the request on the way.
    case goAway(HTTP2ErrorCode, tookOthers: Bool)
    /// The connection ended, or took no more requests, before any part of the request was sent.
    case notSent
}
