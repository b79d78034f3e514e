/// The key of an opening handshake, and the answer that a server of WebSocket gives to it (RFC 6455 §4.1).
package struct WebSocketKey: Sendable, Hashable {
    /// The value of `Sec-WebSocket-Key`: 16 bytes in Base64.
    package let text: String

    /// Creates a key from secure random bytes.
    package init() {
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<16).map { _ in UInt8.random(in: 0...UInt8.max, using: &random) }
        self.init(text: Data(bytes).base64EncodedString())
    }

    /// Creates a key with a given text.
    package init(text: String) {
        self.text = text
    }

    /// The value of `Sec-WebSocket-Accept` that answers the key (RFC 6455 §4.2.2).
    package var accept: String {
        Data(SHA1.digest(of: Array("\(text)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8))).base64EncodedString()
    }
}
