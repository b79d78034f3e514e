#if os(Linux)
import Testing

@testable import PiuPiuEngine

/// Which address is tried when, and which connection is used.
struct ConnectionRaceTests {
    private static let refused = OpenFailure(code: 111, what: "connect")

    private static func addresses(_ count: Int) -> [SocketAddress] {
        (0..<count).map { SocketAddress(.v4(UInt32($0 + 1), port: 80)) }
    }

    private func race(_ count: Int = 3, delay: Int64 = 10) -> ConnectionRace {
        ConnectionRace(addresses: Self.addresses(count), delay: delay)
    }

    /// A race that was started at 0, and whose timer was due at each time.
    private func started(_ count: Int = 3, timers: [Int64] = []) -> ConnectionRace {
        var race = race(count)
        _ = race.start(now: 0)
        for time in timers { _ = race.timer(now: time) }
        return race
    }

    // MARK: The table

    @Test func startOpensTheFirst() {
        var race = race()
        #expect(race.start(now: 5) == [.open(0, race.addresses[0]), .wake(at: 15)])
        #expect(race.start(now: 6).isEmpty && !race.isOver)
        var single = self.race(1)
        #expect(single.start(now: 5) == [.open(0, single.addresses[0])])
    }

    @Test func startWithoutAddressesLoses() {
        var race = race(0)
        #expect(race.start(now: 5) == [.lost(.noAddress)])
        #expect(race.isOver)
    }

    @Test func cancelBeforeTheStart() {
        var race = race()
        #expect(race.cancel().isEmpty && race.isOver)
        #expect(race.start(now: 5).isEmpty)
    }

    @Test func theFirstConnectedWins() {
        var race = started(timers: [10, 20])
        #expect(race.connected(1) == [.close(0), .close(2), .won(1)])
        #expect(race.isOver)
    }

    @Test func aFailureOpensTheNextAtOnce() {
        var race = started()
        #expect(race.failed(0, Self.refused, now: 3) == [.open(1, race.addresses[1]), .wake(at: 13)])
        #expect(race.failed(1, Self.refused, now: 4) == [.open(2, race.addresses[2])])
    }

    @Test func aFailureWithOthersOpenWaits() {
        var race = started(2, timers: [10])
        #expect(race.failed(0, Self.refused, now: 12).isEmpty && !race.isOver)
    }

    @Test func theLastFailureLoses() {
        var race = started(2, timers: [10])
        _ = race.failed(1, Self.refused, now: 12)
        #expect(race.failed(0, Self.refused, now: 13) == [.lost(Self.refused)])
        #expect(race.isOver)
    }

    @Test func theTimerOpensTheNext() {
        var race = started()
        #expect(race.timer(now: 11) == [.open(1, race.addresses[1]), .wake(at: 21)])
        #expect(race.timer(now: 21) == [.open(2, race.addresses[2])])
    }

    @Test func aTimerTooEarlyIsSetAgain() {
        var race = started()
        _ = race.failed(0, Self.refused, now: 3)
        #expect(race.timer(now: 10) == [.wake(at: 13)])
    }

    @Test func aTimerWithNothingToTryDoesNothing() {
        var race = started(1)
        #expect(race.timer(now: 100).isEmpty && !race.isOver)
    }

    @Test func cancelClosesAll() {
        var race = started(timers: [10])
        #expect(race.cancel() == [.close(0), .close(1)])
        #expect(race.isOver)
    }

    @Test func whatIsNotOpenIsIgnored() {
        var race = race()
        #expect(race.connected(0).isEmpty && race.failed(0, Self.refused, now: 0).isEmpty)
        _ = race.start(now: 0)
        for attempt in [-1, 1, 2, 3] {
            #expect(race.connected(attempt).isEmpty && race.failed(attempt, Self.refused, now: 0).isEmpty)
        }
        _ = race.failed(0, Self.refused, now: 1)
        #expect(race.connected(0).isEmpty && race.failed(0, Self.refused, now: 2).isEmpty && !race.isOver)
    }

    @Test func afterTheEndNothingHappens() {
        var race = started()
        _ = race.connected(0)
        #expect(race.start(now: 1).isEmpty && race.connected(0).isEmpty && race.timer(now: 100).isEmpty)
        #expect(race.failed(0, Self.refused, now: 1).isEmpty && race.cancel().isEmpty)
    }

    @Test func withoutDelayAllAreOpenedAtOnce() {
        var race = race(3, delay: 0)
        #expect(race.start(now: 0) == (0..<3).map { .open($0, race.addresses[$0]) })
    }

    @Test func anEndlessDelayDoesNotOverflow() {
        var race = race(2, delay: .max)
        #expect(race.start(now: 5) == [.open(0, race.addresses[0]), .wake(at: .max)])
    }

    @Test(arguments: [Int64(0), 10]) func attemptsAreBounded(delay: Int64) {
        var race = race(40, delay: delay)
        var open = Set<Int>()
        var tried = 0
        func note(_ actions: [ConnectionRace.Action]) {
            for case .open(let attempt, _) in actions {
                open.insert(attempt)
                tried += 1
            }
        }
        note(race.start(now: 0))
        for step in 1..<60 { note(race.timer(now: Int64(step) * 10)) }
        #expect(open.count == ConnectionRace.maximumOpen && tried == ConnectionRace.maximumOpen)
        var lost = false
        while let attempt = open.min() {
            open.remove(attempt)
            let actions = race.failed(attempt, Self.refused, now: 1000)
            note(actions)
            lost = lost || actions == [.lost(Self.refused)]
            #expect(open.count <= ConnectionRace.maximumOpen)
        }
        #expect(tried == 40 && lost)
    }

    // MARK: Order and reasons

    @Test func bothVersionsTakeTurns() throws {
        let texts = ["::1", "::2", "::3", "1.1.1.1", "2.2.2.2", "::4"]
        func order(_ texts: [String]) -> [String] {
            let addresses = texts.compactMap { SocketAddress(literal: $0, port: 1) }
            return ConnectionRace(addresses: addresses, delay: 1).addresses.map(\.hostText)
        }
        #expect(order(texts) == ["::1", "1.1.1.1", "::2", "2.2.2.2", "::3", "::4"])
        #expect(order(["1.1.1.1", "2.2.2.2", "::1"]) == ["1.1.1.1", "::1", "2.2.2.2"])
        #expect(order(["::1"]) == ["::1"] && order([]).isEmpty)
    }

    @Test func theFailureThatSaysMostIsReported() {
        let rows: [(OpenFailure, OpenFailure)] = [
            (OpenFailure(code: 101, what: "a"), Self.refused),
            (Self.refused, OpenFailure(.forbidden("because"), what: "b")),
            (OpenFailure(.forbidden("because"), what: "b"), OpenFailure(code: 24, what: "c")),
            (OpenFailure(code: 24, what: "c"), OpenFailure(.cannotApply("it"), code: 1, what: "d")),
        ]
        for (less, more) in rows {
            for pair in [[less, more], [more, less]] {
                var race = started(2)
                _ = race.failed(0, pair[0], now: 1)
                #expect(race.failed(1, pair[1], now: 2) == [.lost(more)])
            }
        }
        // Of equal ones the last.
        var race = started(2)
        _ = race.failed(0, OpenFailure(code: 111, what: "first"), now: 1)
        #expect(
            race.failed(1, OpenFailure(code: 110, what: "second"), now: 2)
                == [.lost(OpenFailure(code: 110, what: "second"))]
        )
    }

    @Test func anotherAddressWinsOverARefusal() {
        var race = started(2)
        _ = race.failed(0, OpenFailure(.forbidden("because"), what: "a"), now: 0)
        #expect(race.connected(1) == [.won(1)])
    }
}
#endif
