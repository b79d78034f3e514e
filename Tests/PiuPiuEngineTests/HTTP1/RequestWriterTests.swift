import Testing

@testable import PiuPiuEngine

struct RequestWriterTests {
    private func head(
        _ url: String,
        _ fields: [(String, String)] = [],
        hasHost: Bool = false,
        hasAccept: Bool = true,
        framing: String? = nil,
        extra: FieldList = FieldList()
    ) -> String {
        let output = OutputBuffer()
        RequestWriter.write(
            to: output,
            method: "GET",
            url: url,
            fields: fields.reduce(into: FieldList()) { $0.append($1.0, $1.1) },
            hasHost: hasHost,
            hasAccept: hasAccept,
            framing: framing,
            extra: extra
        )
        return String(decoding: output.bytes, as: UTF8.self)
    }

    @Test(arguments: [
        ("http://a.example", "/", "a.example"), ("http://a.example/", "/", "a.example"),
        ("http://a.example?q", "/?q", "a.example"), ("http://a.example:80/x?y", "/x?y", "a.example"),
        ("https://a.example:443/x", "/x", "a.example"), ("https://a.example:80/x", "/x", "a.example:80"),
        ("http://a.example:443/x", "/x", "a.example:443"),
        ("http://a.example:8080/x", "/x", "a.example:8080"), ("http://a.example:/x", "/x", "a.example"),
        ("http://[::1]:81/x", "/x", "[::1]:81"), ("http://[fe80::1%25eth0]/x", "/x", "[fe80::1]"),
        ("HTTPS://A.example/x", "/x", "A.example"),
    ]) func targetAndHost(_ url: String, _ target: String, _ host: String) {
        #expect(head(url) == "GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
    }

    @Test func fieldsAreWrittenAsTheyAre() {
        let fields = [("A", "b"), ("Empty", ""), ("C", "d;"), ("E", "f:"), ("G", " h ")]
        let text = "GET / HTTP/1.1\r\nHost: a\r\nA: b\r\nEmpty:\r\nC: d;\r\nE: f:\r\nG:  h \r\n\r\n"
        #expect(head("http://a/", fields) == text)
    }

    @Test func whatTheCallerHasIsNotWrittenTwice() {
        #expect(head("http://a/", [("Host", "b")], hasHost: true) == "GET / HTTP/1.1\r\nHost: b\r\n\r\n")
        let text = head("http://a/", hasAccept: false, framing: "Content-Length: 3", extra: FieldList("X", "y"))
        #expect(text == "GET / HTTP/1.1\r\nHost: a\r\nAccept: */*\r\nX: y\r\nContent-Length: 3\r\n\r\n")
    }
}
