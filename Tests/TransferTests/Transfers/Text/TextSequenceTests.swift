import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

struct TextSequenceTests {
    private struct Broken: Error {}

    private struct Row: Decodable, Equatable {
        var id: Int
    }

    @MainActor private final class Model: Decodable {
        var id: Int
    }

    /// What an iterator still gives after it ended.
    private func rest<Iterator: AsyncIteratorProtocol>(_ iterator: inout Iterator) async throws -> [Iterator.Element] {
        var elements: [Iterator.Element] = []
        for _ in 0..<3 {
            if let element = try await iterator.next(isolation: #isolation) { elements.append(element) }
        }
        return elements
    }

    // MARK: Elements

    @Test func linesOfChunks() async {
        let (lines, error) = await collect(Chunks("a\nb", "", "c\r", "\n\nlast").lines)
        #expect(lines == ["a", "bc", "", "last"])
        #expect(error == nil)
    }

    @Test func eventsOfChunks() async {
        let (events, error) = await collect(Chunks("data: a\n", "\nid: 1\ndata", ": b\n\ndata: lost").serverSentEvents)
        #expect(events == [ServerSentEvent(data: "a"), ServerSentEvent(data: "b", id: "1")])
        #expect(error == nil)
    }

    @Test func rowsOfChunks() async {
        let (rows, error) = await collect(
            Chunks("{\"id\":1}\n\n \t\r\n{\"i", "d\":2}\r\n  ", "{\"id\":3}").jsonLines(of: Row.self)
        )
        #expect(rows == [Row(id: 1), Row(id: 2), Row(id: 3)])
        #expect(error == nil)
        #expect(await collect(Chunks("{\"id\":1}\n \r").jsonLines(of: Row.self)).elements == [Row(id: 1)])
    }

    @Test func rowsAreReadWithTheDecoder() async {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .rfc3339
        let (dates, _) = await collect(
            Chunks("[\"1970-01-01T00:00:01Z\"]").jsonLines(of: [Date].self, decoder: decoder)
        )
        #expect(dates == [[Date(timeIntervalSince1970: 1)]])
    }

    @Test func nothingIsReadAhead() async throws {
        let chunks = Chunks("a\nb\n", "c\n")
        var iterator = chunks.lines.makeAsyncIterator()
        #expect(chunks.record.withLock { $0.taken } == 0)
        #expect(try await iterator.next() == "a")
        #expect(try await iterator.next() == "b")
        #expect(chunks.record.withLock { $0.taken } == 1)
    }

    // MARK: Limits

    @Test func limitsAreOneMebibyte() async {
        let most = String(repeating: "a", count: 1024 * 1024)
        #expect(await collect(Chunks(most).lines).elements.count == 1)
        #expect(await collect(Chunks(most + "a").lines).error.map { TransferError.Code.lineTooLong ~= $0 } == true)
        let comment = ":" + most.dropFirst() + "\ndata\n\n"
        #expect(await collect(Chunks(comment).serverSentEvents).elements.count == 1)
        let error = await collect(Chunks(":" + comment).serverSentEvents).error
        #expect(error.map { TransferError.Code.eventTooLong ~= $0 } == true)
        let text = "\"" + most.dropFirst(2) + "\""
        #expect(await collect(Chunks(text).jsonLines(of: String.self)).elements.count == 1)
        let second = await collect(Chunks(text + " ").jsonLines(of: String.self)).error
        #expect(second.map { TransferError.Code.lineTooLong ~= $0 } == true)
    }

    @Test func limitsCanBeChosen() async {
        #expect(await collect(Chunks("123\n1234").lines(limit: 3)).elements == ["123"])
        #expect(await collect(Chunks("data: 1\n\n:2345678\n\n").serverSentEvents(limit: 7)).elements.count == 1)
        #expect(await collect(Chunks("123\n1234").jsonLines(of: Int.self, limit: 3)).elements == [123])
    }

    // MARK: The end

    @Test func errorsComeOnceAndReleaseTheChunks() async throws {
        let chunks = Chunks("a\nb", error: Broken())
        var lines = chunks.lines.makeAsyncIterator()
        #expect(try await lines.next() == "a")
        await #expect(throws: Broken.self) { try await lines.next() }
        #expect(chunks.record.withLock { $0.released } == 1)
        #expect(try await rest(&lines) == [])

        var events = Chunks("data: a\n\ndata: b\n", error: Broken()).serverSentEvents.makeAsyncIterator()
        #expect(try await events.next()?.data == "a")
        await #expect(throws: Broken.self) { try await events.next() }
        #expect(try await rest(&events) == [])

        var rows = Chunks("1\n2", error: Broken()).jsonLines(of: Int.self).makeAsyncIterator()
        #expect(try await rows.next() == 1)
        await #expect(throws: Broken.self) { try await rows.next() }
        #expect(try await rest(&rows) == [])
    }

    @Test func errorsOfDecodingReleaseTheChunks() async throws {
        let chunks = Chunks("1\n12\n1\n", "1\n")
        var lines = chunks.lines(limit: 1).makeAsyncIterator()
        #expect(try await lines.next() == "1")
        await #expect(throws: TransferError.self) { try await lines.next() }
        #expect(chunks.record.withLock { $0.released } == 1)
        #expect(try await rest(&lines) == [])

        let second = Chunks("data: a\n\n:234567890\n\ndata: b\n\n", "data: c\n\n")
        var events = second.serverSentEvents(limit: 8).makeAsyncIterator()
        #expect(try await events.next()?.data == "a")
        await #expect(throws: TransferError.self) { try await events.next() }
        #expect(second.record.withLock { $0.released } == 1)
        #expect(try await rest(&events) == [])

        let third = Chunks("1\n{\n2\n", "3\n")
        var rows = third.jsonLines(of: Int.self).makeAsyncIterator()
        #expect(try await rows.next() == 1)
        await #expect(throws: DecodingError.self) { try await rows.next() }
        #expect(third.record.withLock { $0.released } == 1)
        #expect(try await rest(&rows) == [])
    }

    @Test func endReleasesTheChunks() async throws {
        let chunks = Chunks("a\nb")
        var lines = chunks.lines.makeAsyncIterator()
        for line in ["a", "b", nil, nil] { #expect(try await lines.next() == line) }
        #expect(chunks.record.withLock { $0.released } == 1)
    }

    @Test func droppedIteratorReleasesTheChunks() async throws {
        let chunks = Chunks("a\nb\n")
        for try await line in chunks.lines {
            #expect(line == "a")
            break
        }
        #expect(chunks.record.withLock { $0.released } == 1)
        #expect(chunks.record.withLock { $0.taken } == 1)
    }

    // MARK: Isolation

    @MainActor @Test func callersActorIsNotLeft() async throws {
        let main = ObjectIdentifier(MainActor.shared)
        let chunks = Chunks("{\"id\":1}\n", "{\"id\":2}\n")
        var models: [Model] = []
        for try await model in chunks.jsonLines(of: Model.self) {
            MainActor.assertIsolated()
            models.append(model)
        }
        #expect(models.map(\.id) == [1, 2])
        for try await _ in chunks.lines { MainActor.assertIsolated() }
        for try await _ in chunks.serverSentEvents { MainActor.assertIsolated() }
        var iterator = chunks.lines.makeAsyncIterator()
        while try await iterator.next() != nil { MainActor.assertIsolated() }
        let isolations = chunks.record.withLock { $0.isolations }
        #expect(isolations == Array(repeating: main, count: 12))
    }

    private actor Reader {
        func read(_ chunks: Chunks) async throws -> Bool {
            for try await _ in chunks.lines {}
            return chunks.record.withLock { $0.isolations.allSatisfy { $0 == ObjectIdentifier(self) } }
        }
    }

    @Test func actorsReadInTheirOwnIsolation() async throws {
        #expect(try await Reader().read(Chunks("a\n", "b\n")))
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func garbageDoesNotTrap(_ seed: UInt64) async {
        var random = SeededRandom(seed: seed)
        let words = [
            "\n", "\r", "{", "}", "[", "\"id\":", "1", "{\"id\":1}\n", "data:", "id:", "retry: 99", "\u{FEFF}", "\\u",
        ]
        for _ in 0..<20 {
            let pieces = Data.random(of: words, count: 60, &random).pieces(&random)
            for limit in [0, 7, 1024] {
                _ = await collect(Chunks(pieces).lines(limit: limit))
                _ = await collect(Chunks(pieces).serverSentEvents(limit: limit))
                _ = await collect(Chunks(pieces).jsonLines(of: Row.self, limit: limit))
            }
        }
    }
}
