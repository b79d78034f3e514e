import Testing

@testable import PiuPiuEngine

/// The parser takes the same from bytes however they are cut up.
struct ResponseParserTests {
    struct Reading: Equatable {
        var heads: [Int] = []
        var body: [UInt8] = []
        var isComplete = false
        var keepsConnection = false
        var left = 0
        var failure: ResponseParser.Failure?
        var end: ResponseParser.ConnectionEnd?
    }

    /// Reads bytes in pieces of a size, until the response is complete or fails; then the connection ends.
    ///
    /// If `skips` is true, the parser does not see the bytes of the body.
    static func read(
        _ bytes: [UInt8],
        pieces: Int,
        skips: Bool = false,
        isHEAD: Bool = false,
        limit: Int = 1000
    ) -> Reading {
        var parser = ResponseParser(limit: limit, isHEAD: isHEAD)
        var reading = Reading()
        var position = 0
        reading.left = bytes.count
        do throws(ResponseParser.Failure) {
            while position < bytes.count, !reading.isComplete {
                var piece = Array(bytes[position..<min(position + pieces, bytes.count)])
                position += piece.count
                if skips, case let count = min(parser.bodyCountAhead, piece.count), count > 0 {
                    parser.skipBody(count)
                    reading.body += piece[..<count]
                    reading.left -= count
                    piece.removeFirst(count)
                }
                try piece.withUnsafeBytes { buffer in
                    Result { () throws(ResponseParser.Failure) in try take(buffer, &parser, &reading) }
                }.get()
            }
        } catch {
            reading.failure = error
            return reading
        }
        reading.end = parser.connectionEnded()
        reading.keepsConnection = parser.keepsConnection
        return reading
    }

    private static func take(
        _ buffer: UnsafeRawBufferPointer,
        _ parser: inout ResponseParser,
        _ reading: inout Reading
    ) throws(ResponseParser.Failure) {
        var input = buffer
        while true {
            let before = input.count
            let event: ResponseParser.Event
            do throws(ResponseParser.Failure) {
                event = try parser.next(&input)
            } catch {
                reading.left -= before - input.count
                throw error
            }
            reading.left -= before - input.count
            switch event {
            case .needsMore: return
            case .informational, .head: reading.heads.append(parser.head.statusCode)
            case .body(let piece): reading.body += piece
            case .end:
                reading.isComplete = true
                return
            }
        }
    }

    private static func everyWay(_ text: String, isHEAD: Bool = false, limit: Int = 1000) -> Reading {
        let bytes = Array(text.utf8)
        let whole = read(bytes, pieces: max(1, bytes.count), isHEAD: isHEAD, limit: limit)
        for (size, skips) in [1, 2, 3, 7, 16, 33].flatMap({ [($0, false), ($0, true)] }) {
            var other = read(bytes, pieces: size, skips: skips, isHEAD: isHEAD, limit: limit)
            // What stands behind the response, or behind a fault, is not looked at.
            other.left = whole.left
            // The limit, and a fault, may show before more of the body was passed on.
            if whole.failure != nil { (other.body, other.heads) = (whole.body, whole.heads) }
            #expect(other == whole, "in pieces of \(size)\(skips ? ", skipping" : ""): \(text.debugDescription)")
        }
        return whole
    }

    @Test func aBodyOfKnownLength() {
        let reading = Self.everyWay("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloHTTP/1.1 200 OK\r\n")
        #expect(reading.heads == [200])
        #expect(reading.body == Array("hello".utf8))
        #expect(reading.isComplete && reading.keepsConnection)
        #expect(reading.left == 17)
    }

    @Test func chunksAndTrailers() {
        let chunks = "5;a=b\r\nhello\r\n0A \r\n0123456789\r\n0\r\nT: 1\r\n\r\nx"
        let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks
        let reading = Self.everyWay(text)
        #expect(reading.body == Array("hello0123456789".utf8))
        #expect(reading.isComplete && reading.keepsConnection)
        #expect(reading.left == 1)
    }

    @Test func interimHeadsComeBefore() {
        let reading = Self.everyWay("HTTP/1.1 103 Early\r\nLink: a\r\n\r\nHTTP/1.1 100 C\r\n\r\nHTTP/1.1 204 N\r\n\r\n")
        #expect(reading.heads == [103, 100, 204])
        #expect(reading.isComplete && reading.keepsConnection && reading.body.isEmpty)
    }

    @Test(arguments: [204, 304]) func responsesWithoutBody(_ code: Int) {
        let reading = Self.everyWay("HTTP/1.1 \(code) X\r\nContent-Length: 5\r\n\r\nhello")
        #expect(reading.isComplete && reading.body.isEmpty)
        #expect(reading.left == 5)
        #expect(reading.keepsConnection == (code == 304))
    }

    @Test func theResponseToHEADHasNoBody() {
        let reading = Self.everyWay("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", isHEAD: true)
        #expect(reading.isComplete && reading.keepsConnection && reading.body.isEmpty)
    }

    @Test func aBodyUntilTheEndOfTheConnection() {
        let reading = Self.everyWay("HTTP/1.1 200 OK\r\n\r\nabc")
        #expect(reading.body == Array("abc".utf8))
        #expect(reading.end == .complete)
        #expect(!reading.keepsConnection)
    }

    @Test(arguments: [
        "", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n", "HTTP/1.1 100 C\r\n\r\n",
    ]) func aConnectionThatEndsBeforeTheHead(_ text: String) {
        #expect(Self.everyWay(text).end == .withoutHead)
    }

    @Test(arguments: [
        "Content-Length: 5\r\n\r\nabcd", "Transfer-Encoding: chunked\r\n\r\n5\r\nabc",
        "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n",
        "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nA: b\r\n", "Content-Length: 9999999999999999999\r\n\r\nabc",
    ]) func aConnectionThatEndsInTheBody(_ rest: String) {
        let reading = Self.everyWay("HTTP/1.1 200 OK\r\n" + rest)
        #expect(reading.end == .truncated)
        #expect(!reading.isComplete && !reading.keepsConnection)
    }

    @Test(arguments: [
        "x\r\n", "5x\r\nhello\r\n", "5\nhello\r\n", "-5\r\nhello", "5 6\r\nhello\r\n", "\r\n", "5;\n\r\n",
        "5\r\nhelloX", "5\r\nhello\rX", "FFFFFFFFFFFFFFFF\r\n", "0\r\n bad\r\n", "0\r\nno colon\r\n\r\n",
        " 5\r\nhello\r\n",
    ]) func brokenChunks(_ chunks: String) {
        let reading = Self.everyWay("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)
        #expect(reading.failure == .malformedBody)
    }

    @Test(arguments: [
        "hello\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\n", "HTTP/1.1 99 X\r\n\r\n",
        "HTTP/1.1 200 OK\r\n folded: a\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length\r: 5\r\n\r\n",
        "HTTP/1.1 304 OK\nContent-Length: 18446744073709551615\nContent-Length: 18446744073709551614\n\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding\r: chunked\r\n\r\n", "HTTP/1.1 200 OK\nContent-Length\n : 5\n\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "<html", "HTTP/1.1 200 OK\r\nA\0: b\r\n\r\n",
        "HTTP/2 200 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/0.9 200 OK\r\n\r\n", "HTTP/7.3 200 OK\r\n\r\n",
    ]) func brokenHeads(_ text: String) {
        #expect(Self.everyWay(text).failure == .malformedHead)
    }

    @Test func anUnaskedSwitchOfProtocols() {
        #expect(Self.everyWay("HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n").failure == .switchedProtocols)
    }

    @Test func headsAndTrailersAreBounded() {
        let long = String(repeating: "a", count: 1200)
        #expect(Self.everyWay("HTTP/1.1 200 OK\r\nA: \(long)\r\n\r\n").failure == .headTooLarge)
        #expect(Self.everyWay("HTTP/1.1 200 OK\r\nA: \(long)").failure == .headTooLarge)
        let trailers = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: \(long)\r\n\r\n"
        #expect(Self.everyWay(trailers).failure == .headTooLarge)
        let extended = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;" + String(repeating: "x", count: 17_000)
        #expect(Self.everyWay(extended).failure == .malformedBody)
    }

    @Test func aLineWithoutAnEndCountsWithTheLinesBefore() {
        let line = "A: " + String(repeating: "a", count: 60)
        for start in ["HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"] {
            #expect(Self.everyWay(start + line + "\r\n" + line, limit: 120).failure == .headTooLarge)
        }
    }

    @Test(arguments: ["", "\n", "\r\n\r\n"]) func whatIsNotHTTPIsNotTooLarge(_ end: String) {
        let text = String(repeating: "x", count: 30) + end
        #expect(Self.everyWay(text, limit: 20).failure == .malformedHead)
        #expect(Self.everyWay("HTTP/1.1 100 C\r\n\r\n" + text, limit: 40).failure == .malformedHead)
        #expect(Self.everyWay("HTx" + end, limit: 2).failure == .headTooLarge)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", false),
        ("HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 0\r\n\r\n", false),
        ("HTTP/1.1 200 OK\r\nConnection: x,\r\n close\r\nContent-Length: 0\r\n\r\n", false),
        ("HTTP/1.1 200 OK\r\nConnection : close\r\nContent-Length: 0\r\n\r\n", false),
        ("HTTP/1.1 200 OK\r\nConnection: close\r, x\r\nContent-Length: 0\r\n\r\n", false),
        ("HTTP/1.1 200 OK\r\nConnection: x\r\nA: b,\r\n close\r\nContent-Length: 0\r\n\r\n", true),
        ("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", false),
        ("HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 0\r\n\r\n", true),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", true),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", false),
    ]) func whichConnectionsAreKept(_ text: String, _ isKept: Bool) {
        #expect(Self.everyWay(text).keepsConnection == isKept)
    }

    @Test(arguments: [
        ("timeout=5, max=100", 5), ("timeout=3, timeout=9", 3), ("timeout=9, timeout=3", 3),
    ]) func whatTheServerSaysOfItsPatience(_ value: String, _ seconds: Int) throws {
        var parser = ResponseParser(limit: 1000, isHEAD: false)
        let text = "HTTP/1.1 200 OK\r\nKeep-Alive: \(value)\r\nContent-Length: 0\r\n\r\n"
        try Array(text.utf8).withUnsafeBytes { bytes in
            var input = bytes
            guard case .head = try parser.next(&input) else {
                Issue.record("no head")
                return
            }
        }
        #expect(parser.head.keepAliveSeconds == seconds)
    }
}
