#if os(Linux)
import Testing

@testable import PiuPiuEngine

/// Which names are looked up when, in a time of the tests' own.
struct LookupScheduleTests {
    private typealias Schedule = LookupSchedule<Int, Int>

    private static let millisecond: Int64 = 1_000_000

    private static func name(_ host: String, _ family: AddressFamily = .any) -> Schedule.Name {
        Schedule.Name(host: host, family: family)
    }

    /// Names that take as long as they say, on as many threads as the schedule wants.
    private struct Story {
        var schedule = Schedule()
        var now: Int64 = 0
        var ends: [(name: Schedule.Name, at: Int64)] = []
        var begun: [String] = []
        var told: [Int] = []
        var mostThreads = 0
        /// How long a lookup takes, in milliseconds.
        let time: (String) -> Int64

        init(_ time: @escaping (String) -> Int64) { self.time = time }

        mutating func add(_ waiter: Int, _ host: String, of owner: Int = 0) {
            schedule.add(waiter, for: name(host), of: owner, now: now)
            serve()
        }

        mutating func drop(_ host: String) {
            _ = schedule.remove(from: name(host), now: now) { _ in true }
        }

        /// Lets milliseconds pass until a condition is met.
        mutating func pass(_ milliseconds: Int, until isMet: (Story) -> Bool = { _ in false }) {
            for _ in 0..<milliseconds where !isMet(self) {
                now += millisecond
                let over = ends.filter { $0.at <= now }
                ends.removeAll { $0.at <= now }
                for end in over {
                    told += schedule.end(end.name, now: now)
                    serve()
                }
                serve()
            }
        }

        private mutating func serve() {
            while let next = schedule.next(now: now) {
                begun.append(next.host)
                ends.append((next, now + time(next.host) * millisecond))
                mostThreads = max(mostThreads, schedule.runningCount)
            }
        }
    }

    private static func hanging(_ host: String) -> Int64 { host.hasPrefix("hang") ? 8000 : 20 }

    @Test func allWhoWaitForANameShareItsLookup() {
        var schedule = Schedule()
        for (waiter, host) in [(1, "a"), (2, "b"), (3, "a")] {
            schedule.add(waiter, for: Self.name(host), of: 0, now: 0)
        }
        schedule.add(4, for: Self.name("a", .v4), of: 0, now: 0)
        let begun = (0..<4).map { _ in schedule.next(now: 0) }
        #expect(begun == [Self.name("a"), Self.name("b"), Self.name("a", .v4), nil])
        schedule.add(5, for: Self.name("a"), of: 1, now: 1)
        #expect(schedule.next(now: 1) == nil && schedule.runningCount == 3 && schedule.waitingCount == 0)
        #expect(schedule.end(Self.name("a"), now: 2) == [1, 3, 5] && schedule.end(Self.name("a"), now: 2).isEmpty)
        // A lookup that has begun goes on without anybody, and those who come later wait for it.
        #expect(schedule.remove(from: Self.name("b"), now: 3) { $0 == 2 } == [2])
        schedule.add(6, for: Self.name("b"), of: 0, now: 4)
        #expect(schedule.next(now: 4) == nil && schedule.end(Self.name("b"), now: 5) == [6])
    }

    @Test func aLookupThatNobodyWaitsForIsDropped() {
        var story = Story(Self.hanging)
        for number in 0..<200 { story.add(number, "hang\(number)") }
        story.pass(1)
        for number in 0..<200 { story.drop("hang\(number)") }
        let begun = story.begun.count
        #expect(story.schedule.waitingCount == 0 && story.schedule.dueAt == nil)
        story.pass(9000)
        #expect(story.begun.count == begun && begun < 20 && story.told.isEmpty && story.schedule.runningCount == 0)
    }

    @Test func theOldestIsNextAndTheReserveTakesTheYoungest() {
        var story = Story(Self.hanging)
        for number in 0..<100 { story.add(number, "hang\(number)") }
        story.pass(17)
        #expect(story.begun == (0...16).map { "hang\($0)" } + ["hang99", "hang98", "hang97"])
        story.pass(8000 - 18)
        // After half a second, a part of the reserve is kept for names that come later.
        #expect(story.begun.count < 60)
        story.pass(1)
        #expect(story.begun.suffix(16) == ArraySlice((17...32).map { "hang\($0)" }))
    }

    // The burst comes at once, or over 300 ms; the name that can be found in it, or later.
    @Test(arguments: [0, 300], [1, 100, 450, 600, 2000, 5000])
    func aNameIsFoundBesideThoseThatHang(_ spread: Int, _ delay: Int) {
        var story = Story(Self.hanging)
        var added: [String: Int64] = [:]
        var came = 0
        while story.now < Int64(spread + delay) * Self.millisecond {
            while came < 300, Int64(came * spread / 300) * Self.millisecond <= story.now {
                added["hang\(came)"] = story.now
                story.add(-1, "hang\(came)")
                came += 1
            }
            story.pass(1)
            // Those who asked for it give up after half a second, and ask again.
            for (host, time) in added where story.now - time >= 500 * Self.millisecond {
                story.drop(host)
                story.add(-1, host)
                added[host] = story.now
            }
        }
        for number in 0..<5 {
            let before = story.now
            story.add(number, "quick\(number)")
            story.pass(1000) { $0.told.contains(number) }
            #expect(story.told.contains(number) && story.now - before <= 100 * Self.millisecond, "quick\(number)")
        }
        #expect(story.mostThreads <= 63)
    }

    @Test func ownersTakeTurns() {
        var story = Story(Self.hanging)
        for owner in 0..<4 {
            for number in 0..<75 { story.add(-1, "hang\(owner).\(number)", of: owner) }
            if owner == 0 { story.add(0, "quick", of: 0) }
        }
        story.pass(1000) { $0.told == [0] }
        #expect(story.told == [0] && story.now <= 100 * Self.millisecond)
        for owner in 1...3 {
            story.pass(120)
            let before = story.now
            story.add(owner, "quick\(owner)", of: owner)
            story.pass(1000) { $0.told.last == owner }
            #expect(story.told.last == owner && story.now - before <= 100 * Self.millisecond)
        }
    }

    @Test func thousandsOfNamesUseAllThreads() {
        var story = Story(Self.hanging)
        for number in 0..<3000 { story.add(number, "name\(number)") }
        story.pass(5000) { $0.told.count == 3000 }
        #expect(story.told.sorted() == Array(0..<3000) && story.mostThreads == 63)
        #expect(story.now < 1200 * Self.millisecond)
    }

    @Test func aSlowNameIsDoubtfulForSomeTime() {
        var story = Story(Self.hanging)
        story.add(0, "hang")
        story.pass(8000)
        for number in 0..<50 { story.add(number, "hang\(number)") }
        story.pass(700)
        for number in 0..<50 { story.drop("hang\(number)") }
        // What half of the reserve is used for in order is used up.
        #expect(story.schedule.runningCount >= 16 + 23)
        story.add(1, "hang")
        story.pass(100)
        #expect(story.begun.filter { $0 == "hang" }.count == 1)
        story.add(2, "fresh")
        story.pass(100)
        #expect(story.told.last == 2)
    }

    @Test(arguments: 0..<UInt64(20)) func everyWaiterIsToldOnce(_ seed: UInt64) {
        var random = FuzzRandom(seed: seed)
        var story = Story { $0.hasPrefix("hang") ? 3000 : Int64($0.utf8.last ?? 0) }
        var waiting: [Int: String] = [:]
        for waiter in 0..<1500 {
            let host =
                (Int.random(in: 0..<3, using: &random) == 0 ? "hang" : "name")
                + "\(Int.random(in: 0..<300, using: &random))"
            story.add(waiter, host, of: waiter % 5)
            waiting[waiter] = host
            let gone = Int.random(in: 0...2 * waiter, using: &random)
            if let host = waiting[gone] {
                let removed = story.schedule.remove(from: Self.name(host), now: story.now) { $0 == gone }
                #expect(removed == (story.told.contains(gone) ? [] : [gone]))
                waiting[gone] = nil
            }
            if Int.random(in: 0..<4, using: &random) == 0 { story.pass(Int.random(in: 0..<30, using: &random)) }
        }
        story.pass(60_000) { $0.schedule.runningCount + $0.schedule.waitingCount == 0 }
        #expect(Set(story.told).isSuperset(of: waiting.keys) && Set(story.told).count == story.told.count)
        #expect(story.mostThreads <= 63 && story.schedule.waitingCount == 0 && story.schedule.dueAt == nil)
    }
}
#endif
