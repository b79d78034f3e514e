import Testing

@testable import PiuPiuEngine

/// Each row of the table in the documentation of ``MessageState``.
struct MessageStateTests {
    private func state(hasContent: Bool = true, waits: Bool = false) -> MessageState {
        var state = MessageState()
        state.headSent(hasContent: hasContent, waits: waits)
        return state
    }

    @Test func theHeadLeadsToContentOrNone() {
        #expect(MessageState().sending == .head)
        #expect(state().sending == .content)
        #expect(state(waits: true).sending == .waiting)
        #expect(state(hasContent: false).sending == .sent)
    }

    @Test func contentWaitsUntilItMayContinue() {
        var state = state(waits: true)
        let isFirst = state.mayContinue()
        #expect(isFirst)
        #expect(state.sending == .content)
        let isSecond = state.mayContinue()
        #expect(!isSecond)
    }

    @Test func aFinalHeadStopsContentThatWaits() {
        var state = state(waits: true)
        state.headArrived(statusCode: 200)
        #expect(state.sending == .stopped)
        #expect(!state.isSent)
    }

    @Test(arguments: [(200, MessageState.Sending.content), (299, .content), (300, .stopped), (413, .stopped)])
    func aRefusalStopsContent(_ code: Int, _ sending: MessageState.Sending) {
        var state = state()
        state.headArrived(statusCode: code)
        #expect(state.sending == sending)
    }

    @Test func theExchangeIsOverWhenBothMessagesAre() {
        var state = state()
        state.headArrived(statusCode: 200)
        state.responseEnded()
        #expect(!state.isOver && state.awaitsOnlySending)
        state.contentSent()
        #expect(state.isOver && state.isSent)
    }

    @Test func whatIsStoppedIsOverWithTheResponse() {
        var state = state()
        state.stopSending()
        #expect(!state.isOver)
        state.responseEnded()
        #expect(state.isOver && !state.isSent && !state.awaitsOnlySending)
    }

    @Test func whatWasSentIsNotStopped() {
        var state = state(hasContent: false)
        state.stopSending()
        state.headArrived(statusCode: 500)
        #expect(state.sending == .sent)
    }
}
