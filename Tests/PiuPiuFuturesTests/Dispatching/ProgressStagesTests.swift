import Testing

@testable import PiuPiuFutures

/// How often a future is told of the progress of a request, as in PiuPiu 1.11.1.
struct ProgressStagesTests {
    private typealias Change = @Sendable (inout TransferProgress) -> Void

    /// The updates that changes lead to, and that of the end.
    private func updates(hasResponse: Bool = true, _ changes: Change...) -> [ProgressStages.Update] {
        var stages = ProgressStages()
        var progress = TransferProgress(direction: .receiving)
        var updates: [ProgressStages.Update] = []
        for change in changes {
            let old = progress
            change(&progress)
            updates.append(stages.change(from: old, to: progress))
        }
        return (updates + [stages.end(hasResponse: hasResponse)]).filter { $0 != .none }
    }

    private let begin: Change = { $0.bytesToSend = 0 }

    @Test func aSmallResponseHasThree() {
        #expect(updates(begin, { $0.bytesToReceive = 4 }, { $0.bytesReceived = 4 }) == [.stage, .stage, .stage])
        // Of an unknown length.
        #expect(updates(begin, { _ in }, { $0.bytesReceived = 4 }) == [.stage, .moved, .stage])
    }

    @Test func aResponseWithoutABodyHasTwo() {
        #expect(updates(begin, { $0.bytesToReceive = 0 }) == [.stage, .stage])
        #expect(updates(begin, { _ in }) == [.stage, .stage])
    }

    @Test func whateverMovesInBetweenIsTold() {
        let received = updates(
            begin,
            { $0.bytesToReceive = 9 },
            { $0.bytesReceived = 4 },
            { $0.bytesReceived = 8 },
            { $0.bytesReceived = 9 }
        )
        #expect(received == [.stage, .stage, .moved, .moved, .stage])
        let sent = updates(
            { $0.bytesToSend = 2 },
            { $0.bytesSent = 1 },
            { $0.bytesSent = 2 },
            { $0.bytesToReceive = 4 },
            { $0.bytesReceived = 4 }
        )
        #expect(sent == [.stage, .moved, .moved, .stage, .stage])
    }

    @Test func aRequestWithoutAResponseHasOne() {
        #expect(updates(hasResponse: false, begin) == [.stage])
        #expect(updates(hasResponse: false, begin, { $0.bytesToReceive = 4 }, { $0.bytesReceived = 3 }).count == 3)
        // What arrived as a whole is told, even if it is refused.
        #expect(updates(hasResponse: false, begin, { $0.bytesToReceive = 4 }, { $0.bytesReceived = 4 }).count == 3)
    }

    @Test func aRequestThatBeginsIsToldBeforeAnythingChanges() {
        var stages = ProgressStages()
        let progress = TransferProgress(direction: .receiving)
        var begun = progress
        begin(&begun)
        let updates = [stages.begin(), stages.change(from: progress, to: begun), stages.end(hasResponse: false)]
        #expect(updates == [.stage, .none, .none])
    }

    @Test func anotherAttemptIsToldAgain() {
        let retried = updates(
            begin,
            { $0.bytesToReceive = 4 },
            { $0.bytesReceived = 4 },
            { $0.bytesToReceive = 8 },
            { $0.bytesReceived = 8 }
        )
        #expect(retried == [.stage, .stage, .stage, .stage])
    }

    @Test func nothingIsToldOfWhatWasNotBegun() {
        #expect(updates() == [])
        #expect(updates(hasResponse: false) == [])
    }
}
