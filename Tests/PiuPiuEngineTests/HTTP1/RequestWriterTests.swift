import Testing

@testable import PiuPiuEngine

struct RequestWriterTests {
    private func head(
        _ url: String,
        lines: String = "",
        hasHost: Bool = false,
        hasAccept: Bool = true,
        framing: String? = nil,
        extra: String = ""
    ) -> String {
        let output = OutputBuffer()
        RequestWriter.write(
            to: output,
            method: "GET",
            url: url,
            lines: Array(lines.utf8),
            hasHost: hasHost,
            hasAccept: hasAccept,
            framing: framing,
            extra: Array(extra.utf8)
        )
        return String(decoding: output.bytes, as: UTF8.self)
    }

    @Test(arguments: [
        ("http://a.example", "/", "a.example"), ("http://a.example/", "/", "a.example"),
        ("http://a.example?q", "/?q", "a.example"), ("http://a.example:80/x?y", "/x?y", "a.example"),
        ("https://a.example:443/x", "/x", "a.example"), ("https://a.example:80/x", "/x", "a.example:80"),
        ("http://a.example:8080/x", "/x", "a.example:8080"), ("http://a.example:/x", "/x", "a.example"),
        ("http://[::1]:81/x", "/x", "[::1]:81"), ("http://[fe80::1%25eth0]/x", "/x", "[fe80::1]"),
        ("HTTPS://A.example/x", "/x", "A.example"),
    ]) func targetAndHost(_ url: String, _ target: String, _ host: String) {
        #expect(head(url) == "GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
    }

    @Test func linesAreWrittenOrLeftOut() {
        let lines = "A: b\0Empty;\0Gone:\0C: d;\0E: f:\0"
        let text = "GET / HTTP/1.1\r\nHost: a\r\nA: b\r\nEmpty:\r\nC: d;\r\nE: f:\r\n\r\n"
        #expect(head("http://a/", lines: lines) == text)
    }

    @Test func whatTheCallerHasIsNotWrittenTwice() {
        #expect(head("http://a/", lines: "Host: b\0", hasHost: true) == "GET / HTTP/1.1\r\nHost: b\r\n\r\n")
        let text = head("http://a/", hasAccept: false, framing: "Content-Length: 3", extra: "X: y")
        #expect(text == "GET / HTTP/1.1\r\nHost: a\r\nAccept: */*\r\nX: y\r\nContent-Length: 3\r\n\r\n")
    }
}
