import Testing

@testable import PiuPiuWebSocket

/// Keys and their answers (RFC 6455 §1.3, §4.1).
@Suite struct WebSocketKeyTests {
    @Test func theExampleOfTheStandardIsAnswered() {
        #expect(WebSocketKey(text: "dGhlIHNhbXBsZSBub25jZQ==").accept == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test func aKeyIsSixteenRandomBytes() {
        let keys = (0..<100).map { _ in WebSocketKey() }
        #expect(Set(keys).count == 100)
        for key in keys { #expect(Data(base64Encoded: key.text)?.count == 16) }
    }

    @Test(arguments: [
        (0, "da39a3ee5e6b4b0d3255bfef95601890afd80709"), (1, "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8"),
        (55, "c1c8bbdc22796e28c0e15163d20899b65621d65a"), (56, "c2db330f6083854c99d4b5bfb6e8f29f201be699"),
        (63, "03f09f5b158a7a8cdad920bddc29b81c18a551f5"), (64, "0098ba824b5c16427bd7a1122a5a442a25ec644d"),
        (65, "11655326c708d70319be2610e8a57d9a5b959d3b"), (119, "ee971065aaa017e0632a8ca6c77bb3bf8b1dfc56"),
        (120, "f34c1488385346a55709ba056ddd08280dd4c6d6"), (1000, "291e9a6c66994949b57ba5e650361e98fc36b1ba"),
    ])
    func digestsAreThoseOfSHA1(count: Int, digest: String) {
        let bytes = SHA1.digest(of: [UInt8](repeating: UInt8(ascii: "a"), count: count))
        #expect(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == digest)
    }

    /// RFC 3174 §7.3.
    @Test func theExamplesOfSHA1AreRight() {
        let digest = SHA1.digest(of: Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8))
        #expect(Data(digest).base64EncodedString() == "hJg+RBw70m66rkqh+VEp5eVGcPE=")
    }
}
