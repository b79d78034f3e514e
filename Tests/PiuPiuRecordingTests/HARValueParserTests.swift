import PiuPiuAsync
import TestSupport
import Testing

@testable import PiuPiuRecording

/// JSON for the comparison of bodies.
struct HARValueParserTests {
    private func decoded(_ text: String) -> HARValue? {
        try? JSONDecoder().decodeGuarded(HARValue.self, from: Data(text.utf8))
    }

    @Test(arguments: [
        "null", "true", "false", "0", "-0", "1", "-17", "1.5", "1e3", "1E-3", "9223372036854775807",
        "12345678901234567890",
        "1.0", "\"\"", "\"a\"", #""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00""#, "[]", "[1,2]", "{}", #"{"a":{"b":[null]}}"#,
        " [ 1 , {\"a\" : \"é\"} ] \n", "", "[", "{\"a\"}", "{a:1}", "01", "1.", ".5", "-", "+1", "nul", "tru",
        "\"\n\"",
        "\"a", #""\x""#, #""\ud800""#, #""\u12""#, "1 2", "[1]x", "'a'", "NaN", "1e999",
    ])
    func itReadsWhatADecoderReads(text: String) {
        #expect(HARValueParser.value(of: Data(text.utf8)) == decoded(text))
    }

    @Test func nestingIsBounded() {
        let deep = String(repeating: "[", count: 200_000)
        #expect(HARValueParser.value(of: Data(deep.utf8)) == nil)
        let allowed = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        #expect(HARValueParser.value(of: Data(allowed.utf8)) != nil)
        #expect(HARValueParser.value(of: Data([0x22, 0xFF, 0x22])) == nil)
    }

    @Test func bodiesOfNumbersAreComparedAtOnce() {
        let body = Data(("[" + String(repeating: "1.5,null,\"a\",", count: 20_000) + "1]").utf8)
        let clock = ContinuousClock()
        let parsed = clock.measure { _ = HARValueParser.value(of: body) }
        let decoded = clock.measure { _ = try? JSONDecoder().decodeGuarded(HARValue.self, from: body) }
        #expect(parsed < decoded)
        #expect(HARBodyComparison(body, type: "application/json").matches(body + Data(" ".utf8), type: nil))
    }
}
