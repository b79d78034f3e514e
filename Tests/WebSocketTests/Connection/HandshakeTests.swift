import Foundation
import PiuPiuCore
import Testing

@testable import PiuPiuWebSocket

/// The handshake: what is sent, and which answers are accepted (RFC 6455 §4, RFC 8441 §5).
@Suite struct HandshakeTests {
    private static let good = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Accept: ACCEPT"]

    private static func head(_ lines: [String]) -> String {
        (["HTTP/1.1 101 Switching Protocols"] + lines).joined(separator: "\n") + "\n\n"
    }

    @Test(arguments: [
        good,
        ["upgrade: WebSocket", "connection: keep-alive, upgrade", "sec-websocket-accept:  ACCEPT \t"],
        good + ["Sec-WebSocket-Extensions:"],
        good + ["Sec-WebSocket-Protocol: chat"],
    ])
    func validAnswersAreAccepted(lines: [String]) {
        var options = WebSocketOptions()
        options.subprotocols = ["chat", "superchat"]
        #expect(Wire(options).answer(Self.head(lines)) == nil)
    }

    /// Each row breaks one rule of RFC 6455 §4.1.
    @Test(arguments: [
        ("2: no Upgrade", ["Connection: Upgrade", "Sec-WebSocket-Accept: ACCEPT"]),
        ("2: another Upgrade", ["Upgrade: h2c", "Connection: Upgrade", "Sec-WebSocket-Accept: ACCEPT"]),
        (
            "2: two Upgrades",
            ["Upgrade: websocket", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Accept: ACCEPT"]
        ),
        ("2: a list", ["Upgrade: websocket, h2c", "Connection: Upgrade", "Sec-WebSocket-Accept: ACCEPT"]),
        ("3: no Connection", ["Upgrade: websocket", "Sec-WebSocket-Accept: ACCEPT"]),
        ("3: another Connection", ["Upgrade: websocket", "Connection: close", "Sec-WebSocket-Accept: ACCEPT"]),
        ("3: a longer word", ["Upgrade: websocket", "Connection: Upgraded", "Sec-WebSocket-Accept: ACCEPT"]),
        ("4: no Accept", ["Upgrade: websocket", "Connection: Upgrade"]),
        ("4: an empty Accept", ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Accept:"]),
        (
            "4: a wrong Accept",
            ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="]
        ),
        ("4: two Accepts", good + ["Sec-WebSocket-Accept: ACCEPT"]),
        ("4: more after Accept", ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Accept: ACCEPT, x"]),
        ("5: an extension", good + ["Sec-WebSocket-Extensions: permessage-deflate"]),
        ("5: any extension", good + ["Sec-WebSocket-Extensions: foo"]),
        ("6: a subprotocol", good + ["Sec-WebSocket-Protocol: other"]),
        ("6: another case", good + ["Sec-WebSocket-Protocol: CHAT"]),
        ("6: two", good + ["Sec-WebSocket-Protocol: chat", "Sec-WebSocket-Protocol: superchat"]),
        ("6: a list", good + ["Sec-WebSocket-Protocol: chat, superchat"]),
        ("6: an empty one", good + ["Sec-WebSocket-Protocol:"]),
    ])
    func invalidAnswersAreRefused(rule: String, lines: [String]) throws {
        var options = WebSocketOptions()
        options.subprotocols = ["chat", "superchat"]
        let wire = Wire(options)
        #expect(wire.answer(Self.head(lines)) != nil)
        // It is not open, and no later answer opens it by accident.
        #expect(wire.connection.agreement == nil)
        let request = URLRequest(url: try #require(URL(string: "http://example.com")))
        let error = wire.connection.handshakeError(TransportError(.malformedHead), for: request)
        #expect(WebSocketError.Code.invalidHandshake ~= error)
    }

    @Test func anAnswerThatIsNotAnotherAttemptsIsRefused() throws {
        let wire = Wire()
        #expect(wire.answer(Self.head(Self.good)) == nil)
        #expect(wire.answer(Self.head(Self.good)) != nil)
    }

    @Test func overHTTP2ThereIsNoKey() {
        #expect(Wire().answer("HTTP/2 200 \n\n", isHTTP2: true) == nil)
        #expect(Wire().answer("HTTP/2 200 \nsec-websocket-protocol: chat\n\n", isHTTP2: true) != nil)
    }

    @Test(arguments: [
        ("ws://example.com/a?b", "http://example.com/a?b"), ("wss://example.com:8443", "https://example.com:8443"),
        ("WSS://example.com", "https://example.com"), ("https://example.com/x", "https://example.com/x"),
    ])
    func schemesAreThoseOfHTTP(url: String, sent: String) throws {
        let request = URLRequest(url: try #require(URL(string: url)))
        let handshake = try WebSocketHandshake(WebSocketOptions()).request(for: request)
        #expect(handshake.url?.absoluteString == sent)
        #expect(handshake.value(forHTTPHeaderField: "Sec-WebSocket-Version") == "13")
        #expect(handshake.value(forHTTPHeaderField: "Sec-WebSocket-Extensions") == nil)
    }

    @Test func requestsThatAreNoHandshakesAreRefused() throws {
        let url = try #require(URL(string: "ws://example.com/"))
        var post = URLRequest(url: url)
        post.httpMethod = "POST"
        var body = URLRequest(url: url)
        body.httpBody = Data("x".utf8)
        var key = URLRequest(url: url)
        key.setValue("x", forHTTPHeaderField: "sec-websocket-key")
        let fragment = URLRequest(url: try #require(URL(string: "ws://example.com/#a")))
        for request in [post, body, key, fragment] {
            expect(throws: .invalidArgument) { _ = try WebSocketHandshake(WebSocketOptions()).request(for: request) }
        }
        for names in [["a b"], [""], ["a", "a"], ["a\r\nX: y"]] {
            var options = WebSocketOptions()
            options.subprotocols = names
            expect(throws: .invalidArgument) { _ = try WebSocketHandshake(options).request(for: URLRequest(url: url)) }
        }
    }

    /// Expects an error with a code.
    private func expect(throws code: WebSocketError.Code, _ body: () throws -> Void) {
        do {
            try body()
            Issue.record("nothing was thrown")
        } catch {
            #expect(code ~= error)
        }
    }
}
