import PiuPiuAsync
import TestSupport
import Testing
@testable import PiuPiuTesting

struct MockRecordTests {
    private typealias Record = MockRecord<String>

    private static let request = MockRequest(TransportRequest(Fixture.request), body: Data(), isBodyComplete: true)

    private func text(_ action: Record.WaitAction) -> String {
        switch action {
        case .wait: "wait"
        case .enough(let requests): "\(requests.count)"
        case .cancelled: "cancelled"
        case .closed: "closed"
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

    @Test func whoWaitsIsWokenByTheLastOfTheRequests() {
        var record = Record()
        expect(text(record.wait(record.makeID(), for: 2, "two")), "wait")
        expect(text(record.wait(record.makeID(), for: 1, "one")), "wait")
        expect(record.append(Self.request), ["one"])
        expect(record.append(Self.request), ["two"])
        expect(record.append(Self.request), [])
        expect(text(record.wait(record.makeID(), for: 2, "late")), "3")
    }

    @Test func whoCancelsIsNotWoken() {
        var record = Record()
        let (first, second) = (record.makeID(), record.makeID())
        #expect(first != second)
        expect(text(record.wait(first, for: 1, "first")), "wait")
        expect(record.cancel(first), "first")
        expect(record.cancel(second), nil)
        expect(text(record.wait(second, for: 1, "second")), "cancelled")
        expect(record.append(Self.request), [])
    }

    @Test func nobodyWaitsForWhatCannotCome() {
        var record = Record()
        expect(text(record.wait(record.makeID(), for: 2, "two")), "wait")
        expect(record.append(Self.request), [])
        expect(record.close(), ["two"])
        expect(text(record.wait(record.makeID(), for: 2, "late")), "closed")
        expect(text(record.wait(record.makeID(), for: 1, "one")), "1")
    }
}
