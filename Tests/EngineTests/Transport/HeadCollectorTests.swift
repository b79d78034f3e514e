import PiuPiuAsync
import PiuPiuEngine
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuEngine
@testable import PiuPiuValues

struct HeadCollectorTests {
    /// Takes a text line by line.
    private func collect(_ text: String, limit: Int = 1_000) throws -> (HeadCollector, [HeadCollector.Event]) {
        var collector = HeadCollector(limit: limit)
        var events: [HeadCollector.Event] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
            let line = Array(rest[..<end])
            rest = rest[end...]
            events.append(try line.withUnsafeBytes { bytes in try collector.append(bytes) })
        }
        return (collector, events)
    }

    @Test func aHeadIsCollected() throws {
        let (collector, events) = try collect("HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 12\r\n\r\n")
        #expect(events == [.line, .line, .line, .final])
        #expect(collector.statusCode == 200)
        #expect(collector.contentLength == 12)
        #expect(!collector.hasTransferEncoding)
        #expect(collector.isFinal)
        #expect(RawHead(bytes: collector.bytes).firstValue(of: "a") == "b")
    }

    @Test(
        arguments: [
            ("GET", "200 OK", "Content-Length: 12", 12),
            ("GET", "200 OK", "Server: a", nil),
            ("HEAD", "200 OK", "Content-Length: 12", 0),
            ("GET", "204 No Content", "Content-Length: 12", 0),
            ("GET", "304 Not Modified", "Content-Length: 12", 0),
            ("GET", "200 OK", "Transfer-Encoding: chunked", nil),
            // The announced length is that of the compressed bytes.
            ("GET", "200 OK", "Content-Length: 12\r\nContent-Encoding: gzip", nil),
            ("GET", "200 OK", "Content-Length: 12\r\nContent-Encoding: identity", 12),
        ] as [(String, String, String, Int64?)]
    )
    func theLengthOfTheDeliveredBodyFollowsFromTheHead(
        _ method: String,
        _ status: String,
        _ fields: String,
        _ expected: Int64?
    ) throws {
        let (collector, _) = try collect("HTTP/1.1 \(status)\r\n\(fields)\r\n\r\n")
        var request = URLRequest(url: Fixture.url("http://a/"))
        request.httpMethod = method
        let prepared = try PreparedRequest(TransportRequest(request), userAgent: nil)
        #expect(collector.expectedLength(of: prepared) == expected)
    }

    @Test func informationalHeadsAreReplaced() throws {
        let text =
            "HTTP/1.1 103 Early\r\nContent-Length: 3\r\n\r\nHTTP/1.1 100 C\r\n\r\nHTTP/1.1 204 No\r\nB: c\r\n\r\n"
        let (collector, events) = try collect(text)
        #expect(events.filter { $0 != .line } == [.informational, .informational, .final])
        #expect(collector.statusCode == 204)
        // All but "100 Continue" are kept.
        #expect(collector.informational.map { RawHead(bytes: $0).statusCode } == [103])
        #expect(collector.contentLength == nil)
        #expect(RawHead(bytes: collector.bytes).firstValue(of: "b") == "c")
    }

    @Test("No more than sixteen informational heads are kept")
    func manyInformationalHeads() throws {
        let text = (0..<40).map { "HTTP/1.1 1\($0 + 10)  \r\nN: \($0)\r\n\r\n" }.joined()
        let (collector, events) = try collect(text, limit: 10_000)
        #expect(events.filter { $0 == .informational }.count == 40)
        #expect(collector.informational.map { RawHead(bytes: $0).firstValue(of: "N") } == (0..<16).map { "\($0)" })
    }

    @Test("Trailers are kept beside the head, by the rules for its lines")
    func trailers() throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let (collector, _) = try collect(head + "A: b\r\n c\r\nContent-Length: 9\r\n 8\r\nD:e\r\n\r\n")
        #expect(collector.bytes == Array(head.utf8.dropLast(2)) && collector.contentLength == nil)
        #expect(TrailerFields.parse(collector.trailers) == ["A": "b c", "D": "e"])
        for line in [" A: b\r\n", "\tA: b\r\n", "\rA: b\r\n", "\r\r\n", "A: \u{0}\r\n", "A: b"] {
            #expect(throws: HeadCollector.Failure.malformed) { try collect(head + line) }
        }
    }

    @Test func trailersNeverChangeTheHead() throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let (collector, events) = try collect(head + "HTTP/1.1 500 No\r\nContent-Length: 7\r\n\r\n")
        #expect(events.suffix(3) == [.trailer, .trailer, .trailer])
        #expect(collector.statusCode == 200)
        #expect(collector.hasTransferEncoding)
        #expect(throws: HeadCollector.Failure.tooLarge) { try collect(head + "A: b\r\n", limit: head.utf8.count + 5) }
    }

    /// The rest of a head with the status 200.
    private static let senselessFields: [String] = [
        "HTTP/1.1 302 Found\r\nLocation: /", " X-F: 1", "\tX-F: 1", "Content-Length: 5\r\n 6",
        "Transfer-Encoding:\r\n chunked", "Content-Length: 5\r\nContent-Length: 6", "Content-Length: 5, 5",
        "Content-Length: -5", "Content-Length: 0x5", "Content-Length: 5 5", "Content-Length:",
        "Content-Length: 9999999999999999999x", "Content-Length: 18446744073709551616",
        "Content-Length: \(String(repeating: "9", count: 500))", "Content-Length : 5",
        "Content-Length: 5\r\nContent-Length : 2", "Transfer-Encoding\t: chunked", "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: \u{B}chunked", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "\rA: b",
        "Content-Length: 0\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 0",
        "A: b\u{0}c",
    ]

    private static let senselessHeads: [String] = [
        "HTTP/1.1 500 No\r\nHTTP/1.1 200 OK: x\r\n\r\n",
        "HTTP/1.1 100 C\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\n X-F: 1\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n",
        "HTTP/1.1 099 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n\r", "HTTP/1.1 200 OK\r\nA: b",
        "HTTP/1.1 200 OK\r\n\r\r\n", "SSH-2.0 hello\r\n\r\n", "A: b\r\n\r\n",
    ]

    @Test(arguments: senselessHeads + senselessFields.map { "HTTP/1.1 200 OK\r\n\($0)\r\n\r\n" })
    func aHeadThatMakesNoSenseIsRefused(_ text: String) {
        #expect(throws: HeadCollector.Failure.malformed) { try collect(text) }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5 \r\ncontent-length:5\r\n\r\n",
        "HTTP/2 200 \r\nContentLength: x\r\nContent-Length-X: y\r\nTransfer: z\r\n\r\n", "HTTP/1.0 200\n\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: identity\r\n\r\n",
    ])
    func whatIsUnusualButClearIsTaken(_ text: String) throws {
        #expect(try collect(text).1.last == .final)
    }

    @Test(
        arguments: [
            ("999999999999999999", 999_999_999_999_999_999), ("1000000000000000000", 1_000_000_000_000_000_000),
            ("9223372036854775807", .max), ("9223372036854775808", .max), ("9999999999999999999", .max),
            ("18446744073709551615", .max), ("00000000000000000000000005", 5),
        ] as [(String, Int)]
    )
    func aLengthMayHave64Bits(_ pair: (String, Int)) throws {
        #expect(try collect("HTTP/1.1 200 OK\r\nContent-Length: \(pair.0)\r\n\r\n").0.contentLength == pair.1)
    }

    @Test func theLimitHoldsForAllHeadsTogether() throws {
        let text = "HTTP/1.1 103 Early\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"
        #expect(throws: HeadCollector.Failure.tooLarge) { try collect(text, limit: text.utf8.count - 1) }
        #expect(try collect(text, limit: text.utf8.count).1.last == .final)
    }

    @Test func anAttemptIsForgotten() throws {
        let hint = "HTTP/1.1 103 Early\r\n\r\n"
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\nA: b\r\n"
        var (collector, _) = try collect(hint + head)
        collector.reset()
        #expect(collector.informational.isEmpty && collector.trailers.isEmpty)
        #expect(collector.bytes.isEmpty && collector.statusCode == 0 && collector.contentLength == nil)
        #expect(!collector.isComplete && !collector.hasTransferEncoding)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func anyBytesAreTakenOrRefused(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let alphabet = Array("HTTP/1.1 200\r\n \t:content-lengthransfer-encoding5x\u{0}".utf8) + [0xFF]
        for _ in 0..<5_000 {
            var collector = HeadCollector(limit: 200)
            for _ in 0..<8 {
                let line = (0..<Int.random(in: 1...24, using: &random)).compactMap { _ in
                    alphabet.randomElement(using: &random)
                }
                guard (try? line.withUnsafeBytes { try collector.append($0) }) != nil else { break }
            }
        }
    }

    @Test("A change of the protocol is named as such")
    func switchedProtocols() {
        #expect(throws: HeadCollector.Failure.switchedProtocols) { try collect("HTTP/1.1 101 Switching\r\n\r\n") }
    }
}
