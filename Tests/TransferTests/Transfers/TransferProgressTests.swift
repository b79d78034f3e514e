import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync

struct TransferProgressTests {
    @Test(
        arguments: [
            (0, nil, nil), (7, nil, nil), (0, 0, 1), (5, 0, 1), (0, 10, 0), (5, 10, 0.5), (10, 10, 1), (11, 10, 1),
            (-1, 10, 0), (0, -1, 1), (.max, .max, 1), (.max, 1, 1), (.min, .max, 0), (1, .min, 1), (.min, .min, 1),
        ] as [(Int64, Int64?, Double?)]
    )
    func fractionsStayBetweenZeroAndOne(_ row: (Int64, Int64?, Double?)) {
        let sending = TransferProgress(direction: .sending, bytesSent: row.0, bytesToSend: row.1)
        #expect(sending.fractionSent == row.2)
        #expect(sending.fractionCompleted == row.2)
        #expect(sending.fractionReceived == nil)
        let receiving = TransferProgress(direction: .receiving, bytesReceived: row.0, bytesToReceive: row.1)
        #expect(receiving.fractionReceived == row.2)
        #expect(receiving.fractionCompleted == row.2)
        #expect(receiving.fractionSent == nil)
    }

    @Test func theMainDirectionIsWhatCounts() {
        var progress = TransferProgress(
            direction: .sending,
            bytesSent: 25,
            bytesToSend: 100,
            bytesReceived: 1,
            bytesToReceive: 2,
            bytesPerSecond: 25
        )
        #expect(progress.fractionCompleted == 0.25)
        #expect(progress.estimatedTimeRemaining == .seconds(3))
        progress.direction = .receiving
        #expect(progress.fractionCompleted == 0.5)
        #expect(progress.estimatedTimeRemaining == .milliseconds(40))
    }

    @Test(
        arguments: [
            (50, 100, 10, .seconds(5)), (100, 100, 10, .zero), (101, 100, 10, .zero), (0, 0, 10, .zero),
            (0, 100, nil, nil), (0, 100, 0, nil), (0, 100, -1, nil), (0, 100, .nan, nil), (0, nil, 10, nil),
            (0, 100, .infinity, .zero), (0, .max, .leastNonzeroMagnitude, .seconds(1e9)), (0, .max, 1, .seconds(1e9)),
            (-1, .max, 1, .seconds(1e9)), (.min, .max, 1, .seconds(1e9)), (.max, .min, 1, .zero),
        ] as [(Int64, Int64?, Double?, Duration?)]
    )
    func theTimeThatRemainsFollowsFromTheSpeed(_ row: (Int64, Int64?, Double?, Duration?)) {
        let progress = TransferProgress(
            direction: .receiving,
            bytesReceived: row.0,
            bytesToReceive: row.1,
            bytesPerSecond: row.2
        )
        #expect(progress.estimatedTimeRemaining == row.3)
    }
}
