import PiuPiuAsync
import Testing

@testable import Fetch

struct ProgressBoardTests {
    private static func progress(_ done: Int64, of total: Int64?, rate: Double? = nil) -> TransferProgress {
        TransferProgress(direction: .receiving, bytesReceived: done, bytesToReceive: total, bytesPerSecond: rate)
    }

    @Test func aSingleTransferHasALineWithoutAName() {
        var board = ProgressBoard(count: 1)
        #expect(board.isIdle && board.lines(width: 79, height: 24, step: 0).isEmpty)
        board.begin(0, name: "a")
        #expect(board.lines(width: 79, height: 24, step: 0) == ["Waiting for the server"])
        board.update(0, Self.progress(50, of: 100))
        #expect(board.lines(width: 40, height: 24, step: 0).map { $0.hasPrefix(" 50 %  [####") } == [true])
        #expect(board.name(0) == nil)
    }

    @Test func severalTransfersHaveNamesAndATotal() {
        var board = ProgressBoard(count: 3)
        board.begin(0, name: "first.bin")
        board.begin(1, name: "second.bin")
        board.update(0, Self.progress(512, of: 1024, rate: 100))
        let lines = board.lines(width: 79, height: 24, step: 0)
        #expect(lines.count == 3)
        #expect(lines[0].hasPrefix("first.bin     50 %  ["))
        #expect(lines[1] == "second.bin   Waiting for the server")
        #expect(lines[2].hasPrefix("0 of 3 files  16 %  [#####..."))
        #expect(board.name(1) == "second.bin")
    }

    @Test func theTotalIsKnownWhenEveryLengthIs() {
        var board = ProgressBoard(count: 3)
        for index in 0..<3 { board.begin(index, name: "\(index)") }
        board.update(0, Self.progress(100, of: 100))
        board.end(0, isSuccess: true)
        board.update(1, Self.progress(50, of: 100, rate: 10))
        #expect(board.total.total == nil)
        board.update(2, Self.progress(25, of: 100, rate: 20))
        #expect(board.total.total == 300 && board.total.done == 175 && board.total.bytesPerSecond == 30)
        board.end(2, isSuccess: false)
        // Of a file that failed, the bytes that arrived count.
        #expect(board.total.total == 225 && board.total.done == 175)
        #expect(board.lines(width: 79, height: 24, step: 0).last?.hasPrefix("1 of 3 files, 1 failed") == true)
    }

    @Test func theTotalHasAFractionBeforeEveryLengthIsKnown() {
        var board = ProgressBoard(count: 20)
        #expect(board.fraction == 0)
        var fractions: [Double] = []
        for index in 0..<20 {
            board.begin(index, name: "\(index)")
            for done in [Int64(0), 40, 100] {
                board.update(index, Self.progress(done, of: index % 3 == 0 ? nil : 100))
                fractions.append(board.fraction)
            }
            board.end(index, isSuccess: index % 2 == 0)
            fractions.append(board.fraction)
            // A single number at the left, and no mark that moves.
            if index == 0 { #expect(board.lines(width: 79, height: 24, step: 0)[0].contains("  5 %  [#...")) }
        }
        #expect(zip(fractions, fractions.dropFirst()).allSatisfy { $0 <= $1 } && fractions.last == 1)
        #expect(Set(fractions).count > 20)
    }

    @Test(
        "Lines that a narrower terminal breaks count as several",
        arguments: [
            ([], 80, 0), ([79, 0], 80, 2), ([80, 81], 80, 3), ([79, 40, 1], 40, 4), ([79], 20, 4), ([5], 0, 5),
        ]
    )
    func height(_ row: (widths: [Int], columns: Int, height: Int)) {
        #expect(Columns.height(row.widths, columns: row.columns) == row.height)
    }

    @Test func nothingIsWiderOrHigherThanTheTerminal() {
        var board = ProgressBoard(count: 30)
        for index in 0..<20 {
            board.begin(index, name: String(repeating: index % 2 == 0 ? "x" : "漢", count: index * 4) + "\u{1B}[2J")
            board.update(index, Self.progress(Int64(index) << 30, of: index % 3 == 0 ? nil : 1 << 50, rate: 1e6))
        }
        for width in 0...120 {
            for height in [1, 2, 5, 30] {
                let lines = board.lines(width: width, height: height, step: width)
                #expect(lines.count <= height)
                #expect(lines.allSatisfy { Columns.width($0) <= width })
                #expect(lines.allSatisfy { !$0.contains("\u{1B}") })
            }
        }
    }

    @Test func anUploadIsShownBeforeItsAnswer() {
        var progress = TransferProgress(direction: .receiving, bytesSent: 5, bytesToSend: 10)
        #expect(progress.facing.direction == .sending)
        progress.bytesReceived = 1
        #expect(progress.facing.direction == .receiving)
    }
}

struct TimingsTests {
    private static let metrics = ExchangeMetrics(
        queued: .milliseconds(1),
        nameLookup: .milliseconds(2),
        connect: .milliseconds(12),
        secureConnect: .milliseconds(40),
        firstByte: .milliseconds(90),
        total: .milliseconds(99)
    )

    @Test func phasesFollowEachOther() {
        let phases = Timings.phases(Self.metrics)
        #expect(phases.map(\.name) == ["queue", "name lookup", "connect", "TLS", "first byte", "content"])
        #expect(phases.map { $0.duration / .milliseconds(1) } == [1, 2, 10, 28, 50, 9])
        var reused = Self.metrics
        reused.isReusedConnection = true
        #expect(Timings.phases(reused).map(\.name) == ["queue", "first byte", "content"])
    }

    @Test func aPictureFitsTheTerminal() {
        var entry = Ledger.Entry(attempts: 2, redirects: 1)
        entry.exchanges = [ExchangeSummary(outcome: .response(.ok), metrics: Self.metrics)]
        for width in [20, 40, 79, 200] {
            let lines = Timings.lines("http://a\u{1B}", entry, width: width, Colours(isOn: false))
            #expect(lines.contains("  total          100 ms"))
            #expect(lines.contains("  attempts            2"))
            #expect(lines.dropFirst().filter { $0.contains("=") }.allSatisfy { $0.count <= max(width, 24) })
            #expect(!lines.joined().contains("\u{1B}"))
        }
        #expect(Timings.lines("x", Ledger.Entry(), width: 80, Colours(isOn: false)) == ["There are no timings of x."])
    }
}

struct PaceTests {
    @Test func bytesTakeTheirTime() {
        var pace = Pace(bytesPerSecond: 1000)
        #expect(pace.take(500, at: .seconds(7)) == .milliseconds(500))
        #expect(pace.take(500, at: .milliseconds(7500)) == .milliseconds(500))
        // Whoever is late does not wait.
        #expect(pace.take(1, at: .seconds(60)) == .zero)
    }

    @Test func pausesGrow() {
        #expect((1...3).map { Runner.pause($0) } == [.milliseconds(500), .seconds(1), .seconds(2)])
        #expect(Runner.pause(.max) == .seconds(30))
    }
}
