#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuCore

/// Bodies that are received in the blocks of a gatherer.
struct BodyGathererRoomTests {
    private static func byte(_ position: Int) -> UInt8 { UInt8(truncatingIfNeeded: position &* 7 &+ position >> 8) }

    /// Fills a part of a room with the bytes of a body from a position on.
    private static func fill(_ room: UnsafeMutableRawBufferPointer, _ count: Int, from position: Int) {
        for offset in 0..<count { room[offset] = byte(position + offset) }
    }

    private static func isBody(_ chunk: Data, from position: Int) -> Bool {
        chunk.elementsEqual((position..<position + chunk.count).lazy.map(byte))
    }

    /// Receives so many bytes, and returns the size of the room that there was; `nil` if there was none.
    private static func receive(
        _ count: Int,
        from position: Int = 0,
        _ gatherer: inout BodyGatherer,
        for inbound: InboundBody
    ) -> Int? {
        guard case .ready(let room) = gatherer.room(for: inbound) else { return nil }
        fill(room, count, from: position)
        gatherer.stored(count, for: inbound)
        return room.count
    }

    @Test(arguments: [81, 82, 83, 84] as [UInt64])
    func theBytesArriveInOrderAndFewOfThemWait(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let inbound = InboundBody(resume: {}, cancel: {})
        var gatherer = BodyGatherer(pool: BlockPool())
        var (received, taken, largest) = (0, 0, 0)
        for _ in 0..<600 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0: gatherer.flush(to: inbound)
            case 1, 2:
                guard inbound.count > 0, let chunk = try await inbound.next(isolation: nil) else { continue }
                #expect(Self.isBody(chunk, from: taken))
                taken += chunk.count
            case 3:
                let size = Int.random(in: 1...BlockPool.blockSize, using: &random)
                let piece = (received..<received + size).map(Self.byte)
                if piece.withUnsafeBytes({ gatherer.gather($0, for: inbound) }) == .ready { received += size }
            default:
                guard case .ready(let room) = gatherer.room(for: inbound) else { continue }
                largest = max(largest, room.count)
                let count = Bool.random(using: &random) ? room.count : Int.random(in: 0...room.count, using: &random)
                Self.fill(room, count, from: received)
                gatherer.stored(count, for: inbound)
                received += count
            }
            #expect(received - taken <= BodyGatherer.largestCount)
        }
        gatherer.flush(to: inbound)
        inbound.finish(nil)
        while let chunk = try await inbound.next(isolation: nil) {
            #expect(Self.isBody(chunk, from: taken))
            taken += chunk.count
        }
        #expect(taken == received && largest == BodyGatherer.largestCount)
    }

    @Test func aReaderThatDoesNotReadPausesTheBody() {
        let inbound = InboundBody(resume: {}, cancel: {})
        var gatherer = BodyGatherer(pool: BlockPool())
        var received = 0
        while case .ready(let room) = gatherer.room(for: inbound) {
            gatherer.stored(room.count, for: inbound)
            received += room.count
        }
        #expect(received == BodyGatherer.largestCount)
        inbound.close()
        guard case .closed = gatherer.room(for: inbound) else {
            Issue.record("The reader has gone.")
            return
        }
    }

    @Test func aFastBodyGetsALargeBlockAndASlowOneASmall() async throws {
        let inbound = InboundBody(resume: {}, cancel: {})
        var gatherer = BodyGatherer(pool: BlockPool())
        let small = BlockPool.blockSize
        #expect(Self.receive(small, &gatherer, for: inbound) == small)
        // One small block is unread.
        #expect(Self.receive(10, &gatherer, for: inbound) == BodyGatherer.largestCount - small)
        gatherer.flush(to: inbound)
        for _ in 0..<2 { _ = try await inbound.next(isolation: nil) }
        #expect(Self.receive(small, &gatherer, for: inbound) == small)
        _ = try await inbound.next(isolation: nil)
        #expect(Self.receive(10, &gatherer, for: inbound) == BodyGatherer.largestCount)
    }

    @Test func aBodyThatWaitsForItsServerHoldsNoBlock() async throws {
        let pool = BlockPool()
        let inbound = InboundBody(resume: {}, cancel: {})
        var gatherer = BodyGatherer(pool: pool)
        #expect(Self.receive(0, &gatherer, for: inbound) == BlockPool.blockSize)
        #expect(pool.keptBytes == BlockPool.blockSize)
        #expect(Self.receive(100, &gatherer, for: inbound) == BlockPool.blockSize)
        #expect(pool.keptBytes == 0)
        gatherer.flush(to: inbound)
        #expect(pool.keptBytes == BlockPool.blockSize && inbound.count == 100)
    }

    @Test(arguments: [100, 20_000, 49_152])
    func fewBytesLeaveTheirLargeBlock(count: Int) async throws {
        let pool = BlockPool()
        let inbound = InboundBody(resume: {}, cancel: {})
        var gatherer = BodyGatherer(pool: pool)
        #expect(Self.receive(BlockPool.blockSize, &gatherer, for: inbound) != nil)
        _ = try await inbound.next(isolation: nil)
        let position = BlockPool.blockSize
        #expect(Self.receive(count, from: position, &gatherer, for: inbound) == BodyGatherer.largestCount)
        gatherer.flush(to: inbound)
        #expect(pool.keptBytes >= BodyGatherer.largestCount)
        let chunk = try #require(try await inbound.next(isolation: nil))
        // The block had other bytes before, which must not show.
        #expect(chunk.count == count && Self.isBody(chunk, from: position))
    }

    // The transport receives on its own thread while the reader takes the chunks and frees their blocks.
    @Test(arguments: [85, 86] as [UInt64])
    func blocksPassBetweenThreads(_ seed: UInt64) async throws {
        let count = 3_000_000
        let allowed = Tally()
        let pool = BlockPool()
        let body = InboundBody(resume: { allowed.add() }, cancel: {})
        let writer = Task.detached {
            var random = SeededRandom(seed: seed)
            var gatherer = BodyGatherer(pool: pool)
            var (position, pauses) = (0, 0)
            while position < count {
                switch gatherer.room(for: body) {
                case .ready(let room):
                    let most = min(room.count, count - position)
                    let size = Bool.random(using: &random) ? most : Int.random(in: 1...most, using: &random)
                    Self.fill(room, size, from: position)
                    gatherer.stored(size, for: body)
                    position += size
                case .pause:
                    gatherer.flush(to: body)
                    pauses += 1
                    await allowed.reach(pauses)
                case .closed: return false
                }
                if Int.random(in: 0..<4, using: &random) == 0 { gatherer.flush(to: body) }
            }
            gatherer.flush(to: body)
            body.finish(nil)
            return true
        }
        var position = 0
        while let chunk = try await body.next(isolation: nil) {
            #expect(Self.isBody(chunk, from: position))
            position += chunk.count
        }
        #expect(position == count)
        #expect(await writer.value)
    }
}
#endif
