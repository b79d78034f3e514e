import PiuPiuAsync

/// Tracks an HTTP/2 peer's actions on the streams of a connection; a pure value.
///
/// libcurl treats a stream as complete when the server resets it with NO_ERROR, whether or not END_STREAM came before (RFC 9113
/// §8.1). It also does not report which requests a server left unprocessed when it goes away (§6.8). Its trace of the frames
/// shows both.
struct HTTP2Monitor {
    /// Streams that the server ended with END_STREAM and that are not yet closed.
    private var ended: Set<Int> = []
    /// The stream of the last frame, if that was a RST_STREAM.
    private var lastReset: Int?
    /// The last stream that a departing server may process or has processed; `nil` before GOAWAY.
    private var lastStream: Int?

    /// Records a frame from the server.
    mutating func note(_ event: HTTP2TraceEvent) {
        switch event {
        case .ended(let stream):
            ended.insert(stream)
            lastReset = nil
        case .reset(let stream): lastReset = stream
        case .goAway(let stream): lastStream = min(stream, lastStream ?? stream)
        case .otherFrame: lastReset = nil
        case .received, .closed, .refused, .gaveUp: break
        }
    }

    /// Records that a stream is closed, and returns whether the server cut it off, that is, reset the stream before ending it.
    mutating func closed(_ stream: Int) -> Bool {
        ended.remove(stream) == nil && lastReset == stream
    }

    /// Returns whether the server went away without processing a stream's request (RFC 9113 §6.8).
    func hasLeftAlone(_ stream: Int) -> Bool { lastStream.map { stream > $0 } ?? false }
}

/// A line of libcurl's HTTP/2 trace.
enum HTTP2TraceEvent: Equatable {
    /// libcurl tried to read from the exchange's stream, or explains how it ended.
    case received(Int)
    /// The exchange's stream is closed.
    case closed(Int)
    /// The server has not processed the exchange's request.
    ///
    /// It refused the stream, went away before it, or requires HTTP/1.1 (RFC 9113 §6.8, §7, §8.7).
    case refused
    /// A frame from the server ends a stream.
    case ended(Int)
    /// The server resets a stream.
    case reset(Int)
    /// The server goes away and does not process streams later than this one.
    case goAway(Int)
    /// libcurl gives up the connection because of an error of the server.
    case gaveUp
    /// Another frame from the server.
    case otherFrame

    /// Reads a line such as `[HTTP/2] [1] <- FRAME[DATA, len=100, eos=1, padlen=0]`, whose content is untrusted.
    init?(_ line: UnsafeRawBufferPointer) {
        var scanner = LineScanner(line)
        if scanner.skip("[HTTP/2] [") {
            guard let stream = scanner.number(), scanner.skip("] ") else { return nil }
            self.init(of: stream, &scanner)
        } else if scanner.skip("received GOAWAY") {
            guard let stream = scanner.lastNumber(after: "last_stream=") else { return nil }
            self = .goAway(stream)
        } else if scanner.skip("Downgrades to HTTP/1.1") {
            self = .refused
        } else if scanner.skip("HTTP/2 stream ") {
            guard let stream = scanner.number() else { return nil }
            self = scanner.skip(" refused by server") ? .refused : .received(stream)
        } else if scanner.skip("nghttp2 shuts down connection") {
            self = .gaveUp
        } else {
            return nil
        }
    }

    /// Returns the stream of an error; `nil` if the text names none.
    ///
    /// - Parameter error: libcurl's text, such as `HTTP/2 stream 1 reset by curl (error 0xb ENHANCE_YOUR_CALM)`.
    /// - Returns: The stream.
    static func stream(ofError error: String) -> Int? {
        var error = error
        return error.withUTF8 { bytes in
            var scanner = LineScanner(UnsafeRawBufferPointer(bytes))
            return scanner.skip("HTTP/2 stream ") ? scanner.number() : nil
        }
    }

    private init?(of stream: Int, _ scanner: inout LineScanner) {
        if scanner.skip("cf_recv(") {
            self = .received(stream)
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
                self = .reset(stream)
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

/// Reads a line in place, because libcurl traces dozens of lines per request.
private struct LineScanner {
    private var rest: UnsafeRawBufferPointer

    init(_ line: UnsafeRawBufferPointer) {
        rest = line
    }

    mutating func skip(_ prefix: StaticString) -> Bool {
        guard begins(at: 0, prefix) else { return false }
        rest = UnsafeRawBufferPointer(rebasing: rest[prefix.utf8CodeUnitCount...])
        return true
    }

    mutating func number() -> Int? {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty, digits.count <= 10 else { return nil }
        rest = UnsafeRawBufferPointer(rebasing: rest[digits.endIndex...])
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Reads the number after the last occurrence of a text; earlier text may come from the server.
    mutating func lastNumber(after text: StaticString) -> Int? {
        let count = text.utf8CodeUnitCount
        guard let start = (0...max(0, rest.count - count)).last(where: { begins(at: $0, text) }) else { return nil }
        rest = UnsafeRawBufferPointer(rebasing: rest[(start + count)...])
        return number()
    }

    private func begins(at offset: Int, _ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard let bytes = rest.baseAddress, rest.count - offset >= count else { return false }
        return memcmp(bytes + offset, text.utf8Start, count) == 0
    }
}
