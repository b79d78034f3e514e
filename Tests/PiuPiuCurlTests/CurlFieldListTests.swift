#if os(Linux)
import Foundation
import PiuPiuAsync
import PiuPiuEngine
import Testing

@testable import PiuPiuCurl

struct CurlFieldListTests {
    private func lines(_ fields: [(String, String)], _ kind: PreparedRequest.Kind = .withoutContent) -> [String] {
        let list = fields.reduce(into: FieldList()) { $0.append($1.0, $1.1) }
        let lines = CurlFieldList.lines(of: list, for: kind)
        #expect(lines.isEmpty || lines.last == 0)
        return lines.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func anEmptyValueIsASemicolon() {
        let fields = [("A", "b"), ("Empty", ""), ("C", "d;"), ("E", "f:"), ("G", " h "), ("I", ":")]
        #expect(lines(fields) == ["A: b", "Empty;", "C: d;", "E: f:", "G:  h ", "I: :"])
        #expect(lines([]) == [])
    }

    // "Content-Type:" and "Expect:" keep libcurl from writing fields of its own.
    @Test func noFieldIsInventedForContent() {
        let content = PreparedRequest.Kind.withContent(Data("x".utf8))
        #expect(lines([], content) == ["Content-Type:", "Expect:"])
        #expect(lines([("content-type", "a/b")], content) == ["content-type: a/b", "Expect:"])
        #expect(lines([("Content-Type", "")], content) == ["Content-Type;", "Expect:"])
        #expect(lines([("EXPECT", "100-continue")], content) == ["EXPECT: 100-continue", "Content-Type:"])
        #expect(lines([], .head) == [])
    }
}
#endif
