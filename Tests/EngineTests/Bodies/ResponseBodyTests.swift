import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuCore

struct ResponseBodyTests {
    private struct Failure: Error {}

    /// Gives chunks, ends or fails, and notes what is asked of it.
    private final class Source: ResponseBodySource {
        struct State {
            var chunks: [Data]
            var error: (any Error)?
            var reads = 0
            var closes = 0
            var isolations: [(any Actor)?] = []
        }

        let state: Locked<State>

        init(_ chunks: [Data], error: (any Error)? = nil) {
            state = Locked(State(chunks: chunks, error: error))
        }

        convenience init(_ chunks: String..., error: (any Error)? = nil) {
            self.init(chunks.map { Data($0.utf8) }, error: error)
        }

        var reads: Int { state.withLock { $0.reads } }
        var closes: Int { state.withLock { $0.closes } }
        var isolations: [(any Actor)?] { state.withLock { $0.isolations } }

        func next(isolation: isolated (any Actor)?) async throws -> Data? {
            try state.withLock { state in
                state.reads += 1
                state.isolations.append(isolation)
                if !state.chunks.isEmpty { return state.chunks.removeFirst() }
                if let error = state.error { throw error }
                return nil
            }
        }

        func close() {
            state.withLock { $0.closes += 1 }
        }
    }

    private static func body(_ source: Source, expectedLength: Int64? = nil) -> (ResponseBody, ends: Tally) {
        let body = ResponseBody(source, expectedLength: expectedLength)
        let ends = Tally()
        body.onEnd(mapError: { $0 }, { _ in ends.add() })
        return (body, ends)
    }

    // MARK: Reading

    @Test func chunksComeInOrderWithoutEmptyOnes() async throws {
        let source = Source("", "ab", "", "", "c", "")
        let (body, ends) = Self.body(source)
        var chunks: [String] = []
        for try await chunk in body { chunks.append(String(decoding: chunk, as: UTF8.self)) }
        #expect(chunks == ["ab", "c"])
        #expect(source.closes == 0)
        #expect(ends.count == 1)
    }

    @Test func afterTheEndThereIsNothing() async throws {
        let source = Source("ab")
        let (body, ends) = Self.body(source)
        var iterator = body.makeAsyncIterator()
        while try await iterator.next() != nil {}
        let reads = source.reads
        #expect(try await iterator.next() == nil)
        var second = body.makeAsyncIterator()
        #expect(try await second.next() == nil)
        #expect(try await body.collect(upTo: 0).isEmpty)
        // The source is not asked again.
        #expect(source.reads == reads)
        #expect(source.closes == 0)
        #expect(ends.count == 1)
    }

    @Test func afterAnErrorTheSourceIsNotAskedAgain() async throws {
        let source = Source("ab", error: Failure())
        let (body, ends) = Self.body(source)
        var iterator = body.makeAsyncIterator()
        #expect(try await iterator.next() == Data("ab".utf8))
        await #expect(throws: Failure.self) { try await iterator.next() }
        let reads = source.reads
        // As of every sequence, nothing comes after an error.
        #expect(try await iterator.next() == nil)
        var second = body.makeAsyncIterator()
        await expect(.bodyAlreadyRead) { try await second.next() }
        #expect(source.reads == reads)
        #expect(source.closes == 1)
        #expect(ends.count == 1)
    }

    @Test func aSecondIteratorIsRefusedWhileTheFirstReads() async throws {
        let source = Source("ab", "cd")
        let (body, _) = Self.body(source)
        var first = body.makeAsyncIterator()
        var second = body.makeAsyncIterator()
        #expect(try await first.next() == Data("ab".utf8))
        await expect(.bodyAlreadyRead) { try await second.next() }
        await expect(.bodyAlreadyRead) { try await body.collect(upTo: 10) }
        #expect(try await first.next() == Data("cd".utf8))
        #expect(try await first.next() == nil)
        #expect(try await second.next() == nil)
        #expect(source.closes == 0)
    }

    @Test func aCopyOfTheIteratorReadsOn() async throws {
        let (body, _) = Self.body(Source("ab", "cd"))
        var first = body.makeAsyncIterator()
        #expect(try await first.next() == Data("ab".utf8))
        var second = first
        #expect(try await second.next() == Data("cd".utf8))
        #expect(try await first.next() == nil)
    }

    // MARK: Giving up

    @Test func leavingTheLoopClosesTheSourceOnce() async throws {
        let source = Source("ab", "cd")
        let (body, ends) = Self.body(source)
        for try await _ in body { break }
        #expect(source.closes == 1)
        #expect(ends.count == 1)
        await expect(.bodyAlreadyRead) { try await body.collect(upTo: 10) }
        #expect(source.closes == 1)
        #expect(ends.count == 1)
    }

    @Test func droppingAnUnreadBodyClosesTheSourceOnce() {
        let source = Source("ab")
        var ends: Tally?
        do {
            let (body, tally) = Self.body(source)
            ends = tally
            // An iterator that was never asked has no claim.
            _ = body.makeAsyncIterator()
            #expect(source.closes == 0)
            #expect(tally.count == 0)
            withExtendedLifetime(body) {}
        }
        #expect(source.closes == 1)
        #expect(ends?.count == 1)
    }

    @Test func anIteratorKeepsTheBody() async throws {
        let source = Source("ab", "cd")
        var iterator = ResponseBody(source, expectedLength: nil).makeAsyncIterator()
        #expect(try await iterator.next() == Data("ab".utf8))
        #expect(source.closes == 0)
        #expect(try await iterator.next() == Data("cd".utf8))
        #expect(try await iterator.next() == nil)
        #expect(source.closes == 0)
    }

    @Test func droppingABodyAfterItsEndClosesNothing() async throws {
        let source = Source("ab")
        do {
            let (body, _) = Self.body(source)
            #expect(try await body.collect(upTo: 2) == Data("ab".utf8))
        }
        #expect(source.closes == 0)
    }

    @Test func aWaitingReaderIsCancelledWithItsTask() async throws {
        let (gate, cancels, ends) = (Gate(), Tally(), Tally())
        let body = ResponseBody(
            next: {
                try await gate.wait()
                return nil
            },
            cancel: { cancels.add() }
        )
        body.onEnd(mapError: { $0 }, { _ in ends.add() })
        let reader = Task { try await body.collect(upTo: 10) }
        await gate.arrival()
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        #expect(cancels.count == 1)
        #expect(ends.count == 1)
    }

    @Test func aCancelledTaskDoesNotAskTheSource() async throws {
        let (asked, cancels) = (Tally(), Tally())
        let body = ResponseBody(
            next: {
                asked.add()
                return Data("x".utf8)
            },
            cancel: { cancels.add() }
        )
        let gate = Gate()
        let reader = Task {
            try? await gate.wait()
            return try await body.collect(upTo: 10)
        }
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        #expect(asked.count == 0)
        #expect(cancels.count == 1)
    }

    // MARK: The end

    @Test func whoeverComesAfterTheEndIsToldAtOnce() async throws {
        let ends = Tally()
        let read = ResponseBody(Data("ab".utf8))
        _ = try await read.collect(upTo: 2)
        read.onEnd(mapError: { $0 }, { _ in ends.add() })
        #expect(ends.count == 1)
        let dropped = ResponseBody(Source("ab"), expectedLength: nil)
        for try await _ in dropped { break }
        dropped.onEnd(mapError: { $0 }, { _ in ends.add() })
        #expect(ends.count == 2)
    }

    @Test func errorsAreReplaced() async throws {
        struct Other: Error {}
        let body = ResponseBody(Source(error: Failure()), expectedLength: nil)
        body.onEnd(mapError: { $0 is Failure ? Other() : $0 }, { _ in })
        await #expect(throws: Other.self) { try await body.collect(upTo: 10) }
    }

    // MARK: Collecting

    @Test(arguments: [nil, 0, 3, 6, 7, 100, -1, .max, .min] as [Int64?])
    func aBodyIsCollectedWhateverWasExpected(_ expectedLength: Int64?) async throws {
        let (body, _) = Self.body(Source("abc", "de", "f"), expectedLength: expectedLength)
        #expect(body.expectedLength == expectedLength)
        #expect(try await body.collect(upTo: 6) == Data("abcdef".utf8))
    }

    @Test(arguments: [nil, 6] as [Int64?])
    func oneByteMoreThanTheLimitIsTooMuch(_ expectedLength: Int64?) async throws {
        let source = Source("abc", "def")
        let (body, ends) = Self.body(source, expectedLength: expectedLength)
        let error = await #expect(throws: TransportError.self) { try await body.collect(upTo: 5) }
        #expect(error?.code == .bodyTooLarge)
        #expect(error?.bytesReceived == 6)
        #expect(source.closes == 1)
        #expect(ends.count == 1)
    }

    @Test(arguments: [0, -1, .min])
    func nothingIsCollectedWithoutRoom(_ limit: Int) async throws {
        let (empty, _) = Self.body(Source(), expectedLength: 10)
        #expect(try await empty.collect(upTo: limit).isEmpty)
        let (body, _) = Self.body(Source("a"), expectedLength: 1)
        let error = await #expect(throws: TransportError.self) { try await body.collect(upTo: limit) }
        #expect(error?.code == .bodyTooLarge)
    }

    @Test func whatIsLeftIsCollected() async throws {
        let (body, _) = Self.body(Source("abc", "def", "ghi"), expectedLength: 9)
        var iterator = body.makeAsyncIterator()
        #expect(try await iterator.next() == Data("abc".utf8))
        var rest = Data()
        while let chunk = try await iterator.next() { rest += chunk }
        #expect(rest == Data("defghi".utf8))
    }

    @Test func aBodyInMemoryIsOneChunk() async throws {
        let body = ResponseBody(Data("abc".utf8))
        #expect(body.expectedLength == 3)
        var iterator = body.makeAsyncIterator()
        #expect(try await iterator.next() == Data("abc".utf8))
        #expect(try await iterator.next() == nil)
        #expect(try await ResponseBody(Data()).collect(upTo: 0) == Data())
    }

    // MARK: Where it runs

    @MainActor
    @Test func readingStaysOnTheMainActor() async throws {
        let source = Source("ab", "", "cd")
        let body = ResponseBody(source, expectedLength: nil)
        var iterator = body.makeAsyncIterator()
        while try await iterator.next() != nil { MainActor.assertIsolated() }
        MainActor.assertIsolated()
        #expect(source.isolations.count == 4)
        #expect(source.isolations.allSatisfy { $0 === MainActor.shared })
        let looped = Source("ab", "cd")
        for try await _ in ResponseBody(looped, expectedLength: nil) { MainActor.assertIsolated() }
        #expect(looped.isolations.count == 3)
        #expect(looped.isolations.allSatisfy { $0 === MainActor.shared })
    }

    @Test func readingStaysOnAnActor() async throws {
        actor Owner {
            var count = 0

            func read(_ body: ResponseBody) async throws {
                for try await chunk in body {
                    assertIsolated()
                    count += chunk.count
                }
            }
        }
        let source = Source("ab", "cd")
        let owner = Owner()
        try await owner.read(ResponseBody(source, expectedLength: nil))
        #expect(await owner.count == 4)
        #expect(source.isolations.count == 3)
        #expect(source.isolations.allSatisfy { $0 === owner })
    }

    @Test func readingWithoutAnActorHasNone() async throws {
        let source = Source("ab")
        _ = try await Task.detached { try await ResponseBody(source, expectedLength: nil).collect(upTo: 2) }.value
        #expect(source.isolations.count == 2)
        #expect(source.isolations.allSatisfy { $0 == nil })
    }
}
