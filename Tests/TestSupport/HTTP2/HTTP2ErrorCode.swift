/// Why a stream or a connection of HTTP/2 ends, as RFC 9113 numbers it.
public enum HTTP2ErrorCode: Int, Sendable, CaseIterable {
    /// Without an error.
    case noError = 0
    /// The peer broke the rules.
    case protocolError
    /// The server failed.
    case internalError
    /// There was no room for what was sent.
    case flowControlError
    /// Settings were not acknowledged.
    case settingsTimeout
    /// The stream had ended.
    case streamClosed
    /// A frame had a wrong size.
    case frameSizeError
    /// The request was not processed.
    case refusedStream
    /// The stream is no longer needed.
    case cancel
    /// A head could not be read.
    case compressionError
    /// The other connection of a tunnel ended.
    case connectError
    /// The peer does too much.
    case enhanceYourCalm
    /// TLS is not good enough.
    case inadequateSecurity
    /// The request must be sent over HTTP/1.1.
    case http11Required
}
