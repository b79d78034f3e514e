#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuCore

struct BodyGathererTests {
    private static func gather(_ sizes: some Sequence<Int>, into inbound: InboundBody) -> (taken: Int, paused: Bool) {
        var gatherer = BodyGatherer()
        defer { gatherer.flush(to: inbound) }
        var taken = 0
        for size in sizes {
            let bytes = (taken..<taken + size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
            switch bytes.withUnsafeBytes({ gatherer.gather($0, for: inbound) }) {
            case .ready: taken += size
            case .pause: return (taken, true)
            case .closed: return (taken, false)
            }
        }
        return (taken, false)
    }

    /// However the pieces lie in the blocks, no more than a block and a piece come on top of the mark.
    @Test(arguments: [1, 100, 4096, 7_919, 8_192, 16_384, 16_383, 70_000, 200_000])
    func nothingIsTakenBeyondTheMark(size: Int) {
        let inbound = InboundBody(resume: {}, cancel: {})
        let (taken, paused) = Self.gather(repeatElement(size, count: 1_000_000), into: inbound)
        #expect(paused)
        #expect(taken >= InboundBody.highWater)
        #expect(taken <= InboundBody.highWater + BlockPool.blockSize + size)
    }

    @Test(arguments: [71, 72, 73] as [UInt64])
    func bytesComeThroughInOrder(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let sizes = (0..<12).map { _ in Int.random(in: 1...16_384, using: &random) }
        let inbound = InboundBody(resume: {}, cancel: {})
        let (taken, _) = Self.gather(sizes, into: inbound)
        inbound.finish(nil)
        var position = 0
        while let chunk = try await inbound.next(isolation: nil) {
            let expected = (position..<position + chunk.count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
            #expect(Array(chunk) == expected)
            position += chunk.count
        }
        #expect(position == taken)
    }

    @Test func blocksComeBackWhenNobodyHasTheirData() {
        let pool = BlockPool()
        let block = pool.block()
        var data: Data? = pool.data(block, count: BlockPool.blockSize)
        let other = pool.block()
        #expect(other != block)
        pool.take(back: other)
        data = nil
        #expect(data == nil)
        #expect(pool.block() == block)
        pool.take(back: block)
    }

    @Test func aReaderThatHasGoneIsNoticed() {
        let inbound = InboundBody(resume: {}, cancel: {})
        inbound.close()
        #expect(Self.gather([10], into: inbound) == (0, false))
    }
}
#endif
