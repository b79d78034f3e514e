import PiuPiuFutures
import Testing

/// The names of older releases that the documents still have.
@Suite(.timeLimit(.generous)) struct DeprecatedNamesTests {
    // Rule 19
    @available(*, deprecated)
    @Test func formerNamesStillWork() async {
        let events = FutureEvents()
        ResponseFuture(result: 1)
            .response { events.add("response \($0)") }
            .completion { events.add("completion") }
            .fulfill(with: events.record(ResponseFuture<Int> { _ in }, "with "))
        await events.completions()
        events.record(ResponseFuture<Int> { _ in }, "by ").fulfill(by: ResponseFuture(result: 2))
        await events.completions(of: 2)
        #expect(
            events.all == [
                "response 1", "completion", "with success 1", "with completion", "by success 2", "by completion",
            ]
        )
    }
}
