#if os(Linux)
import CShims
import Testing

@testable import PiuPiuEngine

/// The heads of requests of HTTP/2 (RFC 9113 §8.3.1).
struct HTTP2RequestWriterTests {
    private func head(
        _ url: String,
        method: String = "GET",
        _ fields: [(String, String)] = [],
        hasHost: Bool = false,
        hasAccept: Bool = true,
        length: Int64? = nil,
        extra: FieldList = FieldList()
    ) -> [String] {
        let block = FieldBlock()
        HTTP2RequestWriter.write(
            to: block,
            method: method,
            url: url,
            fields: fields.reduce(into: FieldList()) { $0.append($1.0, $1.1) },
            hasHost: hasHost,
            hasAccept: hasAccept,
            length: length,
            extra: extra
        )
        return block.text
    }

    @Test func theTargetIsInPseudoFields() {
        #expect(
            head("https://a.example:8443/x?y=1")
                == [":method: GET", ":scheme: https", ":authority: a.example:8443", ":path: /x?y=1"]
        )
        #expect(
            head("http://[fe80::1%25eth0]:80?q", method: "DELETE")
                == [":method: DELETE", ":scheme: http", ":authority: [fe80::1]", ":path: /?q"]
        )
        #expect(head("https://a.example:443").suffix(2) == [":authority: a.example", ":path: /"])
    }

    @Test func namesAreInLowerCaseAndWhatBelongsToHTTP1IsLeftOut() {
        let fields = [
            ("X-Own", " a b "), ("Connection", "close"), ("Keep-Alive", "1"), ("Proxy-Connection", "x"),
            ("Transfer-Encoding", "chunked"), ("Upgrade", "h2c"), ("Empty", ""), ("Cookie", "a=1; b=2"),
        ]
        #expect(head("http://a/", fields).dropFirst(4) == ["x-own: a b", "empty: ", "cookie: a=1; b=2"])
    }

    @Test func aHostIsTheAuthority() {
        let head = head("https://a.example/", [("Host", "other.example"), ("Accept", "text/html")], hasHost: true)
        #expect(head.dropFirst(2) == [":authority: other.example", ":path: /", "accept: text/html"])
    }

    @Test func whatTheTransportAddsComesWithTheRest() {
        let codings = FieldList("Accept-Encoding", "gzip")
        let head = head("http://a/", [("A", "1")], hasAccept: false, length: 12, extra: codings)
        #expect(head.dropFirst(4) == ["accept: */*", "a: 1", "accept-encoding: gzip", "content-length: 12"])
    }

    @Test func credentialsAreInNoTableOfTheCompression() {
        let block = FieldBlock()
        HTTP2RequestWriter.write(
            to: block,
            method: "GET",
            url: "https://a/",
            fields: FieldList("Authorization", "Bearer s") + FieldList("Accept", "x")
                + FieldList("Proxy-Authorization", "Basic s"),
            hasHost: false,
            hasAccept: true,
            length: nil,
            extra: FieldList()
        )
        #expect(block.withFields { $0.map(\.flags) } == [0, 0, 0, 0, 1, 0, 1])
    }

    @Test func aBlockIsUsedAgain() {
        let block = FieldBlock()
        HTTP2RequestWriter.write(trailers: ["X-Sum: 42", "X-Other: a:b"], to: block)
        #expect(block.text == ["x-sum: 42", "x-other: a:b"])
        block.removeAll()
        HTTP2RequestWriter.write(trailers: ["A: 1"], to: block)
        #expect(block.text == ["a: 1"])
    }
}
#endif
