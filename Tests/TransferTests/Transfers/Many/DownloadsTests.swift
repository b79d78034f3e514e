import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync

@Suite(.timeLimit(.generous)) struct DownloadsTests {
    struct Failure: Error {}

    /// A dispatcher whose downloads touch no disk.
    final class Bench: DownloadDispatcher {
        typealias Work = @Sendable (_ index: Int, _ reporter: TransferReporter?) async throws -> Void

        let starts = Tally()
        let ends = Tally()
        let most = Locked(0)
        private let running = Locked(0)
        private let work: Work

        init(_ work: @escaping Work = { _, _ in }) {
            self.work = work
        }

        func download(for request: URLRequest, to destination: URL, options: DownloadOptions) -> Transfer<URL> {
            Transfer(.receiving) { [self] reporter in
                let count = running.withLock { running in
                    running += 1
                    return running
                }
                most.withLock { $0 = max($0, count) }
                starts.add()
                defer {
                    running.withLock { $0 -= 1 }
                    ends.add()
                }
                try await work(Int(destination.lastPathComponent) ?? 0, reporter)
                return Response(data: destination, urlRequest: request, head: Fixture.head())
            }
        }
    }

    static func items(_ count: Int) -> [(URLRequest, URL)] {
        (0..<count).map { (Fixture.request, URL(fileURLWithPath: "/nowhere/\($0)")) }
    }

    /// What was read of a list.
    struct Record {
        var saved: [Int] = []
        var failed: [Int] = []
        var progress: [DownloadsProgress] = []
        var end: DownloadsProgress?
        var error: (any Error)?
    }

    static func read(
        _ downloads: Downloads,
        _ each: (DownloadsEvent) async throws -> Void = { _ in }
    ) async -> Record {
        var record = Record()
        var iterator = downloads.makeAsyncIterator()
        do {
            while let event = try await iterator.next() {
                #expect(record.end == nil)
                switch event {
                case .progress(let progress): record.progress.append(progress)
                case .saved(_, let index): record.saved.append(index)
                case .failed(_, let index): record.failed.append(index)
                case .finished(let progress): record.end = progress
                }
                try await each(event)
            }
        } catch {
            record.error = error
        }
        // The end is the end.
        let more = try? await iterator.next()
        #expect(more == nil)
        return record
    }

    // MARK: Files

    @Test func filesAreSaved() async throws {
        let folder = try DownloadFolder()
        let dispatcher = MockURLRequestDispatcher(
            transport: MockTransport { request in
                request.path == "/3" ? MockAnswer(.notFound) : MockAnswer(.ok, body: "file " + request.path)
            }
        )
        let requests = (0..<10).map { URLRequest("GET", Fixture.url("https://example.com/\($0)")) }
        let files = (0..<10).map { folder["sub/\($0)"] }
        let record = await Self.read(dispatcher.downloads(of: zip(requests, files)))
        #expect(record.saved.sorted() == [0, 1, 2, 4, 5, 6, 7, 8, 9])
        #expect(record.failed == [3])
        #expect(record.progress.first == DownloadsProgress(fileCount: 10))
        #expect(record.end?.filesSaved == 9 && record.end?.filesFailed == 1)
        #expect(record.end?.bytesReceived == 63 && record.end?.fractionCompleted == 1)
        #expect(folder.data("sub/7") == Data("file /7".utf8))
        #expect(folder.listing.count == 10)
    }

    @Test(
        "Only files that are already in their place are skipped",
        arguments: [
            (.presence, ["right", "same-size", "empty", "link"]), (.size, ["right", "same-size", "link"]),
            (.digest, ["right", "link"]), (nil, []),
        ] as [(ExistingFileCheck?, [String])]
    )
    func existingFiles(_ row: (check: ExistingFileCheck?, skipped: [String])) async throws {
        let folder = try DownloadFolder()
        for (name, text) in [("right", "12345"), ("same-size", "54321"), ("empty", "")] {
            try folder.write(name, Data(text.utf8))
        }
        try folder.write("unknown/file", Data("12345".utf8))
        try FileManager.default.createSymbolicLink(at: folder["link"], withDestinationURL: folder["right"])
        try FileManager.default.createSymbolicLink(at: folder["dangling"], withDestinationURL: folder["nothing"])
        let transport = MockTransport { _ in MockAnswer(.ok, body: "12345") }
        let dispatcher = MockURLRequestDispatcher(transport: transport)
        var options = DownloadOptions(expectedSize: 5)
        options.digest = .init(expected: FNVDigest.of(Data("12345".utf8)), using: { FNVDigest() })
        let names = ["right", "same-size", "empty", "missing", "dangling", "link"]
        var record = Record()
        // Two names of one file are two destinations only one after the other.
        for list in [names.dropLast(), names.suffix(1)] {
            let items = list.map { DownloadItem(Fixture.request, to: folder[$0]) }
            let next = await Self.read(dispatcher.downloads(of: items, options: options, skipsExisting: row.check))
            #expect(next.error == nil && next.failed.isEmpty)
            #expect(next.end?.filesFinished == list.count && next.end?.fractionCompleted == 1)
            #expect((next.end?.filesSkipped ?? 0) + next.saved.count == list.count)
            let skipped = list.enumerated().filter { !next.saved.contains($0.offset) }.map(\.element)
            #expect(skipped == row.skipped.filter(list.contains))
            record.saved += next.saved
        }
        #expect(transport.requests.count == record.saved.count)
        // A size or a digest that is not known says nothing.
        let unknown = [DownloadItem(Fixture.request, to: folder["unknown/file"], options: DownloadOptions())]
        let last = await Self.read(dispatcher.downloads(of: unknown, skipsExisting: row.check))
        #expect(last.saved.isEmpty == (row.check == .presence))
    }

    @Test func itemsHaveTheirOwnOptions() async throws {
        let folder = try DownloadFolder()
        let dispatcher = MockURLRequestDispatcher(transport: MockTransport { _ in MockAnswer(.ok, body: "12345") })
        let items = [
            DownloadItem(Fixture.request, to: folder["a"], options: DownloadOptions(expectedSize: 5)),
            DownloadItem(Fixture.request, to: folder["b"], options: DownloadOptions(expectedSize: 6)),
            DownloadItem(Fixture.request, to: folder["c"]),
        ]
        let options = DownloadOptions(maximumSize: 4)
        let record = await Self.read(dispatcher.downloads(of: items, options: options))
        #expect(record.saved == [0] && record.failed.sorted() == [1, 2])
        #expect(folder.listing == ["a"])
    }

    @Test(arguments: [1, 3, 50, Int.max, 0, .min]) func atMostSoManyRunAtOnce(limit: Int) async throws {
        let bench = Bench { _, _ in for _ in 0..<5 { await Task.yield() } }
        let record = await Self.read(bench.downloads(of: Self.items(50), maximumInFlight: limit))
        #expect(record.saved.sorted() == Array(0..<50))
        #expect(bench.most.withLock { $0 } <= max(1, min(50, limit)))
    }

    @Test func fourRunAtOnceByDefault() async throws {
        let gate = Gate()
        let bench = Bench { _, _ in try await gate.wait() }
        async let record = Self.read(bench.downloads(of: Self.items(9)))
        await gate.arrival(of: 4)
        for _ in 0..<100 { await Task.yield() }
        #expect(gate.arrivals == 4)
        gate.open()
        #expect(await record.saved.count == 9)
    }

    @Test func anEmptyListEndsAtOnce() async throws {
        let record = await Self.read(Bench().downloads(of: Self.items(0)))
        #expect(record.progress.count == 1 && record.end?.fileCount == 0 && record.end?.fractionCompleted == 1)
    }

    @Test func nothingRunsBeforeTheFirstEvent() async throws {
        let reads = Tally()
        let bench = Bench()
        let items = sequence(first: 0) { $0 < 2 ? $0 + 1 : nil }.map { $0 }
        let lazy = Counted(items: items.map { Self.items($0 + 1)[$0] }, reads: reads)
        let downloads = bench.downloads(of: lazy)
        do {
            let iterator = downloads.makeAsyncIterator()
            withExtendedLifetime(iterator) {}
        }
        #expect(reads.count == 0 && bench.starts.count == 0)
        for count in 1...2 {
            #expect(await Self.read(downloads).saved.count == 3)
            #expect(reads.count == count)
        }
    }

    private struct Counted: Sequence, Sendable {
        let items: [(URLRequest, URL)]
        let reads: Tally

        func makeIterator() -> IndexingIterator<[(URLRequest, URL)]> {
            reads.add()
            return items.makeIterator()
        }
    }

    @Test func equalDestinationsAreRefusedBeforeAnythingIsSent() async throws {
        let bench = Bench()
        let record = await Self.read(bench.downloads(of: Self.items(5) + Self.items(1)))
        #expect((record.error as? TransferError)?.code == .duplicateDestination)
        #expect(record.progress.isEmpty && bench.starts.count == 0)
    }

    // MARK: Progress

    @Test func progressIsTheSumOfAllFiles() async throws {
        let gate = Gate()
        let arrived = Tally()
        let bench = Bench { index, reporter in
            reporter?.willReceive(10)
            reporter?.didReceive(Int64(index))
            arrived.add()
            try await gate.wait()
            reporter?.didReceive(10)
        }
        let clock = ManualClock()
        var plan = DownloadsTests.plan(bench, Self.items(4))
        plan.clock = TransferClock(clock)
        var iterator = Downloads(plan).progress(every: .zero).makeAsyncIterator()
        guard case .progress(let start)? = try await iterator.next() else { throw Failure() }
        #expect(start == DownloadsProgress(fileCount: 4))
        await arrived.reach(4)
        var last = start
        while last.bytesReceived < 6 {
            guard case .progress(let progress)? = try await iterator.next() else { throw Failure() }
            #expect(progress.bytesReceived >= last.bytesReceived)
            last = progress
        }
        // Four parts were added up, in any order.
        #expect(last.bytesToReceive == 40 && last.fractionCompleted.map { abs($0 - 0.15) < 1e-9 } == true)
        gate.open()
        var saved = 0
        while let event = try await iterator.next() {
            if case .saved = event { saved += 1 }
            if case .finished(let progress) = event { #expect(progress.bytesReceived == 40) }
        }
        #expect(saved == 4)
    }

    private static func plan(_ bench: Bench, _ items: [(URLRequest, URL)]) -> Downloads.Plan {
        Downloads.Plan(
            items: { items.map { DownloadItem($0, to: $1) } },
            maximumInFlight: 4,
            stopsAtFirstFailure: false,
            clock: TransferClock(ContinuousClock())
        ) { item, reporter in
            try await bench.download(for: item.request, to: item.destination).response(reporting: reporter)
        }
    }

    @Test func progressKeepsItsDistanceOnTheDispatchersClock() async throws {
        let folder = try DownloadFolder()
        let clock = ManualClock()
        let dispatcher = MockURLRequestDispatcher(
            transport: MockTransport(clock: clock) { _ in
                MockAnswer(.ok, pieces: ["12", .init("34", after: .milliseconds(40)), .init("56", after: .seconds(9))])
            }
        )
        let seen = Tally()
        let downloads = dispatcher.downloads(of: [(Fixture.request, folder["a"])])
        let task = Task {
            await Self.read(downloads) { event in
                if case .progress = event { seen.add() }
            }
        }
        await clock.sleeper(until: .milliseconds(40))
        // The first two bytes wait for the time of the next progress.
        await clock.sleeper(until: .milliseconds(100))
        #expect(seen.count == 1)
        clock.advance(by: .milliseconds(100))
        await seen.reach(2)
        await clock.sleeper(until: .milliseconds(9040))
        clock.advance(by: .seconds(9))
        let record = await task.value
        #expect(record.progress.first?.bytesReceived == 0 && record.end?.bytesReceived == 6)
        #expect(record.saved == [0])
    }

    @Test func aSlowReaderSkipsProgressAndNoResult() async throws {
        let bench = Bench { _, reporter in for count in 1...100 { reporter?.didReceive(Int64(count)) } }
        let count = 2000
        let most = Locked(0)
        let record = await Self.read(bench.downloads(of: Self.items(count)).progress(every: .zero)) { event in
            switch event {
            case .saved, .failed: break
            default: return
            }
            let ahead = bench.ends.count
            most.withLock { $0 = max($0, ahead) }
            if ahead < count { await Task.yield() }
        }
        #expect(record.saved.sorted() == Array(0..<count))
        #expect(record.end?.bytesReceived == Int64(count) * 100)
    }

    @Test func aReaderThatStandsStillFillsNoMemory() async throws {
        let bench = Bench()
        var iterator = bench.downloads(of: Self.items(100_000)).makeAsyncIterator()
        _ = try await iterator.next()
        await bench.ends.reach(DownloadsMachine<Int>.unreadLimit)
        for _ in 0..<1000 { await Task.yield() }
        #expect(bench.starts.count <= DownloadsMachine<Int>.unreadLimit + 4)
        var count = 0
        while let event = try await iterator.next() {
            if case .saved = event {
                count += 1
                #expect(bench.starts.count <= count + DownloadsMachine<Int>.unreadLimit + 4)
            }
            if count == 3000 { break }
        }
    }
}
