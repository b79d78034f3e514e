import PiuPiuAsync
import Testing

@testable import Fetch

struct ProgressLineTests {
    private static func download(_ done: Int64, of total: Int64?, rate: Double? = nil) -> TransferProgress {
        TransferProgress(direction: .receiving, bytesReceived: done, bytesToReceive: total, bytesPerSecond: rate)
    }

    private static let mebibyte: Int64 = 1 << 20

    @Test func aWideTerminalHasEverything() {
        let progress = Self.download(3 * Self.mebibyte, of: 4 * Self.mebibyte, rate: Double(Self.mebibyte))
        let line = ProgressLine.bar(progress, width: 80, step: 0)
        #expect(line == " 75 %  [#################......]  3.00 MiB of 4.00 MiB  1.00 MiB/s  1 s left")
    }

    @Test func whatDoesNotFitIsLeftOutFromTheRight() {
        let progress = Self.download(3 * Self.mebibyte, of: 4 * Self.mebibyte, rate: Double(Self.mebibyte))
        let lines = [60, 40, 20, 5, 0].map { ProgressLine.bar(progress, width: $0, step: 0) }
        #expect(
            lines == [
                " 75 %  [############.....]  3.00 MiB of 4.00 MiB  1.00 MiB/s",
                " 75 %  [######...]  3.00 MiB of 4.00 MiB",
                " 75 %  [########...]",
                " 75 %",
                "",
            ]
        )
    }

    @Test func theBarStaysWhereItIs() {
        let total = 300 * Self.mebibyte
        let ends = [(5, nil), (1 << 20, 3e9), (123_456_789, 120.0), (total, 1e6)].map { (done, rate) in
            let line = ProgressLine.bar(Self.download(done, of: total, rate: rate), width: 80, step: 0)
            return Array(line).firstIndex(of: "]")
        }
        #expect(Set(ends).count == 1)
    }

    @Test func nothingIsWiderThanTheTerminal() {
        for width in 0...200 {
            for total in [nil, 0, 1, 999, 123_456_789, .max] as [Int64?] {
                for done in [0, 1, 998, 123_456_788, .max - 1] as [Int64] where done <= total ?? .max {
                    for rate in [nil, 0.001, 5e6, 1e300] as [Double?] {
                        let progress = Self.download(done, of: total, rate: rate)
                        let line = ProgressLine.bar(progress, width: width, step: done.hashValue & 0xFFFF)
                        #expect(line.count <= width)
                        #expect(line.utf8.allSatisfy { (0x20...0x7E).contains($0) })
                    }
                }
            }
        }
    }

    @Test func hundredPerCentIsWhenEverythingIsThere() {
        #expect(ProgressLine.bar(Self.download(9999, of: 10_000), width: 79, step: 0).hasPrefix(" 99 %"))
        let end = ProgressLine.bar(Self.download(10_000, of: 10_000, rate: 5), width: 79, step: 0)
        #expect(end.hasPrefix("100 %  [####"))
        #expect(!end.contains(".]") && !end.contains("left"))
    }

    @Test func withoutATotalAMarkMovesToAndFro() {
        let places = (0..<100).map { step -> Int? in
            let line = ProgressLine.bar(Self.download(5, of: nil), width: 40, step: step)
            #expect(!line.contains("%"))
            return Array(line).firstIndex(of: "<")
        }
        #expect(places[0] == 1)
        #expect(zip(places, places.dropFirst()).allSatisfy { abs(($0 ?? 0) - ($1 ?? 9)) == 1 })
        #expect(Set(places).count > 5)
    }

    @Test func beforeAnythingIsKnownItWaits() {
        #expect(ProgressLine.bar(Self.download(0, of: nil), width: 79, step: 3) == "Waiting for the server")
        #expect(ProgressLine.bar(Self.download(0, of: nil), width: 7, step: 3) == "Waiting")
        #expect(ProgressLine.plain(Self.download(0, of: nil)) == "Waiting for the server")
        #expect(ProgressLine.plain(Self.download(0, of: 0)) == "100 %, 0 B of 0 B")
    }

    @Test func anUploadCountsWhatIsSent() {
        let progress = TransferProgress(
            direction: .sending,
            bytesSent: 512,
            bytesToSend: 1024,
            bytesReceived: 3,
            bytesToReceive: 4,
            bytesPerSecond: 100
        )
        #expect(ProgressLine.plain(progress) == "50 %, 512 B of 1.00 KiB, 100 B/s, 6 s left")
    }
}

struct PlainPaceTests {
    private static func progress(_ done: Int64, of total: Int64?) -> TransferProgress {
        TransferProgress(direction: .receiving, bytesReceived: done, bytesToReceive: total)
    }

    @Test func aKnownTotalHasALineForEachTenth() {
        var pace = PlainPace()
        let isFirstDue = pace.isDue(Self.progress(0, of: nil), at: .zero)
        #expect(isFirstDue)
        let due = (0...1000).filter { pace.isDue(Self.progress($0, of: 1000), at: .milliseconds($0)) }
        #expect(due == Array(stride(from: 0, through: 1000, by: 100)))
    }

    @Test func anUnknownTotalHasALineForEachSecond() {
        var pace = PlainPace()
        let due = (0...50).filter { pace.isDue(Self.progress(Int64($0), of: nil), at: .milliseconds($0 * 100)) }
        #expect(due == [0, 10, 20, 30, 40, 50])
    }
}
