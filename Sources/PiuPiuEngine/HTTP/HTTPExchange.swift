#if os(Linux)
/// The result of passing on received bytes.
package enum ReceiveResult {
    case proceed
    /// The exchange did not accept the bytes. The connection offers them again after the exchange resumes.
    case pause
    /// The exchange ends, for a reason that it knows itself.
    case stop
}

/// Where the next bytes of a body are received.
package enum BodyRoom {
    /// In the connection's own buffer; ``HTTPExchange/bodyArrived(_:)`` passes them on.
    case connection
    /// In memory of the exchange; ``HTTPExchange/bodyStored(_:)`` reports them.
    case exchange(UnsafeMutableRawBufferPointer)
    /// The exchange has no room until it resumes.
    case pause
    /// The exchange ends, for a reason that it knows itself.
    case stop
}

/// The next part of a request's content.
package enum ContentPiece {
    case bytes(Int)
    /// The producer has no bytes yet; it resumes the exchange when it has some.
    case pause
    case end
    /// The content can't be completed; the exchange knows why.
    case abort
}

/// How the content of a request is framed (RFC 9112 §6).
package enum ContentFraming: Equatable {
    /// There is no content.
    case none
    /// The head announces the length.
    case length
    case chunked
    /// There is none before the server agrees to switch protocols; then, bytes follow in both directions (RFC 9110 §7.8).
    case tunnel
}

/// Why an exchange ended on its connection without a complete response.
package enum HTTPFailure: Error {
    /// The connection ended or broke.
    case lost(ChannelFailure?)
    /// The connection ended or broke within the body.
    case truncated(ChannelFailure?)
    case malformed(ResponseParser.Failure)
    /// The exchange could not complete the request's content.
    case content
    /// The server has certainly not processed the request, so any request may be sent again (RFC 9113 §8.7).
    case unprocessed(HTTP2Refusal)
    /// The server wants the request over HTTP/1.1 (RFC 9113 §7).
    case requiresHTTP1
    /// One side reset the HTTP/2 stream with an error code.
    case reset(HTTP2ErrorCode)
    /// The server broke the rules of HTTP/2, which ends the whole connection.
    case violation(HTTP2ErrorCode)
}

/// A request and its response, as seen by a connection.
///
/// The event loop's thread makes all calls.
package protocol HTTPExchange: AnyObject {
    /// The stream that carries the exchange, set by an HTTP/2 connection; `nil` elsewhere.
    var stream: HTTP2Stream? { get set }
    /// Whether the method is `HEAD`.
    var isHEAD: Bool { get }
    /// Whether the body is passed on as it arrives, to a reader that may be slow.
    var isStreamed: Bool { get }
    /// The largest size of all heads and trailers of the response, in bytes.
    var maximumHead: Int { get }
    var contentFraming: ContentFraming { get }
    /// Whether the request asks to close the connection after it (RFC 9112 §9.6).
    var closesConnection: Bool { get }
    /// How long the content waits for "100 Continue", in nanoseconds; `nil` not to wait.
    var continuePatience: Int64? { get }
    /// The most bytes sent and received within a second; 0 for no limit.
    var maximumSendRate: Int64 { get }
    var maximumReceiveRate: Int64 { get }

    /// Writes the head for HTTP/1.1, including the empty line.
    func writeHead(to output: OutputBuffer)
    /// Writes the fields of the head for HTTP/2.
    func writeFields(to block: FieldBlock)
    /// Copies the next part of the content.
    func readContent(into buffer: UnsafeMutableRawBufferPointer) -> ContentPiece
    /// Whether the last byte of the content was copied, if that is known before the end is read.
    var isContentComplete: Bool { get }
    /// The lines that follow chunked content, without their line ends.
    var contentTrailers: [String] { get }

    /// Records that bytes of the request were handed to the system.
    ///
    /// - Parameters:
    ///   - count: All bytes so far, including heads and chunk framing.
    ///   - isWhole: Whether these were the last bytes.
    func sent(_ count: Int, isWhole: Bool)
    /// Records that sending or receiving waits for the caller, or no longer does.
    func setPaused(_ isPaused: Bool)
    /// Records that bytes arrived from the network.
    ///
    /// - Parameters:
    ///   - count: The number of bytes.
    ///   - isProgress: Whether they advance the exchange, as bytes of a head or of content do.
    func received(_ count: Int, isProgress: Bool)

    func informationalArrived(_ head: HeadCollector)
    /// Takes the final head, and returns whether to go on.
    func headArrived(_ head: HeadCollector) -> Bool
    func bodyArrived(_ bytes: UnsafeRawBufferPointer) -> ReceiveResult
    /// Chooses where the next bytes of the body are received, so that they need not be copied.
    func roomForBody() -> BodyRoom
    /// Takes bytes at the start of the memory that ``roomForBody()`` returned; none if none had arrived.
    func bodyStored(_ bytes: UnsafeRawBufferPointer)
    /// Records that the response is complete while the request is not.
    func answeredEarly()

    /// Takes the end of the exchange. The connection calls this once and then releases the exchange.
    ///
    /// - Parameters:
    ///   - head: The heads and trailers that arrived.
    ///   - hasBegun: Whether any byte of a response arrived.
    ///   - failure: Why the response is incomplete; `nil` if it is complete.
    func ended(_ head: HeadCollector, hasBegun: Bool, _ failure: HTTPFailure?)
}

extension HTTPExchange {
    package func roomForBody() -> BodyRoom { .connection }

    package func bodyStored(_ bytes: UnsafeRawBufferPointer) {}
}
#endif
