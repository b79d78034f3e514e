#if os(Linux)
import Testing

@testable import PiuPiuEngine

/// What the answer of a proxy to `CONNECT` means.
struct ConnectHandshakeTests {
    private func conversation(limit: Int = ConnectHandshake.maximumHead) -> TunnelConversation {
        TunnelConversation(ConnectHandshake(request: Array("CONNECT".utf8), limit: limit))
    }

    private static let opened = [
        "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.0 200 Connection established\r\n\r\n", "HTTP/1.1 299\r\n\r\n",
        "HTTP/1.1 204 No Content\r\nX: y\r\n\r\n", "HTTP/1.1 200 OK\nX: y\n\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Wait\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
        // What would frame a body means nothing (RFC 9110 §9.3.6), however wrong it is.
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\nContent-Length: 7\r\nTransfer-Encoding: gzip\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n",
    ]

    @Test(arguments: opened, [0, 1, 7]) func successOpensTheTunnel(_ answer: String, _ length: Int) {
        var conversation = conversation()
        #expect(conversation.sent == [Array("CONNECT".utf8)])
        conversation.receive(answer + "behind", inPiecesOf: length)
        #expect(conversation.step == .done)
        #expect(String(decoding: conversation.rest, as: UTF8.self) == "behind")
        #expect(conversation.sent.count == 1)
    }

    @Test(arguments: opened) func everyPartOfAnAnswerNeedsMore(_ answer: String) {
        let bytes = Array(answer.utf8)
        for count in 0..<bytes.count {
            var conversation = conversation()
            conversation.receive(Array(bytes[..<count]))
            #expect(conversation.step == .needsMore, "\(count)")
            #expect(conversation.handshake.failureOfEnd == .closed)
        }
    }

    @Test(arguments: [300, 302, 401, 403, 407, 500, 502, 511, 999]) func anyOtherStatusIsARefusal(_ code: Int) {
        let head = "HTTP/1.1 \(code) No\r\nContent-Length: 4\r\nX-Why: not\r\n"
        for length in [0, 1] {
            var conversation = conversation()
            conversation.receive(head + "\r\nbody", inPiecesOf: length)
            #expect(conversation.step == .failed(.refused(statusCode: code, head: Array(head.utf8))))
            #expect(String(decoding: conversation.rest, as: UTF8.self) == "body")
        }
    }

    @Test func theHeadOfARefusalIsTheFinalOne() {
        var conversation = conversation()
        conversation.receive("HTTP/1.1 103 Hints\r\nLink: a\r\n\r\nHTTP/1.1 403 No\r\nA: b\r\n\r\n")
        let head = Array("HTTP/1.1 403 No\r\nA: b\r\n".utf8)
        #expect(conversation.step == .failed(.refused(statusCode: 403, head: head)))
    }

    @Test(arguments: [
        "SSH-2.0-OpenSSH", "\0\0\0\0", "HTTP/2 200\r\n\r\n", "HTTP/1.1 \r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n",
        "HTTP/1.1 2000 OK\r\n\r\n", "http/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\n X: y\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: \0\r\n\r\n", "HTTP/1.1 099 OK\r\n\r\n", " HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nHTTP/1.1 200 OK\r\n\r\n", "\r\nHTTP/1.1 200 OK\r\n\r\n",
    ])
    func whatIsNotHTTPIsRefused(_ answer: String) {
        for length in [0, 1] {
            var conversation = conversation()
            conversation.receive(answer, inPiecesOf: length)
            #expect(conversation.step == .failed(.malformed(.malformedHead)), "\(conversation.step)")
        }
    }

    @Test func anotherProtocolIsRefused() {
        var conversation = conversation()
        conversation.receive("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n")
        #expect(conversation.step == .failed(.malformed(.switchedProtocols)))
    }

    @Test func headsTogetherHaveALimit() {
        let fits = "HTTP/1.1 200 OK\r\nX: \(String(repeating: "y", count: 100))\r\n\r\n"
        for (count, isWithin) in [(fits.utf8.count, true), (fits.utf8.count - 1, false)] {
            var conversation = conversation(limit: count)
            conversation.receive(fits, inPiecesOf: 1)
            #expect((conversation.step == .done) == isWithin)
        }
        // Informational heads without end, a line without end, and fields without end.
        let endless = ["HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 200 OK\r\nX: ", "HTTP/1.1 200 OK\r\n"]
        for (beginning, more) in zip(endless, ["HTTP/1.1 100 Continue\r\n\r\n", "y", "A: b\r\n"]) {
            var conversation = conversation()
            conversation.receive(beginning)
            var count = beginning.utf8.count
            while !conversation.isOver, count < 1 << 20 {
                conversation.receive(more)
                count += more.utf8.count
            }
            #expect(conversation.step == .failed(.malformed(.headTooLarge)))
            #expect(count <= ConnectHandshake.maximumHead + more.utf8.count)
        }
    }

    @Test func afterTheEndNothingIsTaken() {
        var handshake = ConnectHandshake(request: [])
        Array("HTTP/1.1 200 OK\r\n\r\nmore".utf8).withUnsafeBytes { bytes in
            var input = bytes
            #expect(handshake.receive(&input) == .done)
            #expect(input.count == 4)
            #expect(handshake.receive(&input) == .needsMore)
            #expect(input.count == 4)
        }
    }

    @Test func itShowsNoCredentials() {
        let request = RequestWriter.connect(to: "a", port: 1, fields: FieldList("Proxy-Authorization", "Basic s3cret"))
        let handshake = ConnectHandshake(request: request)
        var text = "\(handshake) \(String(reflecting: handshake)) \(TunnelHandshake(handshake))"
        dump(TunnelHandshake(handshake), to: &text)
        let bytes = request.map { "\($0)" }.joined(separator: ", ")
        #expect(!text.contains("s3cret") && !text.contains(bytes))
    }

    @Test func theRequestHasTheServersAuthority() {
        func text(_ host: String, _ fields: FieldList = FieldList()) -> String {
            String(decoding: RequestWriter.connect(to: host, port: 443, fields: fields), as: UTF8.self)
        }
        #expect(text("a.example") == "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n")
        #expect(text("[::1]") == "CONNECT [::1]:443 HTTP/1.1\r\nHost: [::1]:443\r\n\r\n")
        #expect(text("[fe80::1%25eth0]") == "CONNECT [fe80::1]:443 HTTP/1.1\r\nHost: [fe80::1]:443\r\n\r\n")
        #expect(text("a", FieldList("X", "y") + FieldList("Z", "")).hasSuffix("Host: a:443\r\nX: y\r\nZ:\r\n\r\n"))
    }
}
#endif
