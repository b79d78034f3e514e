import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuCore

struct OutboundBufferTests {
    private typealias Buffer = OutboundBuffer<Int>

    /// A buffer whose writer waits with 16 bytes and goes on with 8.
    private static func buffer(_ contents: String...) -> Buffer {
        var buffer = Buffer(highWater: 16)
        for text in contents { _ = buffer.write(Data(text.utf8), 0) }
        return buffer
    }

    @Test func bytesComeOutInOrderOverTheBordersOfChunks() {
        var buffer = Self.buffer("abc", "de", "f", "ghi")
        #expect(buffer.count == 9)
        #expect([2, 2, 4].map { buffer.read($0) } == ["copied ab", "copied cd", "copied efgh"])
        #expect(buffer.count == 1)
        #expect([100, 100].map { buffer.read($0) } == ["copied i", "pause"])
    }

    @Test func slicesAreCopiedFromTheirOwnStart() {
        var buffer = Self.buffer()
        let whole = Data("0123456789".utf8)
        _ = buffer.write(whole[3..<6], 1)
        _ = buffer.write(whole[8...], 2)
        #expect(buffer.count == 5)
        #expect(buffer.read(2) == "copied 34")
        #expect(buffer.read(9) == "copied 589")
    }

    @Test func emptyChunksAreNothing() {
        var buffer = Self.buffer()
        #expect(buffer.read(1) == "pause")
        #expect(buffer.write(Data(), 1).text == "proceed")
        #expect(buffer.read(1) == "pause")
        #expect(buffer.write(Data("a".utf8)[1...], 1).text == "proceed")
        #expect(buffer.count == 0)
        #expect(buffer.write(Data("a".utf8), 1).text == "proceed, wakes")
    }

    @Test func theReaderIsWokenOnceForEachPause() {
        var buffer = Self.buffer()
        #expect(buffer.write(Data("a".utf8), 1).text == "proceed")
        #expect([1, 1, 1].map { buffer.read($0) } == ["copied a", "pause", "pause"])
        #expect(buffer.write(Data("b".utf8), 2).text == "proceed, wakes")
        #expect(buffer.write(Data("c".utf8), 3).text == "proceed")
    }

    @Test func theWriterWaitsWhenThereIsEnoughAndGoesOnAtHalf() {
        var buffer = Self.buffer("0123456789abcde")
        #expect(buffer.write(Data("f".utf8), 7).text == "wait")
        #expect([7, 1, 1].map { buffer.read($0) } == ["copied 0123456", "copied 7, resumes 7", "copied 8"])
        #expect(buffer.write(Data("x".utf8), 8).text == "proceed")
    }

    @Test func aLargeChunkIsTakenAndWaitedFor() {
        var buffer = Self.buffer()
        #expect(buffer.read(1) == "pause")
        #expect(buffer.write(Data(repeating: 0x61, count: 100), 1).text == "wait, wakes")
        #expect(buffer.read(91) == "copied " + String(repeating: "a", count: 91))
        #expect(buffer.read(1) == "copied a, resumes 1")
        #expect(buffer.read(100) == "copied " + String(repeating: "a", count: 8))
    }

    @Test func theEndComesAfterTheBytes() {
        var buffer = Self.buffer("ab")
        #expect(buffer.finish() == false)
        #expect(buffer.write(Data("c".utf8), 1).text == "closed")
        #expect((0..<4).map { _ in buffer.read(1) } == ["copied a", "copied b", "end", "end"])
        #expect(buffer.finish() == false)
        #expect(buffer.fail() == false)
        #expect(buffer.read(1) == "end")
    }

    @Test func aPausedReaderIsToldOfTheEndOnce() {
        var buffer = Self.buffer()
        _ = buffer.read(1)
        #expect(buffer.finish() == true)
        #expect(buffer.finish() == false)
        #expect(buffer.read(1) == "end")
    }

    @Test func aFailureGoesBeforeTheBytes() {
        var buffer = Self.buffer("ab")
        #expect(buffer.fail() == true)
        #expect(buffer.fail() == false)
        #expect(buffer.finish() == false)
        #expect(buffer.write(Data("c".utf8), 1).text == "closed")
        #expect(buffer.read(1) == "abort")
        #expect(buffer.close() == nil)
        #expect(buffer.read(1) == "abort")
    }

    @Test func closingGivesTheWriterBackAndFreesTheBytes() {
        var buffer = Self.buffer()
        _ = buffer.write(Data(repeating: 0, count: 20), 5)
        #expect(buffer.close() == 5)
        #expect(buffer.close() == nil)
        #expect(buffer.count == 0)
        #expect(buffer.write(Data("x".utf8), 6).text == "closed")
        #expect(buffer.write(Data(), 6).text == "closed")
        #expect(buffer.finish() == false)
        #expect(buffer.fail() == false)
        #expect(buffer.read(1) == "abort")
    }

    @Test func closingAfterTheEndGivesTheWaiterBackToo() {
        var buffer = Self.buffer("a")
        _ = buffer.finish()
        #expect(buffer.close() == nil)
        #expect(buffer.read(1) == "abort")
    }

    // MARK: Against a model

    private enum End {
        case clean, failed, closed
    }

    @Test(arguments: [51, 52, 53, 54] as [UInt64])
    func randomOperationsAgreeWithAModel(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<300 {
            var buffer = Self.buffer()
            var (bytes, waiter, isPaused, end) = ([UInt8](), nil as Int?, false, nil as End?)
            for step in 0..<Int.random(in: 1...80, using: &random) {
                switch Int.random(in: 0..<20, using: &random) {
                case 0..<8:
                    // A writer that waits does not write.
                    guard waiter == nil else { continue }
                    let whole = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                        UInt8.random(in: 0x61...0x7A, using: &random)
                    }
                    let chunk = Data(whole).dropFirst(Int.random(in: 0...3, using: &random))
                    var expected = "closed"
                    if end == nil {
                        bytes += chunk
                        expected = !chunk.isEmpty && bytes.count >= 16 ? "wait" : "proceed"
                        if expected == "wait" { waiter = step }
                        if !chunk.isEmpty {
                            expected += isPaused ? ", wakes" : ""
                            isPaused = false
                        }
                    }
                    #expect(buffer.write(chunk, step).text == expected)
                case 8..<17:
                    let size = Int.random(in: 1...12, using: &random)
                    var expected = "copied " + String(decoding: bytes.prefix(size), as: UTF8.self)
                    if end == .failed || end == .closed {
                        expected = "abort"
                    } else if bytes.isEmpty {
                        isPaused = end == nil
                        expected = end == nil ? "pause" : "end"
                    } else {
                        bytes.removeFirst(min(size, bytes.count))
                        if bytes.count <= 8, let resumed = waiter {
                            expected += ", resumes \(resumed)"
                            waiter = nil
                        }
                    }
                    #expect(buffer.read(size) == expected)
                case 17:
                    guard waiter == nil, step > 20 else { continue }
                    #expect(buffer.finish() == (end == nil && isPaused))
                    end = end ?? .clean
                case 18:
                    guard waiter == nil, step > 20 else { continue }
                    #expect(buffer.fail() == (end == nil))
                    end = end ?? .failed
                default:
                    guard step > 40 else { continue }
                    #expect(buffer.close() == waiter)
                    (waiter, bytes, end) = (nil, [], .closed)
                }
                #expect(buffer.count == bytes.count)
                #expect(buffer.count < 16 + 20)
                // No producer waits with less than half, and the reader is not left paused with something to read.
                #expect(waiter == nil || bytes.count > 8)
                #expect(!isPaused || bytes.isEmpty)
            }
        }
    }
}

extension OutboundBuffer where Waiter == Int {
    fileprivate mutating func read(_ size: Int) -> String {
        var bytes = [UInt8](repeating: 0, count: size)
        switch bytes.withUnsafeMutableBytes({ read(into: $0) }) {
        case .copied(let count, let waiter):
            return "copied " + String(decoding: bytes.prefix(count), as: UTF8.self)
                + (waiter.map { ", resumes \($0)" } ?? "")
        case .pause: return "pause"
        case .end: return "end"
        case .abort: return "abort"
        }
    }
}

extension OutboundBuffer.WriteAction {
    fileprivate var text: String {
        switch self {
        case .proceed(let wakes): "proceed" + (wakes ? ", wakes" : "")
        case .wait(let wakes): "wait" + (wakes ? ", wakes" : "")
        case .closed: "closed"
        }
    }
}
