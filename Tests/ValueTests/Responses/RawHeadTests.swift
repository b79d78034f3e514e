import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuValues

struct RawHeadTests {
    private func head(_ text: String) -> RawHead {
        RawHead(bytes: Array(text.utf8))
    }

    /// Both ways to read a value; they must agree.
    private func value(of name: String, in text: String) -> String? {
        let head = head(text)
        let first = head.firstValue(of: name)
        #expect(first == head.fields.values(for: name).first)
        return first
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nA: b\r\n", 200), ("HTTP/1.0 404 Not Found\r\n", 404), ("HTTP/2 200 \r\n", 200),
        ("HTTP/2 200\r\n", 200), ("HTTP/3 204", 204), ("HTTP/1.1  301\tMoved\r\n", 301), ("HTTP/1.1 999 What\r\n", 999),
        ("HTTP/1.1 000 \r\n", 0), ("HTTP/1.1 200\n", 200),
    ])
    func theStatusCodeIsRead(_ pair: (String, Int)) {
        #expect(head(pair.0).statusCode == pair.1)
    }

    @Test(arguments: [
        "", " ", "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 20", "HTTP/1.1 2000 OK", "HTTP/1.1 2x0 OK", "HTTP/1.1 -20 OK",
        "http/1.1 200 OK", "ICY 200 OK", "garbage 200", "HTTP/1.1\r\nX: 200\r\n", "\r\nHTTP/1.1 200 OK\r\n",
        "HTTP/1.1 ٢٠٠ OK",
    ])
    func anUnreadableStatusLineHasNoCode(_ text: String) {
        #expect(head(text).statusCode == nil)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\n", "HTTP/1.1"), ("HTTP/2 200\r\n", "HTTP/2"), ("HTTP/2\r\n", "HTTP/2"), ("", ""),
    ])
    func theVersionIsRead(_ pair: (String, String)) {
        #expect(head(pair.0).version == pair.1)
    }

    @Test func linesKeepTheirOrderAndSpelling() {
        let fields = head("HTTP/1.1 200 OK\r\nX-B: 1\r\nx-a: 2\r\nX-B: 3\r\n").fields
        #expect(fields == ["X-B": "1", "x-a": "2", "X-B": "3"])
        #expect(fields.map(\.name) == ["X-B", "x-a", "X-B"])
    }

    // The framing is read by the bytes before the colon, and must not look like another one later.
    @Test(arguments: ["Content-Length\r: 5", "\r: 5", "\r:", "\rContent-Length: 5", "Content-Length\r : 5"])
    func aCarriageReturnIsNoPartOfAName(_ line: String) {
        let head = head("HTTP/1.1 200 OK\r\n\(line)\r\nY: 1\r\n")
        #expect(head.fields == ["Y": "1"])
        #expect(head.firstValue(of: "Content-Length") == nil)
    }

    @Test(arguments: [
        ("X:v", "v"), ("X: v", "v"), ("X:\t v \t", "v"), ("x: v", "v"), ("X : v", "v"), ("X:", ""), ("X:  ", ""),
        ("X: a:b", "a:b"), ("X: a  b", "a  b"), ("X: v\r\nX: w", "v"),
    ])
    func aValueHasNoWhiteSpaceAround(_ pair: (String, String)) {
        #expect(value(of: "X", in: "HTTP/1.1 200 OK\r\n\(pair.0)\r\nY: 1\r\n") == pair.1)
    }

    @Test(arguments: [
        ("X: a\r\n b", "a b"), ("X: a\r\n\t b \r\n  c", "a b c"), ("X:\r\n a", "a"), ("X: a\r\n  \r\nY: 1", "a"),
        ("X: a\r\n  \r\n b", "a b"),
    ])
    func foldedLinesAreJoinedWithASpace(_ pair: (String, String)) {
        #expect(value(of: "X", in: "HTTP/1.1 200 OK\r\n\(pair.0)\r\nZ: 1\r\n") == pair.1)
        #expect(value(of: "Z", in: "HTTP/1.1 200 OK\r\n\(pair.0)\r\nZ: 1\r\n") == "1")
    }

    @Test func aFoldedLineWithoutAFieldBeforeItIsNoField() {
        #expect(head("HTTP/1.1 200 OK\r\n X: a\r\nY: b\r\n").fields == ["Y": "b"])
        #expect(head("HTTP/1.1 200 OK\r\nX: a\r\nno colon\r\n more\r\nY: b\r\n").fields == ["X": "a", "Y": "b"])
    }

    @Test func aLineWithoutANameIsNoField() {
        #expect(head("HTTP/1.1 200 OK\r\n: a\r\n:\r\nno colon\r\nY: b\r\n").fields == ["Y": "b"])
        #expect(head("HTTP/1.1 200 OK\r\n: a\r\n").firstValue(of: "") == nil)
    }

    @Test(arguments: ["A B", "A\rB", "A\0", "\"A\"", "é", "A(B)", "A/B"])
    func aNameThatIsNoTokenMakesNoField(_ name: String) {
        let head = head("HTTP/1.1 200 OK\r\n\(name): v\r\nY: b\r\n")
        #expect(head.fields == ["Y": "b"])
        #expect(head.firstValue(of: name) == nil)
    }

    @Test func anEmptyLineEndsTheHead() {
        #expect(head("HTTP/1.1 200 OK\r\nX: a\r\n\r\nY: b\r\n").fields == ["X": "a"])
        #expect(head("HTTP/1.1 200 OK\nX: a\n\nY: b\n").fields == ["X": "a"])
    }

    @Test(arguments: ["HTTP/1.1 200 OK\r\nX: a", "HTTP/1.1 200 OK\nX: a\n", "HTTP/1.1 200 OK\r\nX: a\r"])
    func lineEndsMayBeIncomplete(_ text: String) {
        #expect(value(of: "X", in: text) == "a")
    }

    @Test func aStatusLineAloneHasNoFields() {
        #expect(head("HTTP/1.1 200 OK").fields.isEmpty)
        #expect(head("").fields.isEmpty)
        #expect(head("\r\n").fields.isEmpty)
    }

    @Test func bytesThatAreNotUTF8AreLatin1() {
        let bytes = Array("HTTP/1.1 200 OK\r\nX: caf".utf8) + [0xE9] + Array("\r\nY: café\r\n".utf8)
        #expect(RawHead(bytes: bytes).fields == ["X": "café", "Y": "café"])
    }

    @Test func nulAndCarriageReturnBecomeSpaces() {
        #expect(value(of: "X", in: "HTTP/1.1 200 OK\r\nX: a\0b\rc\r\n") == "a b c")
    }

    /// Random bytes, and random pieces of what heads are made of, which get further into the parser.
    @Test(arguments: [1, 2] as [UInt64])
    func noInputTraps(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let pieces: [[UInt8]] =
            [
                "HTTP/1.1 ", "200", "\r\n", "\n", "\r", ":", " ", "\t", "X", "Set-Cookie: a=b", "\0", "Content-Type: ",
                "a/b;",
            ]
            .map { Array($0.utf8) } + [[0xFF], [0xC3], [0xE9, 0x80]]
        for round in 0..<rounds(10_000) {
            let count = Int.random(in: 0...40, using: &random)
            let bytes =
                round.isMultiple(of: 2)
                ? (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
                : (0..<count).flatMap { _ in pieces.randomElement(using: &random) ?? [] }
            let raw = RawHead(bytes: bytes)
            let fields = raw.fields
            for field in fields {
                #expect(raw.firstValue(of: field.name) == fields.values(for: field.name).first)
                #expect(!field.value.utf8.contains { $0 == 0x0D || $0 == 0x0A || $0 == 0x00 })
            }
            let head = ResponseHead(record: ResponseRecord(.raw(raw), to: Fixture.request))
            _ = head.urlResponse
            _ = "\(head)\(head.httpVersion)"
        }
    }
}
