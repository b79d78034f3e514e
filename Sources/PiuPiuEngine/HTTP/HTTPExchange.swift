#if os(Linux)
/// What happens to received bytes.
package enum ReceiveResult {
    case proceed
    /// The bytes were not accepted, and are offered again when the exchange goes on.
    case pause
    /// The exchange ends; whoever said so knows why.
    case stop
}

/// The next part of a request's content.
package enum ContentPiece {
    case bytes(Int)
    /// The producer has no bytes yet, and tells when it has.
    case pause
    case end
    /// The content can't be completed; the exchange knows why.
    case abort
}

/// How the content of a request is framed (RFC 9112 §6).
package enum ContentFraming: Equatable {
    /// There is none.
    case none
    /// By the length that the head announces.
    case length
    case chunked
}

/// Why an exchange ended on its connection without a whole response.
package enum HTTPFailure: Error {
    /// The connection ended, or broke.
    case lost(ChannelFailure?)
    /// The connection ended, or broke, within the body.
    case truncated(ChannelFailure?)
    case malformed(ResponseParser.Failure)
    /// The content could not be completed.
    case content
    /// The server has certainly not processed the request, so it may be sent again whatever it is (RFC 9113 §8.7).
    case unprocessed(HTTP2Refusal)
    /// The server wants the request over HTTP/1.1 (RFC 9113 §7).
    case requiresHTTP1
    /// The stream of HTTP/2 was reset with an error code, or by us because of one.
    case reset(HTTP2ErrorCode)
    /// The server broke the rules of HTTP/2 so that the whole connection is lost.
    case violation(HTTP2ErrorCode)
}

/// A request and its response, as a connection sees them.
///
/// All calls come from the thread of the event loop.
package protocol HTTPExchange: AnyObject {
    /// The stream that carries it on a connection of HTTP/2, which sets it; `nil` elsewhere.
    var stream: HTTP2Stream? { get set }
    /// Whether the method is `HEAD`.
    var isHEAD: Bool { get }
    /// Whether the body is passed on as it arrives, to a reader who may be slow.
    var isStreamed: Bool { get }
    /// The largest size of all heads and trailers of the response, in bytes.
    var maximumHead: Int { get }
    var contentFraming: ContentFraming { get }
    /// Whether the request says that the connection is closed after it (RFC 9112 §9.6).
    var closesConnection: Bool { get }
    /// How long the content waits for "100 Continue", in nanoseconds; `nil` for not at all.
    var continuePatience: Int64? { get }
    /// How much is sent and received within a second, in bytes; 0 for any amount.
    var maximumSendRate: Int64 { get }
    var maximumReceiveRate: Int64 { get }

    /// Writes the head for HTTP/1.1, with the empty line.
    func writeHead(to output: OutputBuffer)
    /// Writes the fields of the head for HTTP/2.
    func writeFields(to block: FieldBlock)
    /// Copies the next part of the content.
    func readContent(into buffer: UnsafeMutableRawBufferPointer) -> ContentPiece
    /// Whether the last byte of the content was copied, as far as that is known before its end is read.
    var isContentComplete: Bool { get }
    /// The lines that follow chunked content, without their line ends.
    var contentTrailers: [String] { get }

    /// Records that bytes of the request were handed to the system.
    ///
    /// - Parameters:
    ///   - count: All bytes so far, heads and chunks included.
    ///   - isWhole: Whether these were the last.
    func sent(_ count: Int, isWhole: Bool)
    /// Records that sending or receiving waits for the caller, or no longer.
    func setPaused(_ isPaused: Bool)
    /// Records that bytes arrived from the network.
    ///
    /// - Parameters:
    ///   - count: The number of bytes.
    ///   - isProgress: Whether they bring the exchange on, as those of a head or of the content do.
    func received(_ count: Int, isProgress: Bool)

    func informationalArrived(_ head: HeadCollector)
    /// Takes the final head.
    ///
    /// - Returns: Whether to go on.
    func headArrived(_ head: HeadCollector) -> Bool
    func bodyArrived(_ bytes: UnsafeRawBufferPointer) -> ReceiveResult
    /// Records that the response is complete while the request is not.
    func answeredEarly()

    /// Takes the end: the only one, after which the connection has forgotten the exchange.
    ///
    /// - Parameters:
    ///   - head: What arrived of heads and trailers.
    ///   - hasBegun: Whether anything of a response arrived.
    ///   - failure: Why there is no whole response; `nil` if there is.
    func ended(_ head: HeadCollector, hasBegun: Bool, _ failure: HTTPFailure?)
}
#endif
