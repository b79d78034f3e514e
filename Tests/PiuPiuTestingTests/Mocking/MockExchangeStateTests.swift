import PiuPiuAsync
import Testing
@testable import PiuPiuTesting

struct MockExchangeStateTests {
    private typealias State = MockExchangeState<String>

    private func text(_ action: State.EndAction?) -> String {
        switch action {
        case .tellNobody: "nobody"
        case .tell(let waiter): waiter
        case .endBody: "body"
        case nil: "over"
        }
    }

    /// The macro cannot look into an expression that changes something.
    private func expect<Value: Equatable>(
        _ found: Value,
        _ expected: Value,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(found == expected, sourceLocation: sourceLocation)
    }

    @Test func whoWaitsForTheResponseIsToldOfTheEnd() {
        var state = State()
        expect(state.begin("caller"), true)
        #expect(!state.isEnded)
        #expect(text(state.end()) == "caller")
        #expect(state.isEnded)
    }

    @Test func whoReadsTheBodyIsToldOfTheEnd() {
        var state = State()
        expect(state.begin("caller"), true)
        expect(state.giveHead(), "caller")
        #expect(text(state.end()) == "body")
    }

    @Test func itEndsOnce() {
        var state = State()
        expect(state.begin("caller"), true)
        #expect(text(state.end()) == "caller")
        #expect(text(state.end()) == "over")
        expect(state.giveHead(), nil)
        expect(state.begin("another"), false)
    }

    @Test func whatIsCancelledBeforeItBeginsDoesNot() {
        var state = State()
        #expect(text(state.end()) == "nobody")
        expect(state.begin("caller"), false)
    }

    @Test func thereIsOneHead() {
        var state = State()
        expect(state.giveHead(), nil)
        expect(state.begin("caller"), true)
        expect(state.begin("another"), false)
        expect(state.giveHead(), "caller")
        expect(state.giveHead(), nil)
    }
}
