import PiuPiuAsync
import Testing

@testable import PiuPiuSockets

/// Who shares a connection, who opens one, and who waits: the rows of the table in its documentation, and their sequels.
struct SharedConnectionsTests {
    private final class Connection: SharedConnection, CustomStringConvertible {
        let description: String
        var room: Int

        init(_ description: String, room: Int) {
            self.description = description
            self.room = room
        }
    }

    private struct Bench {
        var shared = SharedConnections<String, Connection, Int>()
        var runs: [String] = []

        /// The answer as text; what runs takes room.
        mutating func place(_ waiter: Int, _ key: String = "k", isReturned: Bool = false) -> String {
            switch shared.place(waiter, key, isReturned: isReturned) {
            case .run(let connection):
                connection.room -= 1
                return "run on \(connection)"
            case .open: return "open"
            case .wait: return "wait"
            }
        }

        mutating func next(_ key: String = "k") -> String? {
            switch shared.next(key) {
            case .run(let waiter, let connection):
                connection.room -= 1
                return "\(waiter) runs on \(connection)"
            case .open(let waiter): return "\(waiter) opens"
            case nil: return nil
            }
        }
    }

    @Test func anUnknownServerGetsAConnectionForEach() {
        var bench = Bench()
        #expect(bench.place(1) == "open" && bench.place(2) == "open")
        #expect(bench.shared.isEmpty && !bench.shared.isKnown("k") && bench.next() == nil)
    }

    @Test func aConnectionIsSharedWhileItHasRoom() {
        var bench = Bench()
        let a = Connection("a", room: 1)
        bench.shared.add(a, "k", by: 1)
        #expect(bench.place(2) == "run on a")
        #expect(bench.place(3) == "open")
        #expect(bench.place(4) == "wait" && bench.place(5) == "wait")
        #expect(bench.shared.opener("k") == 3 && bench.shared.waitingCount("k") == 2)
        #expect(bench.next() == nil)
        a.room = 1
        #expect(bench.next() == "4 runs on a" && bench.next() == nil)
        let b = Connection("b", room: 3)
        bench.shared.add(b, "k", by: 3)
        #expect(bench.next() == "5 runs on b" && bench.next() == nil)
        #expect(bench.place(6) == "run on b")
    }

    @Test func theOldestConnectionIsFilledFirst() {
        var bench = Bench()
        let (a, b) = (Connection("a", room: 0), Connection("b", room: 5))
        bench.shared.add(a, "k", by: 1)
        bench.shared.add(b, "k", by: 2)
        #expect(bench.place(3) == "run on b")
        a.room = 1
        #expect(bench.place(4) == "run on a")
        bench.shared.remove(b, "k")
        #expect(bench.place(5) == "open")
    }

    @Test func nobodyOvertakesThoseWhoWait() {
        var bench = Bench()
        let a = Connection("a", room: 0)
        bench.shared.add(a, "k", by: 1)
        #expect(bench.place(2) == "open" && bench.place(3) == "wait")
        a.room = 1
        #expect(bench.place(4) == "wait")
        #expect(bench.next() == "3 runs on a")
    }

    @Test func whoWasSentInVainGoesFirst() {
        var bench = Bench()
        let a = Connection("a", room: 0)
        bench.shared.add(a, "k", by: 1)
        #expect(bench.place(2) == "open" && bench.place(3) == "wait")
        #expect(bench.place(4, isReturned: true) == "wait" && bench.place(5, isReturned: true) == "wait")
        a.room = 3
        #expect(bench.next() == "4 runs on a" && bench.next() == "5 runs on a" && bench.next() == "3 runs on a")
    }

    @Test func anotherOpensWhenTheOpenerGivesUp() {
        var bench = Bench()
        let a = Connection("a", room: 0)
        bench.shared.add(a, "k", by: 1)
        #expect(bench.place(2) == "open" && bench.place(3) == "wait" && bench.place(4) == "wait")
        bench.shared.end(opener: 9, "k")
        #expect(bench.next() == nil)
        bench.shared.cancel(3, "k")
        bench.shared.end(opener: 2, "k")
        #expect(bench.next() == "4 opens" && bench.shared.opener("k") == 4 && bench.next() == nil)
    }

    @Test func aServerThatNoLongerSharesIsForgotten() {
        var bench = Bench()
        let a = Connection("a", room: 0)
        bench.shared.add(a, "k", by: 1)
        #expect(bench.place(2) == "open" && bench.place(3) == "wait" && bench.place(4) == "wait")
        #expect(bench.shared.forget("k").isEmpty, "It has a shared connection")
        bench.shared.remove(a, "k")
        #expect(bench.place(5, isReturned: true) == "wait")
        #expect(bench.shared.forget("k") == [5, 3, 4])
        #expect(!bench.shared.isKnown("k") && bench.place(6) == "open")
    }

    @Test func keysHaveNothingInCommon() {
        var bench = Bench()
        bench.shared.add(Connection("a", room: 9), "k", by: 1)
        #expect(bench.place(2, "other") == "open" && bench.place(3, "other") == "open" && bench.next("other") == nil)
    }

    // Keys are not looked up while nobody opens or waits: the totals must not miss anybody, whatever happens to other keys.
    @Test func whoOpensOrWaitsIsFoundBesideOtherKeys() {
        var bench = Bench()
        let (a, b) = (Connection("a", room: 0), Connection("b", room: 0))
        bench.shared.add(a, "a", by: 0)
        bench.shared.add(b, "b", by: 0)
        #expect(bench.place(1, "a") == "open" && bench.place(2, "a") == "wait" && bench.place(3, "b") == "open")
        // Twice is once, and who does not wait is not there to be cancelled.
        #expect(bench.place(4, "b") == "wait" && bench.place(4, "b") == "wait")
        bench.shared.wait(4, "b")
        bench.shared.cancel(4, "b")
        bench.shared.cancel(4, "b")
        bench.shared.cancel(9, "b")
        bench.shared.end(opener: 3, "b")
        bench.shared.end(opener: 3, "b")
        bench.shared.remove(b, "b")
        #expect(bench.shared.forget("b").isEmpty)
        #expect(bench.shared.opener("a") == 1 && bench.shared.waitingCount("a") == 1)
        bench.shared.end(opener: 1, "a")
        #expect(bench.next("a") == "2 opens" && bench.shared.opener("a") == 2 && bench.next("a") == nil)
        // The opener of a key that is forgotten is none.
        bench.shared.remove(a, "a")
        #expect(bench.shared.forget("a").isEmpty && bench.shared.opener("a") == nil && bench.shared.isEmpty)
    }

    @Test func idleKeysAreForgottenWhenTheyAreMany() {
        var bench = Bench()
        let busy = Connection("busy", room: 0)
        bench.shared.add(busy, "busy", by: 0)
        for number in 0..<5_000 {
            let connection = Connection("c", room: 1)
            bench.shared.add(connection, "\(number)", by: 1)
            bench.shared.remove(connection, "\(number)")
        }
        #expect(bench.shared.isKnown("busy") && bench.shared.isKnown("4999") && !bench.shared.isKnown("0"))
    }
}
