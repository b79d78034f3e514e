import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync

// Ends.
extension DownloadsTests {
    @Test func aFailureStopsTheOthersIfItShould() async throws {
        for _ in 0..<rounds(50) {
            let gate = Gate()
            let bench = Bench { index, _ in
                if index == 2 {
                    await gate.arrival(of: 3)
                    throw Failure()
                }
                try await gate.wait()
            }
            let record = await Self.read(bench.downloads(of: Self.items(100), stopsAtFirstFailure: true))
            #expect(record.error is Failure && record.failed == [2] && record.saved.isEmpty)
            #expect(bench.starts.count == 4 && bench.ends.count == 4)
        }
    }

    @Test func cancellingEndsAllFilesAtOnce() async throws {
        for _ in 0..<rounds(50) {
            let gate = Gate()
            let bench = Bench { _, _ in try await gate.wait() }
            let task = Task { await Self.read(bench.downloads(of: Self.items(100), maximumInFlight: 8)) }
            await gate.arrival(of: 8)
            task.cancel()
            let record = await task.value
            #expect(record.error is CancellationError && record.saved.isEmpty && record.failed.isEmpty)
            #expect(bench.starts.count == 8 && bench.ends.count == 8)
        }
    }

    @Test func cancellingBeforeTheStartSendsNothing() async throws {
        let bench = Bench()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await Self.read(bench.downloads(of: Self.items(3)))
        }
        #expect(await task.value.error is CancellationError)
        #expect(bench.starts.count == 0)
    }

    @Test func cancellingWhileWorkersWaitForTheReader() async throws {
        for _ in 0..<20 {
            let bench = Bench()
            let gate = Gate()
            let task = Task {
                await Self.read(bench.downloads(of: Self.items(10_000))) { _ in try await gate.wait() }
            }
            await bench.ends.reach(DownloadsMachine<Int>.unreadLimit)
            task.cancel()
            #expect(await task.value.error is CancellationError)
        }
    }

    @Test func leavingTheLoopCancels() async throws {
        for _ in 0..<rounds(50) {
            let gate = Gate()
            let bench = Bench { index, _ in if index > 0 { try await gate.wait() } }
            for try await event in bench.downloads(of: Self.items(100)) {
                if case .saved = event { break }
            }
            // Cancelled downloads end; the gate never opens.
            await bench.ends.reach(bench.starts.count)
        }
    }

    @Test func aDispatcherThatIsCancelledEndsTheList() async throws {
        let folder = try DownloadFolder()
        for _ in 0..<20 {
            let dispatcher = MockURLRequestDispatcher(
                transport: MockTransport { $0.path == "/0" ? MockAnswer(.ok, body: "a") : .hang }
            )
            let items = (0..<100).map { (URLRequest("GET", Fixture.url("https://example.com/\($0)")), folder["\($0)"]) }
            let task = Task { await Self.read(dispatcher.downloads(of: items)) }
            _ = try await dispatcher.requests(atLeast: 5)
            dispatcher.invalidateAndCancel()
            let record = await task.value
            #expect(record.error is CancellationError && record.saved == [0] && record.failed.isEmpty)
        }
    }

    @Test func aDispatcherThatIsReleasedEndsTheList() async throws {
        let gate = Gate()
        var bench: Bench? = Bench { _, _ in try await gate.wait() }
        let downloads = try #require(bench?.downloads(of: Self.items(2), maximumInFlight: 1))
        let task = Task { await Self.read(downloads) }
        await gate.arrival()
        // The download in progress holds the test's dispatcher, and the list does not.
        bench = nil
        gate.open()
        let record = await task.value
        #expect(record.error.map { TransportError.Code.shutDown ~= $0 } == true)
        #expect(record.saved == [0] && record.failed.isEmpty)
    }

    @Test func randomEndsHaveOneEnd() async throws {
        for seed in 0..<UInt64(rounds(100)) {
            var random = SeededRandom(seed: seed)
            let fails = random.below(30)
            let stops = random.picks(30)
            let bench = Bench { index, reporter in
                reporter?.didReceive(Int64(index))
                for _ in 0..<(index % 7) { await Task.yield() }
                if index % 30 == fails { throw Failure() }
            }
            let count = random.below(200)
            let limit = 1 + random.below(20)
            let task = Task {
                await Self.read(
                    bench.downloads(of: Self.items(count), maximumInFlight: limit, stopsAtFirstFailure: stops)
                        .progress(every: .zero)
                )
            }
            if random.picks(50) {
                for _ in 0..<random.below(300) { await Task.yield() }
                task.cancel()
            }
            let record = await task.value
            #expect((record.end == nil) == (record.error != nil))
            #expect(Set(record.saved + record.failed).count == record.saved.count + record.failed.count)
            if record.end != nil { #expect(record.saved.count + record.failed.count == count) }
            #expect(bench.starts.count == bench.ends.count)
            if record.error != nil, !(record.error is CancellationError) { #expect(stops) }
        }
    }

    @Test func taskLocalsReachTheDownloads() async throws {
        let seen = Locked<Set<Int>>([])
        let bench = Bench { _, _ in seen.withLock { _ = $0.insert(Self.number) } }
        _ = await Self.$number.withValue(7) { await Self.read(bench.downloads(of: Self.items(9))) }
        #expect(seen.withLock { $0 } == [7])
    }

    @TaskLocal private static var number = 0

    @Test func descriptionsShowNoSecrets() {
        let url = Fixture.url("https://u:hunter2@example.com/a?token=hunter2")
        let item = DownloadItem(URLRequest("GET", url, headers: ["Authorization": "hunter2"]), to: Fixture.url)
        let downloads = Bench().downloads(of: [item])
        for text in [
            Fixture.allTexts(of: item), Fixture.allTexts(of: downloads),
            Fixture.allTexts(of: downloads.makeAsyncIterator()),
        ] {
            #expect(!text.contains("hunter2"))
        }
    }
}
