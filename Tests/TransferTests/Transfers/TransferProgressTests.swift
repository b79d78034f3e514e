import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

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

    @Test func aProgressIsPrintedInOneLine() {
        var progress = TransferProgress(direction: .receiving, bytesReceived: 512_000)
        #expect("\(progress)" == "received 512000 bytes")
        progress.bytesToReceive = 1_024_001
        #expect("\(progress)" == "received 512000 of 1024001 bytes (49 %)")
        (progress.bytesPerSecond, progress.bytesKept, progress.restarts) = (1.2, 1, 1)
        let line = "received 512000 of 1024001 bytes (49 %), 1 byte per second, 1 byte kept, started over once"
        #expect("\(progress)" == line)
        let sent = TransferProgress(direction: .sending, bytesSent: 1, bytesToSend: 1, bytesPerSecond: .infinity)
        #expect("\(sent)" == "sent 1 of 1 byte (100 %)")
        let odd = TransferProgress(direction: .sending, bytesSent: .min, bytesToSend: .max, bytesPerSecond: -.nan)
        #expect("\(odd)" == "sent \(Int64.min) of \(Int64.max) bytes (0 %)")
    }

    @Test func theProgressOfAListIsPrintedInOneLine() {
        var progress = DownloadsProgress(fileCount: 3)
        #expect("\(progress)" == "0 of 3 files; received 0 bytes (0 %)")
        (progress.filesSaved, progress.filesFailed, progress.bytesReceived) = (1, 1, 4096)
        (progress.bytesToReceive, progress.bytesPerSecond) = (8192, 100)
        #expect(
            "\(progress)" == "2 of 3 files, 1 of them failed; received 4096 of 8192 bytes (50 %), 100 bytes per second"
        )
    }
}
