import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuCore

struct InboundBufferTests {
    private typealias Buffer = InboundBuffer<Int>

    private struct Failure: Error {}

    /// A buffer that wakes its reader with 8 bytes and pauses its writer with 16.
    private static func buffer(_ contents: String = "") -> Buffer {
        var buffer = Buffer(highWater: 16)
        if !contents.isEmpty { _ = buffer.offer(contents) }
        return buffer
    }

    @Test func bytesWaitForTheReader() {
        var buffer = Self.buffer()
        #expect(["abc", "", "defgh"].map { buffer.offer($0).text } == ["accepted", "accepted", "accepted"])
        #expect(buffer.count == 8)
        #expect(buffer.read(1).text == "deliver abcdefgh")
        #expect(buffer.count == 0)
        #expect(buffer.read(2).text == "wait")
    }

    // A reader that is always a little slower than the network never takes the last chunk.
    @Test func usedSlotsAreDroppedBeforeTheBufferIsEmpty() throws {
        var buffer = InboundBuffer<Int>(highWater: 1 << 20)
        let chunk = Data(repeating: 0, count: 16 * 1024)
        for _ in 0..<8 { _ = buffer.write(chunk) }
        for round in 0..<10_000 {
            _ = buffer.write(chunk)
            guard case .deliver(let data, _) = buffer.read(round) else {
                Issue.record("Nothing was there in round \(round)")
                return
            }
            #expect(data.count == chunk.count)
        }
        #expect(buffer.count == 8 * chunk.count)
        let slots = Mirror(reflecting: buffer).children.first { $0.label == "chunks" }?.value as? [Data]
        #expect(try #require(slots).count < 100)
    }

    @Test func aWaiterIsWokenByManyBytesOrByAFlush() {
        var buffer = Self.buffer()
        #expect(buffer.read(1).text == "wait")
        #expect(buffer.flush() == nil)
        #expect(buffer.offer("abcd").text == "accepted")
        #expect(buffer.offer("efgh").text == "accepted 1: abcdefgh")
        #expect(buffer.read(2).text == "wait")
        #expect(buffer.offer("e").text == "accepted")
        let flushed = buffer.flush()
        #expect(flushed?.0 == 2)
        #expect(flushed?.1 == Data("e".utf8))
        #expect(buffer.flush() == nil)
        #expect(buffer.offer("fghij").text == "accepted")
    }

    @Test func theWriterPausesOnlyWhenTheBufferIsFull() {
        var buffer = Self.buffer("0123456789abcde")
        // One byte is free, and a write is not cut.
        #expect(buffer.offer("0123456789").text == "accepted")
        #expect(buffer.count == 25)
        #expect(buffer.offer("x").text == "pause")
        #expect(buffer.offer("").text == "pause")
        #expect(buffer.count == 25)
        #expect(buffer.read(1).text == "deliver 0123456789abcde0123456789 and resume")
        #expect(buffer.offer("x").text == "accepted")
        #expect(buffer.read(2).text == "deliver x")
    }

    @Test func aWriterThatPausedIsResumedOnce() {
        var buffer = Self.buffer("0123456789abcdef")
        #expect(buffer.offer("x").text == "pause")
        #expect(buffer.read(1).text == "deliver 0123456789abcdef and resume")
        #expect(buffer.offer("y").text == "accepted")
        #expect(buffer.read(2).text == "deliver y")
    }

    @Test(arguments: [(false, "end"), (true, "fail Failure")])
    func theEndOrAnErrorComesAfterTheBytes(isFailure: Bool, end: String) {
        var buffer = Self.buffer("abc")
        #expect(buffer.finish(isFailure ? Failure() : nil).text == "none")
        #expect(buffer.offer("x").text == "closed")
        #expect((1...3).map { buffer.read($0).text } == ["deliver abc", end, end])
    }

    @Test func aWaiterIsToldOfTheEnd() {
        var buffer = Self.buffer()
        _ = buffer.read(1)
        #expect(buffer.finish(nil).text == "end 1")
        buffer = Self.buffer()
        _ = buffer.read(2)
        #expect(buffer.finish(Failure()).text == "fail 2 Failure")
        #expect(buffer.finish(nil).text == "none")
        buffer = Self.buffer()
        _ = buffer.read(3)
        _ = buffer.offer("ab")
        #expect(buffer.finish(Failure()).text == "deliver 3: ab")
        #expect(buffer.read(4).text == "fail Failure")
    }

    @Test func aReadWithoutAWaiterLeavesNothingBehind() {
        var buffer = Self.buffer()
        #expect(buffer.read().text == "wait")
        #expect(buffer.offer("0123456789abcdef").text == "accepted")
        #expect(buffer.flush() == nil)
        #expect(buffer.offer("x").text == "pause")
        #expect(buffer.read().text == "deliver 0123456789abcdef and resume")
        #expect(buffer.read().text == "wait")
        #expect(buffer.read(1).text == "wait")
        #expect(buffer.read().text == "wait")
        #expect(buffer.finish(Failure()).text == "fail 1 Failure")
        #expect(buffer.read().text == "fail Failure")
        _ = buffer.close()
        #expect(buffer.read().text == "fail CancellationError")
    }

    @Test func theFirstEndCounts() {
        var buffer = Self.buffer("abc")
        #expect(buffer.finish(nil).text == "none")
        #expect(buffer.finish(Failure()).text == "none")
        _ = buffer.read(1)
        #expect(buffer.read(2).text == "end")
    }

    @Test func closingStopsTheWriterAndFreesTheBytes() {
        var buffer = Self.buffer("abc")
        let first = buffer.close()
        #expect(first.stopsWriter)
        #expect(first.waiter == nil)
        #expect(buffer.count == 0)
        #expect(buffer.offer("x").text == "closed")
        #expect(buffer.flush() == nil)
        #expect(buffer.finish(Failure()).text == "none")
        #expect(buffer.read(1).text == "fail CancellationError")
        let second = buffer.close()
        #expect(!second.stopsWriter)
        #expect(second.waiter == nil)
    }

    @Test func closingGivesTheWaiterBack() {
        var buffer = Self.buffer()
        _ = buffer.read(1)
        let (stopsWriter, waiter) = buffer.close()
        #expect(stopsWriter)
        #expect(waiter == 1)
        #expect(buffer.close().waiter == nil)
    }

    @Test(arguments: [true, false])
    func closingAfterTheEndDoesNotStopTheWriter(_ failed: Bool) {
        var buffer = Self.buffer("abc")
        _ = buffer.finish(failed ? Failure() : nil)
        #expect(!buffer.close().stopsWriter)
        #expect(buffer.read(1).text == "fail CancellationError")
    }

    @Test func whoeverComesWhileAnotherWaitsIsRefused() {
        var buffer = Self.buffer()
        #expect(buffer.read(1).text == "wait")
        #expect(buffer.read(2).text == "fail bodyAlreadyRead")
        #expect(buffer.offer("abcdefgh").text == "accepted 1: abcdefgh")
    }

    @Test func largeChunksAreNotJoinedAndTheWriterResumesAtHalf() {
        var buffer = InboundBuffer<Int>(highWater: 192 * 1024)
        let chunk = Data(repeating: 1, count: 64 * 1024)
        for _ in 0..<3 {
            #expect(buffer.checkRoom() == .ready)
            _ = buffer.write(chunk)
        }
        #expect(buffer.checkRoom() == .pause)
        for (reader, resumes) in [(1, false), (2, true), (3, false)] {
            guard case .deliver(let data, resumes) = buffer.read(reader) else {
                Issue.record("read \(reader)")
                return
            }
            #expect(data.count == chunk.count)
        }
        #expect(buffer.count == 0)
    }

    // MARK: Against a model

    private struct Model {
        var bytes: [UInt8] = []
        var waiter: Int?
        var end: String?
        var isPaused = false

        mutating func take() -> String {
            defer { bytes = [] }
            return String(decoding: bytes, as: UTF8.self)
        }

        mutating func write(_ new: [UInt8]) -> String {
            if end != nil { return "closed" }
            if bytes.count >= 16 {
                isPaused = true
                return "pause"
            }
            bytes += new
            guard bytes.count >= 8, let woken = waiter else { return "accepted" }
            waiter = nil
            return "accepted \(woken): \(take())"
        }

        mutating func flush() -> String {
            guard let woken = waiter, !bytes.isEmpty else { return "none" }
            waiter = nil
            return "\(woken): \(take())"
        }

        mutating func read(_ reader: Int) -> String {
            if !bytes.isEmpty {
                defer { isPaused = false }
                return "deliver \(take())" + (isPaused ? " and resume" : "")
            }
            if let end { return end }
            if waiter != nil { return "fail bodyAlreadyRead" }
            waiter = reader
            return "wait"
        }

        mutating func finish(_ failed: Bool) -> String {
            if end != nil { return "none" }
            end = failed ? "fail Failure" : "end"
            guard let woken = waiter else { return "none" }
            waiter = nil
            if !bytes.isEmpty { return "deliver \(woken): \(take())" }
            return failed ? "fail \(woken) Failure" : "end \(woken)"
        }

        mutating func close() -> String {
            defer {
                end = "fail CancellationError"
                bytes = []
                waiter = nil
            }
            return "\(end == nil) \(waiter.map(String.init) ?? "none")"
        }
    }

    @Test(arguments: [41, 42, 43, 44] as [UInt64])
    func randomOperationsAgreeWithAModel(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<300 {
            var buffer = Self.buffer()
            var model = Model()
            var next: UInt8 = 0
            // The reader is sometimes slower than the writer.
            let reads = Int.random(in: 1...6, using: &random)
            for step in 0..<Int.random(in: 1...60, using: &random) {
                switch Int.random(in: 0..<16, using: &random) {
                case 0..<6:
                    let new = (0..<Int.random(in: 0...12, using: &random)).map { offset in
                        UInt8(ascii: "a") + (next &+ UInt8(offset)) % 26
                    }
                    let action = buffer.offer(String(decoding: new, as: UTF8.self)).text
                    #expect(action == model.write(new))
                    if action.hasPrefix("accepted") { next = (next &+ UInt8(new.count)) % 26 }
                case 6..<(6 + reads): #expect(buffer.read(step).text == model.read(step))
                case 12, 13: #expect(buffer.flush().map { "\($0): \($1.text)" } ?? "none" == model.flush())
                case 14:
                    let failed = Bool.random(using: &random)
                    #expect(buffer.finish(failed ? Failure() : nil).text == model.finish(failed))
                case 15 where step > 20:
                    let (stopsWriter, waiter) = buffer.close()
                    #expect("\(stopsWriter) \(waiter.map(String.init) ?? "none")" == model.close())
                default: break
                }
                #expect(buffer.count == model.bytes.count)
                #expect(buffer.count < 16 + 12)
                // No reader waits if there is something to read at once, or nothing to come.
                #expect(model.waiter == nil || model.end == nil && model.bytes.count < 8)
            }
        }
    }

    @Test(arguments: [45, 46] as [UInt64])
    func aWholeBodyComesThroughAsItWas(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let body = (0..<50_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        var buffer = InboundBuffer<Int>(highWater: 1_000)
        var (written, taken, isPaused, isWaiting, isOver) = (0, [UInt8](), false, false, false)
        func take(_ data: Data?) {
            guard let data else { return }
            taken += data
            isWaiting = false
        }
        while !isOver {
            if Bool.random(using: &random), !isPaused {
                let piece = body[written..<min(body.count, written + Int.random(in: 1...700, using: &random))]
                guard !piece.isEmpty else {
                    if case .end = buffer.finish(nil) { isOver = true }
                    isPaused = true
                    continue
                }
                switch buffer.offer(Data(piece)) {
                case .accepted(let delivery):
                    take(delivery?.1)
                    written += piece.count
                case .pause: isPaused = true
                case .closed: Issue.record("closed")
                }
                if Bool.random(using: &random) { take(buffer.flush()?.1) }
            } else if !isWaiting {
                switch buffer.read(0) {
                case .deliver(let data, let resumes):
                    take(data)
                    if resumes { isPaused = false }
                case .wait: isWaiting = true
                case .end: isOver = true
                case .fail(let error): Issue.record(error)
                }
            }
        }
        #expect(taken == body)
    }
}

private enum WriteAction<Waiter> {
    case accepted((Waiter, Data)?)
    case pause
    case closed
}

extension InboundBuffer {
    /// Asks for room and writes, as a transport does.
    fileprivate mutating func offer(_ data: Data) -> WriteAction<Waiter> {
        switch checkRoom() {
        case .ready: .accepted(write(data))
        case .pause: .pause
        case .closed: .closed
        }
    }

    fileprivate mutating func offer(_ text: String) -> WriteAction<Waiter> {
        offer(Data(text.utf8))
    }
}

extension WriteAction {
    fileprivate var text: String {
        switch self {
        case .accepted(nil): "accepted"
        case .accepted((let waiter, let data)?): "accepted \(waiter): \(data.text)"
        case .pause: "pause"
        case .closed: "closed"
        }
    }
}

extension InboundBuffer.FinishAction {
    fileprivate var text: String {
        switch self {
        case .none: "none"
        case .deliver(let waiter, let data): "deliver \(waiter): \(data.text)"
        case .end(let waiter): "end \(waiter)"
        case .fail(let waiter, let error): "fail \(waiter) \(error.name)"
        }
    }
}

extension InboundBuffer.ReadAction {
    fileprivate var text: String {
        switch self {
        case .deliver(let data, let resumes): "deliver \(data.text)" + (resumes ? " and resume" : "")
        case .end: "end"
        case .fail(let error): "fail \(error.name)"
        case .wait: "wait"
        }
    }
}

extension Data {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}

extension Error {
    fileprivate var name: String {
        (self as? TransferError).map { "\($0.code)" } ?? "\(type(of: self))"
    }
}
