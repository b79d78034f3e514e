import Foundation
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

@Suite(.timeLimit(.generous)) struct FolderStorageTests {
    private let folder: DownloadFolder

    init() throws {
        folder = try DownloadFolder()
    }

    private var place: URL { folder["cache"] }

    private func storage(limit: Int64 = 1 << 30) -> FolderStorage { FolderStorage(folder: place, limit: limit) }

    private func key(_ path: String, user: String = "") throws -> CacheKey {
        var request = URLRequest(url: Fixture.url("https://example.com/\(path)"))
        if !user.isEmpty { request.setValue(user, forHTTPHeaderField: "Authorization") }
        return CacheKey(TransportRequest(request), try RequestTarget(try #require(request.url)), identity: nil)
    }

    private func head(_ mark: String = "") -> StoredHead {
        StoredHead(
            statusCode: 200,
            httpVersion: "HTTP/1.1",
            headers: ["Cache-Control": "max-age=60", "Mark": mark],
            requestTime: 1,
            responseTime: 2
        )
    }

    private func store(_ storage: FolderStorage, _ key: CacheKey, _ body: Data, mark: String = "") async -> Bool {
        guard let writer = await storage.begin(head(mark), for: key, length: nil) else { return false }
        for start in stride(from: 0, to: body.count, by: 100_000) {
            guard await writer.write(Data(body[start..<min(body.count, start + 100_000)])) else { return false }
        }
        return await writer.commit()
    }

    private func body(_ storage: FolderStorage, _ key: CacheKey) async throws -> Data? {
        switch await storage.response(for: key)?.body {
        case .data(let data)?: data
        case .stream(let stream)?: try await stream.collect(upTo: .max)
        case nil: nil
        }
    }

    private var entries: [String] { folder.listing.filter { $0.contains("-") && !$0.contains("salt") } }

    // MARK: Entries

    @Test func whatIsStoredIsReadByAnother() async throws {
        let sizes = [0, 1, 31, 4096, 1 << 20, (1 << 20) + 1, 3_000_000]
        var random = SeededRandom(seed: 2)
        for size in sizes {
            let data = Data((0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) })
            #expect(await store(storage(), try key("\(size)"), data, mark: "\(size)"))
            let other = storage()
            #expect(try await body(other, key("\(size)")) == data)
            #expect(await other.response(for: try key("\(size)"))?.head.headers["Mark"] == "\(size)")
            await other.update(head("new"), for: try key("\(size)"))
            #expect(try await body(storage(), key("\(size)")) == data)
            #expect(await storage().response(for: try key("\(size)"))?.head.headers["Mark"] == "new")
        }
        #expect(entries.count == sizes.count)
        await storage().remove(try key("31"))
        #expect(try await body(storage(), key("31")) == nil)
        await storage().removeAll()
        #expect(entries.isEmpty)
    }

    @Test func allOfAResourceIsRemovedTogether() async throws {
        for user in ["a", "b", "c"] { #expect(await store(storage(), try key("x", user: user), Data([1]))) }
        #expect(await store(storage(), try key("y"), Data([2])))
        await storage().removeAll(of: try key("x").resource)
        for user in ["a", "b", "c"] { #expect(try await body(storage(), key("x", user: user)) == nil) }
        #expect(try await body(storage(), key("y")) == Data([2]))
    }

    @Test func filesTellNothingAndAreForTheirOwnerAlone() async throws {
        #expect(await store(storage(), try key("s3cret", user: "t0ken"), Data("body".utf8)))
        for path in folder.listing where path.hasPrefix("cache") {
            #expect(!path.contains("s3cret") && !path.contains("t0ken"))
            let attributes = try FileManager.default.attributesOfItem(atPath: folder[path].path)
            let mode = try #require(attributes[.posixPermissions] as? Int)
            #expect(mode & 0o077 == 0, "\(path) has the mode \(String(mode, radix: 8))")
            if let data = folder.data(path) {
                #expect(data.range(of: Data("s3cret".utf8)) == nil && data.range(of: Data("t0ken".utf8)) == nil)
            }
        }
    }

    // MARK: Damage

    /// What a crash at any moment of the writing, or a disk, can leave is a miss, and the next response is stored in its place.
    @Test func aDamagedEntryIsAMissAndIsRemoved() async throws {
        let key = try key("x")
        let body = Data("the body of the entry".utf8)
        #expect(await store(storage(), key, body))
        let name = try #require(entries.first)
        let whole = try #require(folder.data(name))
        func expectMiss(_ damaged: Data, _ what: String) async throws {
            try damaged.write(to: folder[name])
            #expect(try await self.body(storage(), key) == nil, "\(what)")
            #expect(entries.isEmpty, "\(what)")
        }
        let step = isThorough ? 1 : 7
        for length in stride(from: 0, to: whole.count, by: step) {
            try await expectMiss(whole.prefix(length), "\(length) bytes")
        }
        for position in stride(from: 0, to: whole.count, by: step) {
            var damaged = whole
            damaged[position] ^= 1 << UInt8(position % 8)
            try await expectMiss(damaged, "byte \(position)")
        }
        try await expectMiss(whole + [0], "one byte more")
        try await expectMiss(Data(count: whole.count), "zeros")
        // The entry of another key, under this name.
        #expect(await store(storage(), try self.key("y"), body))
        let otherName = try #require(entries.first)
        let other = try #require(folder.data(otherName))
        await storage().removeAll()
        try await expectMiss(other, "another entry")
        #expect(await store(storage(), key, body))
        #expect(try await self.body(storage(), key) == body)
    }

    /// A process that is killed leaves a part under another name, which is no entry.
    @Test func aPartIsNoEntry() async throws {
        let key = try key("x")
        #expect(await store(storage(), key, Data("old".utf8)))
        for length in [0, 10, 100] {
            try folder.write("cache/new/killed\(length)", Data(count: length))
        }
        let writer = try #require(await storage().begin(head(), for: key, length: nil))
        #expect(await writer.write(Data("new".utf8)))
        #expect(try await body(storage(), key) == Data("old".utf8))
        // What nobody writes any more is removed, and the other becomes an entry.
        await storage().clean()
        #expect(folder.listing.filter { $0.hasPrefix("cache/new/") }.count == 1)
        #expect(await writer.commit())
        #expect(try await body(storage(), key) == Data("new".utf8))
    }

    @Test func aPartThatIsDroppedIsRemoved() async throws {
        let key = try key("x")
        do {
            let writer = try #require(await storage().begin(head(), for: key, length: nil))
            #expect(await writer.write(Data(count: 1000)))
            #expect(folder.listing.contains { $0.hasPrefix("cache/new/") })
        }
        #expect(!folder.listing.contains { $0.hasPrefix("cache/new/") })
        #expect(entries.isEmpty)
    }

    @Test func aFolderThatCannotBeUsedIsAlwaysAMiss() async throws {
        try folder.write("cache", Data())
        let key = try key("x")
        #expect(await !store(storage(), key, Data([1])))
        #expect(try await body(storage(), key) == nil)
        await storage().removeAll()
        await storage().removeAll(of: key.resource)
    }

    @Test func aFolderThatIsRemovedIsMadeAgain() async throws {
        let storage = storage()
        #expect(await store(storage, try key("x"), Data([1])))
        try FileManager.default.removeItem(at: place)
        #expect(try await body(storage, key("x")) == nil)
        #expect(await store(storage, try key("x"), Data([2])))
        #expect(try await body(storage, key("x")) == Data([2]))
    }

    @Test func aBodyStaysReadableWhenItsEntryIsRemoved() async throws {
        let data = Data(repeating: 7, count: 2_000_000)
        let key = try key("x")
        #expect(await store(storage(), key, data))
        guard case .stream(let stream)? = await storage().response(for: key)?.body else {
            Issue.record("no stream")
            return
        }
        await storage().removeAll()
        #expect(try await stream.collect(upTo: .max) == data)
    }

    // MARK: Several at once

    @Test func twoStoragesOfOneFolderServeNothingWrong() async throws {
        let storages = [storage(limit: 200_000), storage(limit: 200_000)]
        try await withThrowingTaskGroup(of: Int.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    var random = SeededRandom(seed: UInt64(worker))
                    var hits = 0
                    for round in 0..<rounds(3_000) {
                        let storage = storages[worker % 2]
                        let path = "\(random.below(20))"
                        let key = try self.key(path)
                        switch random.below(20) {
                        case 0..<8:
                            let mark = "\(path) \(worker) \(round)"
                            let body = Data(String(repeating: mark + "\n", count: 1 + random.below(200)).utf8)
                            _ = await self.store(storage, key, body, mark: mark)
                        case 8: await storage.remove(key)
                        case 9: await storage.removeAll(of: key.resource)
                        case 10 where round % 50 == 0: await storage.clean()
                        default:
                            guard let response = await storage.response(for: key) else { continue }
                            guard case .data(let data) = response.body else { continue }
                            hits += 1
                            let mark = response.head.headers["Mark"] ?? ""
                            #expect(mark.hasPrefix(path + " "))
                            let lines = Set(String(decoding: data, as: UTF8.self).split(separator: "\n"))
                            #expect(lines == [Substring(mark)])
                        }
                    }
                    return hits
                }
            }
            var hits = 0
            for try await count in group { hits += count }
            #expect(hits > 0)
        }
    }

    /// The first one makes the salt.
    @Test func whatIsWrittenFirstWhileOthersCleanIsStored() async throws {
        let (folder, key) = (folder, try key("x"))
        let missed = await withTaskGroup(of: Int.self) { group in
            for number in 0..<4 {
                group.addTask {
                    let url = folder["first-\(number)"]
                    let cleaning = FolderStorage(folder: url, limit: 1_000_000)
                    let cleaner = Task { while !Task.isCancelled { await cleaning.clean() } }
                    var missed = 0
                    for _ in 0..<rounds(300) {
                        try? FileManager.default.removeItem(at: url.appending(path: "salt"))
                        let storage = FolderStorage(folder: url, limit: 1_000_000)
                        if await !self.store(storage, key, Data([1])) { missed += 1 }
                    }
                    cleaner.cancel()
                    await cleaner.value
                    return missed
                }
            }
            return await group.reduce(0, +)
        }
        #expect(missed == 0)
    }

    @Test func whatIsWrittenWhileOthersCleanIsStored() async throws {
        let (writing, cleaning) = (storage(), storage())
        let key = try key("x")
        let missed = await withTaskGroup(of: Int.self) { group in
            group.addTask {
                while !Task.isCancelled { await cleaning.clean() }
                return 0
            }
            group.addTask {
                var missed = 0
                for _ in 0..<rounds(2_000) where await !self.store(writing, key, Data([1])) { missed += 1 }
                return missed
            }
            var sum = 0
            while let count = await group.next() {
                sum += count
                group.cancelAll()
            }
            return sum
        }
        #expect(missed == 0)
    }

    // MARK: The limit

    @Test func theOldestEntriesAreRemoved() async throws {
        let storage = storage(limit: 400_000)
        for number in 0..<30 {
            #expect(await store(storage, try key("\(number)"), Data(count: 30_000)))
            // The first one is used again and again.
            if number == 0 || number % 5 == 4 { _ = await storage.response(for: try key("0")) }
        }
        await storage.clean()
        let sizes = try entries.map { try #require(folder.data($0)).count }
        #expect(sizes.reduce(0, +) <= 400_000)
        #expect(sizes.count >= 9)
        #expect(await storage.response(for: try key("29")) != nil)
        #expect(await storage.response(for: try key("0")) != nil)
        #expect(await storage.response(for: try key("1")) == nil)
        #expect(await !store(storage, try key("large"), Data(count: 50_001)))
    }

    @Test func theLedgerSaysWhenToCount() {
        var ledger = FolderLedger(limit: 100_000)
        var counts = [ledger.needsCount(after: 1)]
        ledger.wasCounted(90_000)
        counts += [ledger.needsCount(after: 4096), ledger.needsCount(after: 8000)]
        ledger.wasCounted(10_000)
        counts += [ledger.needsCount(after: 20_000), ledger.needsCount(after: 5_000)]
        #expect(counts == [true, false, true, false, true])
    }

    @Test func thePlanRemovesWhatWasNotUsedForLongest() {
        let files = (0..<10).map {
            FolderLedger.File(folder: 0, name: "\($0)", size: 4000, lastUse: Int64($0 * 37 % 10))
        }
        let part = FolderLedger.File(folder: 9, name: "new", size: 1, lastUse: -1)
        let plan = FolderLedger.plan(files + [part], limit: 32_768, temporaries: 9)
        #expect(plan.removed.map(\.lastUse) == [0, 1, 2, 3])
        #expect(plan.remaining == 7 * 4096)
        #expect(FolderLedger.plan(files, limit: 40_960, temporaries: 9).removed.isEmpty)
    }
}
