import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuCore

// On the main actor, where a yield lets a reader come as far as its wait: no order is left to chance.
@MainActor
struct InboundBodyTests {
    private struct Failure: Error {}

    private let resumes = Tally()
    private let cancels = Tally()
    private let body: InboundBody

    init() {
        body = InboundBody(resume: { [resumes] in resumes.add() }, cancel: { [cancels] in cancels.add() })
    }

    /// Asks for room and writes, as a transport does.
    @discardableResult
    private func write(_ text: String) -> InboundBuffer<Never>.Readiness {
        let readiness = body.checkRoom()
        if readiness == .ready { body.write(Data(text.utf8)) }
        return readiness
    }

    private func next() async throws -> String? {
        try await body.next(isolation: MainActor.shared).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A reader that waits already.
    private func reader() async -> Task<String?, any Error> {
        let reader = Task { try await next() }
        await Task.yield()
        return reader
    }

    @Test func whatIsThereIsReadAtOnce() async throws {
        #expect(write("abc") == .ready)
        #expect(write("def") == .ready)
        #expect(try await next() == "abcdef")
        #expect(cancels.count == 0)
    }

    @Test func aWaitingReaderIsWokenByAFlush() async throws {
        let reader = await reader()
        write("abc")
        body.flush()
        write("def")
        #expect(try await reader.value == "abc")
        body.finish(nil)
        #expect(try await next() == "def")
        #expect(try await next() == nil)
    }

    @Test func aWaitingReaderIsWokenByManyBytes() async throws {
        let reader = await reader()
        let bytes = String(repeating: "x", count: InboundBody.highWater / 2)
        write(bytes)
        #expect(try await reader.value == bytes)
    }

    @Test func aFullBufferPausesTheTransportUntilTheReaderHasCome() async throws {
        let bytes = String(repeating: "x", count: InboundBody.highWater)
        #expect(write(bytes) == .ready)
        #expect(write("y") == .pause)
        #expect(resumes.count == 0)
        #expect(try await next() == bytes)
        #expect(resumes.count == 1)
        #expect(write("y") == .ready)
        #expect(try await next() == "y")
        #expect(resumes.count == 1)
    }

    @Test func anErrorComesAfterTheData() async throws {
        write("abc")
        body.finish(Failure())
        #expect(try await next() == "abc")
        await #expect(throws: Failure.self) { try await next() }
        await #expect(throws: Failure.self) { try await next() }
        #expect(cancels.count == 0)
    }

    @Test func aWaitingReaderGetsTheError() async throws {
        let reader = await reader()
        body.finish(Failure())
        await #expect(throws: Failure.self) { try await reader.value }
    }

    @Test func aWaitingReaderGetsTheDataAndThenTheError() async throws {
        let reader = await reader()
        write("abc")
        body.finish(Failure())
        #expect(try await reader.value == "abc")
        await #expect(throws: Failure.self) { try await next() }
    }

    @Test func aWaitingReaderGetsTheEnd() async throws {
        let reader = await reader()
        body.finish(nil)
        #expect(try await reader.value == nil)
        #expect(try await next() == nil)
    }

    @Test func cancellingAWaitingReaderGivesTheExchangeUp() async throws {
        let reader = await reader()
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        #expect(cancels.count == 1)
        #expect(write("x") == .closed)
        body.finish(Failure())
        await #expect(throws: CancellationError.self) { try await next() }
        #expect(cancels.count == 1)
    }

    @Test func aCancelledTaskGetsNothing() async throws {
        write("abc")
        let reader = Task { try await next() }
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        #expect(cancels.count == 1)
    }

    @Test func closingWhileAReaderWaitsEndsItsWait() async throws {
        let reader = await reader()
        body.close()
        await #expect(throws: CancellationError.self) { try await reader.value }
        body.close()
        #expect(cancels.count == 1)
    }

    @Test func closingAfterTheEndTellsNobody() async throws {
        write("abc")
        body.finish(nil)
        body.close()
        #expect(cancels.count == 0)
        await #expect(throws: CancellationError.self) { try await next() }
    }

    @Test func aSecondReaderIsRefusedAndTheFirstGoesOn() async throws {
        let first = await reader()
        await expect(.bodyAlreadyRead) { try await next() }
        body.finish(nil)
        #expect(try await first.value == nil)
    }

    // The transport writes from its own thread while the reader reads and the flushes come in between.
    @Test(arguments: [61, 62] as [UInt64])
    func bytesWrittenFromAnotherThreadArriveInOrder(_ seed: UInt64) async throws {
        let count = 800_000
        let allowed = Tally()
        let body = InboundBody(resume: { allowed.add() }, cancel: {})
        let writer = Task.detached {
            var random = SeededRandom(seed: seed)
            var (position, pauses) = (0, 0)
            while position < count {
                let size = min(count - position, Int.random(in: 1...16_384, using: &random))
                let bytes = (position..<position + size).map { UInt8(truncatingIfNeeded: $0 / 251) }
                switch body.checkRoom() {
                case .ready:
                    body.write(Data(bytes))
                    position += size
                case .pause:
                    pauses += 1
                    await allowed.reach(pauses)
                case .closed: return false
                }
                if Bool.random(using: &random) { body.flush() }
            }
            body.finish(nil)
            return true
        }
        var position = 0
        while let data = try await body.next(isolation: MainActor.shared) {
            #expect(data.count < InboundBody.highWater + 16_384)
            #expect(
                data.elementsEqual((position..<position + data.count).lazy.map { UInt8(truncatingIfNeeded: $0 / 251) })
            )
            position += data.count
        }
        #expect(position == count)
        #expect(await writer.value)
    }
}
