/// What an HTTP/2 peer did to the streams of a connection, as far as an exchange has to know: a pure value.
///
/// libcurl takes a stream for complete when the server resets it with NO_ERROR, whether END_STREAM came before or not
/// (RFC 9113 §8.1). And it does not say which requests a server has left alone when it goes away (§6.8). Its trace of the
/// frames says both.
struct HTTP2Monitor {
    /// Streams that the server ended with END_STREAM and that are not closed yet.
    private var ended: Set<Int> = []
    /// The stream of the last frame, if that was a RST_STREAM.
    private var lastReset: Int?
    /// The last stream that a server which goes away has processed or may still process; `nil` before GOAWAY.
    private(set) var lastStream: Int?
    /// Streams that the server reset without having processed their requests.
    private var refused: Set<Int> = []

    /// Notes a frame of the server.
    mutating func note(_ event: HTTP2TraceEvent) {
        switch event {
        case .ended(let stream):
            ended.insert(stream)
            lastReset = nil
        case .reset(let stream, let meansUnprocessed):
            lastReset = stream
            if meansUnprocessed { refused.insert(stream) }
        case .goAway(let stream): lastStream = min(stream, lastStream ?? stream)
        case .otherFrame: lastReset = nil
        case .opened, .closed, .refused, .gaveUp: break
        }
    }

    /// Notes that a stream is closed.
    ///
    /// - Parameter stream: The stream.
    /// - Returns: Whether the server cut it off: it reset the stream before it had ended it.
    mutating func closed(_ stream: Int) -> Bool {
        ended.remove(stream) == nil && lastReset == stream
    }

    /// Forgets a stream that nobody asks about any more.
    mutating func forget(_ stream: Int) {
        ended.remove(stream)
        refused.remove(stream)
    }

    /// Whether the server has certainly not processed the request of a stream (RFC 9113 §6.8, §8.7).
    func hasLeftAlone(_ stream: Int) -> Bool {
        refused.contains(stream) || lastStream.map { stream > $0 } ?? false
    }
}

/// A line of libcurl's trace of HTTP/2.
enum HTTP2TraceEvent: Equatable {
    /// The exchange got a stream.
    case opened(Int)
    /// The exchange's stream is closed.
    case closed(Int)
    /// The server refused the exchange's stream.
    case refused
    /// A frame of the server ends a stream.
    case ended(Int)
    /// The server resets a stream, and may say by the error code that it has not processed its request.
    case reset(Int, meansUnprocessed: Bool)
    /// The server goes away, and has nothing to do with later streams than this one.
    case goAway(Int)
    /// libcurl gives the connection up, because of what the server sent.
    case gaveUp
    /// Another frame of the server.
    case otherFrame

    // RFC 9113 §7. The second says that the server wants the request over HTTP/1.1, which it has not looked at.
    private static let refusedStream = 7
    private static let http11Required = 13

    /// Reads a line such as `[HTTP/2] [1] <- FRAME[DATA, len=100, eos=1, padlen=0]`.
    ///
    /// - Parameter line: The line; nothing of it is trusted to be as expected.
    init?(_ line: some Collection<UInt8>) {
        var scanner = LineScanner(line)
        if scanner.skip("[HTTP/2] [") {
            guard let stream = scanner.number(), scanner.skip("] ") else { return nil }
            self.init(of: stream, &scanner)
        } else if scanner.skip("received GOAWAY") {
            guard let stream = scanner.lastNumber(after: "last_stream=") else { return nil }
            self = .goAway(stream)
        } else if scanner.skip("HTTP/2 stream ") {
            guard scanner.number() != nil, scanner.skip(" refused by server") else { return nil }
            self = .refused
        } else {
            return nil
        }
    }

    private init?(of stream: Int, _ scanner: inout LineScanner) {
        if scanner.skip("OPENED stream") {
            self = .opened(stream)
        } else if scanner.skip("CLOSED") {
            self = .closed(stream)
        } else if scanner.skip("REFUSED_STREAM") {
            self = .refused
        } else if scanner.skip("-> FRAME[GOAWAY,") {
            self = .gaveUp
        } else if scanner.skip("<- FRAME[") {
            if scanner.skip("DATA,") || scanner.skip("HEADERS,") {
                self = scanner.lastNumber(after: "eos=") == 1 ? .ended(stream) : .otherFrame
            } else if scanner.skip("RST_STREAM,") {
                let code = scanner.lastNumber(after: "error=")
                self = .reset(stream, meansUnprocessed: code == Self.refusedStream || code == Self.http11Required)
            } else if scanner.skip("GOAWAY,"), let last = scanner.lastNumber(after: "last_stream=") {
                self = .goAway(last)
            } else {
                self = .otherFrame
            }
        } else {
            return nil
        }
    }
}

/// Reads a line from its beginning.
private struct LineScanner {
    private var rest: ArraySlice<UInt8>

    init(_ line: some Collection<UInt8>) {
        rest = Array(line)[...]
    }

    mutating func skip(_ prefix: String) -> Bool {
        guard rest.starts(with: prefix.utf8) else { return false }
        rest = rest.dropFirst(prefix.utf8.count)
        return true
    }

    mutating func number() -> Int? {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty, digits.count <= 10 else { return nil }
        rest = rest[digits.endIndex...]
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// The number behind the last place where a text stands: before it there may be text of the server's.
    mutating func lastNumber(after text: String) -> Int? {
        let wanted = Array(text.utf8)
        guard rest.count >= wanted.count else { return nil }
        for start in (rest.startIndex...(rest.endIndex - wanted.count)).reversed()
        where rest[start...].starts(with: wanted) {
            rest = rest[(start + wanted.count)...]
            return number()
        }
        return nil
    }
}
