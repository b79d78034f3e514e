import PiuPiuAsync
import TestSupport
import Testing

@testable import PiuPiuRecording

/// Recordings of text that is not Unicode can be read.
struct HARTextTests {
    private func har(_ text: String) -> Data {
        let field = #"{"name":"X-\#(text)","value":"\#(text)"}"#
        let request = #"{"method":"GET","url":"https://example.com/","headers":[\#(field)]}"#
        let response = #"{"status":200,"content":{"size":1,"mimeType":"text/plain","text":"\#(text)"}}"#
        return Data(#"{"log":{"entries":[{"request":\#(request),"response":\#(response)}]}}"#.utf8)
    }

    @Test(arguments: [
        (#"\ud800"#, "\u{FFFD}"), (#"a\uDFFFb"#, "a\u{FFFD}b"), (#"\ud83d\ude00"#, "\u{1F600}"),
        (#"\ude00\ud83d"#, "\u{FFFD}\u{FFFD}"), (#"\ud800\ud83d\ude00"#, "\u{FFFD}\u{1F600}"),
        (#"\ud83dx"#, "\u{FFFD}x"),
        (#"\ud83d\n"#, "\u{FFFD}\n"), (#"\\ud800\ud800"#, #"\ud800"# + "\u{FFFD}"), (#"\\\ud800"#, "\\\u{FFFD}"),
        (#"\ud800\u0061"#, "\u{FFFD}a"), (#"\"\ud800\""#, "\"\u{FFFD}\""),
        (#"\udbff\udfff\ud800"#, "\u{10FFFF}\u{FFFD}"),
    ])
    func halvesOfCharacters(text: String, read: String) throws {
        let entry = try #require(try HAR(har(text)).entries.first)
        #expect(entry.response.content.text == read)
        #expect(entry.request.headers.first?.name == "X-" + read)
        // What is written can be read again, by anybody.
        #expect(try HAR(HAR(entries: [entry]).data()).entries == [entry])
    }

    @Test(arguments: [[0xFF], [0xED, 0xA0, 0x80], [0xE9], [0xC3]] as [[UInt8]])
    func bytesThatAreNoText(bytes: [UInt8]) throws {
        let parts = har("|").split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
        let data = Data(parts.joined(separator: bytes))
        let entry = try #require(try HAR(data).entries.first)
        #expect(entry.response.content.text?.contains("\u{FFFD}") == true)
    }

    @Test func whatIsNoJSONIsStillNone() {
        for text in [#"{"log":"\ud800"}"#, #"{"log":{"entries":[{"a":"\ud800"}]}"#, #"\ud800"#, "", "\\", #"\ud80"#] {
            #expect(throws: HARError.self) { try HAR(Data(text.utf8)) }
        }
    }

    @Test func nothingIsRepairedInASoundText() {
        #expect(HARText.repaired(har("é \\n \\ud83d\\ude00 \\\\ud800")) == nil)
        #expect(HARText.repaired(Data()) == nil)
        #expect(HARText.repaired(Data("\\".utf8)) == nil)
    }
}
