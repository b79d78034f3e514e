import Testing

@testable import PiuPiuWebSocket

@Suite struct WebSocketMessageTests {
    @Test func aDescriptionShowsNoContent() {
        let messages: [WebSocketMessage] = [.text("secret"), .binary(Data("secret".utf8))]
        for message in messages {
            var dumped = ""
            dump(message, to: &dumped)
            for shown in ["\(message)", String(reflecting: message), dumped] {
                #expect(!shown.contains("secret") && shown.contains("6 bytes"))
            }
        }
        #expect("\(WebSocketMessage.text("schön"))" == "WebSocketMessage(text: 6 bytes)")
        #expect("\(WebSocketMessage.binary(Data([1])))" == "WebSocketMessage(binary: 1 bytes)")
        #expect(!"\(FrameReader.Event.message(.text("secret"), wireSize: 8))".contains("secret"))
    }

    @Test func aMessageHasTextOrData() {
        let text = WebSocketMessage.text("schön")
        #expect(text.text == "schön" && text.data == Data("schön".utf8) && text.byteCount == 6)
        let binary = WebSocketMessage.binary(Data([1, 2]))
        #expect(binary.text == nil && binary.data == Data([1, 2]) && binary.byteCount == 2)
        #expect(text != binary && WebSocketMessage.text("") != .binary(Data()))
    }

    @Test func codesHaveNames() {
        #expect("\(WebSocketCloseCode.goingAway)" == "1001 (going away)")
        #expect("\(WebSocketCloseCode(rawValue: 4711))" == "4711")
        #expect(WebSocketCloseCode(rawValue: 1009) == .messageTooBig)
    }
}
