import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuExchange

/// A gate whose waiters have names.
private struct Gate<Waiter: Hashable> {
    private final class Token {}

    var gate: ConnectionGate
    private var tokens: [Waiter: Token] = [:]
    private var waiters: [ObjectIdentifier: Waiter] = [:]

    init(perHost: Int, total: Int, streamsPerHost: Int = 64) {
        gate = ConnectionGate(ConnectionLimits(perHost: perHost, total: total, streamsPerHost: streamsPerHost))
    }

    static var streamsPerConnection: Int { ConnectionGate.streamsPerConnection }
    static var rememberedOrigins: Int { ConnectionGate.rememberedOrigins }

    var waitingCount: Int { gate.waitingCount }

    mutating func request(_ waiter: Waiter, origin: String, isExclusive: Bool = false) -> Bool {
        gate.request(id(of: waiter), origin: origin, isExclusive: isExclusive)
    }

    mutating func release(origin: String, isMultiplexed: Bool? = nil, isExclusive: Bool = false) -> [Waiter] {
        gate.release(origin: origin, isMultiplexed: isMultiplexed, isExclusive: isExclusive).compactMap { waiters[$0] }
    }

    mutating func opened(origin: String, isMultiplexed: Bool) -> [Waiter] {
        gate.opened(origin: origin, isMultiplexed: isMultiplexed).compactMap { waiters[$0] }
    }

    mutating func closed(origin: String) { gate.closed(origin: origin) }

    mutating func cancel(_ waiter: Waiter, origin: String) { gate.cancel(id(of: waiter), origin: origin) }

    private mutating func id(of waiter: Waiter) -> ObjectIdentifier {
        let token = tokens[waiter] ?? Token()
        tokens[waiter] = token
        waiters[ObjectIdentifier(token)] = waiter
        return ObjectIdentifier(token)
    }
}

struct ConnectionGateTests {
    @Test func requestsWithinTheLimitsGoOnAtOnce() {
        var gate = Gate<Int>(perHost: 2, total: 3)
        #expect(gate.request(1, origin: "a") == true)
        #expect(gate.request(2, origin: "a") == true)
        #expect(gate.request(3, origin: "a") == false)
        #expect(gate.request(4, origin: "b") == true)
        #expect(gate.request(5, origin: "c") == false)
        #expect(gate.waitingCount == 2)
    }

    @Test func waitersOfAnOriginAreServedInOrder() {
        var gate = Gate<Int>(perHost: 1, total: 10)
        #expect(gate.request(0, origin: "a") == true)
        for waiter in 1...5 { #expect(gate.request(waiter, origin: "a") == false) }
        for waiter in 1...5 { #expect(gate.release(origin: "a") == [waiter]) }
        #expect(gate.release(origin: "a") == [])
        #expect(gate.waitingCount == 0)
    }

    @Test func aNewcomerDoesNotOvertake() {
        var gate = Gate<Int>(perHost: 1, total: 1)
        #expect(gate.request(0, origin: "a") == true)
        #expect(gate.request(1, origin: "b") == false)
        #expect(gate.request(2, origin: "a") == false)
        #expect(gate.release(origin: "a") == [1])
        #expect(gate.request(3, origin: "b") == false)
        #expect(gate.release(origin: "b") == [2])
        #expect(gate.release(origin: "a") == [3])
    }

    @Test func originsTakeTurns() {
        var gate = Gate<String>(perHost: 4, total: 1)
        #expect(gate.request("a0", origin: "a") == true)
        for waiter in ["a1", "a2", "a3"] { #expect(gate.request(waiter, origin: "a") == false) }
        for waiter in ["b1", "b2"] { #expect(gate.request(waiter, origin: "b") == false) }
        #expect(gate.request("c1", origin: "c") == false)
        var order: [String] = []
        var current = "a0"
        while let next = gate.release(origin: String(current.prefix(1))).first {
            order.append(next)
            current = next
        }
        #expect(order == ["a1", "b1", "c1", "a2", "b2", "a3"])
    }

    @Test func aBlockedOriginDoesNotBlockOthers() {
        var gate = Gate<Int>(perHost: 1, total: 2)
        #expect(gate.request(0, origin: "a") == true)
        #expect(gate.request(1, origin: "b") == true)
        #expect(gate.request(2, origin: "a") == false)
        #expect(gate.request(3, origin: "c") == false)
        #expect(gate.release(origin: "b") == [3])
        #expect(gate.release(origin: "a") == [2])
    }

    @Test func anotherOpensWhereTheOpenerFailed() {
        var gate = Gate<Int>(perHost: 3, total: 3)
        #expect(gate.request(0, origin: "a") == true)
        #expect(gate.opened(origin: "a", isMultiplexed: true) == [])
        for waiter in 1..<100 { #expect(gate.request(waiter, origin: "a") == true) }
        // It has to open a second connection, and the next waits for it.
        #expect(gate.request(100, origin: "a") == true)
        #expect(gate.request(101, origin: "a") == false)
        #expect(gate.release(origin: "a") == [101])
        #expect(gate.request(102, origin: "a") == false)
        // One of the others ends instead, whose place the opener takes.
        #expect(gate.release(origin: "a") == [102])
    }

    @Test func whoeverGivesUpIsForgotten() {
        var gate = Gate<Int>(perHost: 1, total: 1)
        #expect(gate.request(0, origin: "a") == true)
        for waiter in 1...3 { #expect(gate.request(waiter, origin: "a") == false) }
        #expect(gate.request(4, origin: "b") == false)
        gate.cancel(1, origin: "a")
        gate.cancel(1, origin: "a")
        gate.cancel(3, origin: "a")
        gate.cancel(4, origin: "b")
        gate.cancel(9, origin: "unknown")
        #expect(gate.waitingCount == 1)
        #expect(gate.release(origin: "a") == [2])
        #expect(gate.release(origin: "a") == [])
    }

    @Test func cancellingWhoDoesNotWaitGivesNoConnectionBack() {
        var gate = Gate<Int>(perHost: 1, total: 1)
        #expect(gate.request(0, origin: "a") == true)
        gate.cancel(0, origin: "a")
        #expect(gate.request(1, origin: "a") == false)
    }

    @Test func releasingWhatNobodyHoldsDoesNothing() {
        var gate = Gate<Int>(perHost: 1, total: 1)
        #expect(gate.release(origin: "a") == [])
        #expect(gate.request(0, origin: "a") == true)
        #expect(gate.request(1, origin: "b") == false)
        #expect(gate.release(origin: "b") == [])
        #expect(gate.release(origin: "a") == [1])
    }

    @Test func limitsBelowOneCountAsOne() {
        var gate = Gate<Int>(perHost: 0, total: -3)
        #expect(gate.request(0, origin: "a") == true)
        #expect(gate.request(1, origin: "a") == false)
        #expect(gate.release(origin: "a") == [1])
    }

    @Test func aMultiplexedOriginSharesItsConnections() {
        var gate = Gate<Int>(perHost: 2, total: 3)
        #expect(gate.request(0, origin: "a") == true)
        #expect(gate.release(origin: "a", isMultiplexed: true) == [])
        // It is remembered while idle.
        for _ in 0..<2 { #expect(gate.opened(origin: "a", isMultiplexed: true) == []) }
        for waiter in 0..<200 { #expect(gate.request(waiter, origin: "a") == true) }
        #expect(gate.request(200, origin: "a") == false)
        #expect(gate.request(201, origin: "b") == true)
        #expect(gate.request(202, origin: "c") == false)
        #expect(gate.release(origin: "a", isMultiplexed: true) == [200])
        #expect(gate.release(origin: "b") == [202])
    }

    @Test func learningThatAnOriginIsMultiplexedLetsItsWaitersIn() {
        var gate = Gate<Int>(perHost: 1, total: 1)
        #expect(gate.request(0, origin: "a") == true)
        for waiter in 1...5 { #expect(gate.request(waiter, origin: "a") == false) }
        #expect(gate.request(6, origin: "b") == false)
        #expect(gate.release(origin: "a", isMultiplexed: true) == [1, 2, 3, 4, 5])
        // They share the one connection, for which the other origin goes on waiting.
        for _ in 1...4 { #expect(gate.release(origin: "a") == []) }
        #expect(gate.release(origin: "a") == [6])
    }

    @Test func anOriginThatIsMultiplexedNoMoreComesBackToTheLimits() {
        var gate = Gate<Int>(perHost: 1, total: 1)
        #expect(gate.request(0, origin: "a") == true)
        _ = gate.release(origin: "a", isMultiplexed: true)
        for waiter in 1...5 { #expect(gate.request(waiter, origin: "a") == true) }
        #expect(gate.release(origin: "a", isMultiplexed: false) == [])
        #expect(gate.request(6, origin: "a") == false)
        for _ in 0..<3 { #expect(gate.release(origin: "a") == []) }
        #expect(gate.release(origin: "a") == [6])
    }

    @Test func idleOriginsAreForgotten() {
        var gate = Gate<Int>(perHost: 1, total: 10)
        let known = Gate<Int>.rememberedOrigins
        for index in 0..<(3 * known) {
            #expect(gate.request(index, origin: "plain \(index)") == true)
            _ = gate.release(origin: "plain \(index)", isMultiplexed: false)
        }
        #expect(Self.originCount(gate) == 0)
        for index in 0..<(3 * known) {
            #expect(gate.request(index, origin: "shared \(index)") == true)
            _ = gate.release(origin: "shared \(index)", isMultiplexed: true)
        }
        #expect(Self.originCount(gate) == known)
    }

    @Test func theOriginsThatWereUsedLastAreRemembered() {
        var gate = Gate<Int>(perHost: 1, total: 10)
        let known = Gate<Int>.rememberedOrigins
        for index in 0..<(known + 10) {
            _ = gate.request(index, origin: "\(index)")
            _ = gate.release(origin: "\(index)", isMultiplexed: true)
            // One that is used again and again stays.
            _ = gate.request(-1, origin: "0")
            _ = gate.release(origin: "0")
        }
        /// Whether a second request shares the connection of the first.
        func isRemembered(_ origin: String) -> Bool {
            let admitted = (1...2).map { gate.request(-$0, origin: origin) }
            for isAdmitted in admitted where isAdmitted { _ = gate.release(origin: origin) }
            return admitted == [true, true]
        }
        #expect(isRemembered("\(known + 9)"))
        #expect(isRemembered("0"))
        #expect(!isRemembered("1"))
    }

    /// How many origins a gate remembers.
    private static func originCount(_ gate: Gate<Int>) -> Int? {
        let origins = Mirror(reflecting: gate.gate).children.first { $0.label == "origins" }?.value
        return origins.map { Mirror(reflecting: $0).children.count }
    }

    // Each operation costs about the same however many wait: a copy of the queue for each would take minutes.
    @Test func aLongQueueIsNotCopied() {
        var gate = Gate<Int>(perHost: 8, total: 8)
        let count = 100_000
        for waiter in 0..<count { _ = gate.request(waiter, origin: "a") }
        #expect(gate.waitingCount == count - 8)
        for waiter in 8..<count where gate.release(origin: "a") != [waiter] {
            Issue.record("\(waiter) was not next")
            return
        }
        for _ in 0..<8 { #expect(gate.release(origin: "a") == []) }
    }

    private struct Model {
        let perHost: Int
        let total: Int
        let shared: Set<String>
        var active: [String: [Int]] = [:]
        var waiting: [String: [Int]] = [:]

        func connections(_ origin: String, adding count: Int = 0) -> Int {
            let active = (active[origin]?.count ?? 0) + count
            let streams = Gate<Int>.streamsPerConnection
            return shared.contains(origin) ? (active + streams - 1) / streams : active
        }

        var connectionsInUse: Int { active.keys.reduce(0) { $0 + connections($1) } }

        func hasRoom(_ origin: String) -> Bool {
            let more = connections(origin, adding: 1)
            return more <= perHost && connectionsInUse - connections(origin) + more <= total
        }

        mutating func admit(_ waiter: Int, _ origin: String) {
            active[origin, default: []].append(waiter)
        }
    }

    @Test(arguments: [31, 32, 33, 34, 35, 36] as [UInt64])
    func randomOperationsKeepToTheLimitsAndForgetNobody(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let (perHost, total) = (Int.random(in: 1...4, using: &random), Int.random(in: 1...8, using: &random))
        let origins = (0..<6).map { "origin \($0)" }
        var gate = Gate<Int>(perHost: perHost, total: total)
        var model = Model(perHost: perHost, total: total, shared: [origins[0]])
        // The gate learns that the first origin is multiplexed.
        #expect(gate.request(-1, origin: origins[0]) == true)
        _ = gate.release(origin: origins[0], isMultiplexed: true)
        for _ in 0..<perHost { _ = gate.opened(origin: origins[0], isMultiplexed: true) }
        var originOf: [Int: String] = [:]
        var admittedOnce: Set<Int> = []
        func take(_ admitted: [Int]) {
            for waiter in admitted {
                guard let origin = originOf[waiter] else {
                    Issue.record("\(waiter) is unknown")
                    return
                }
                #expect(admittedOnce.insert(waiter).inserted, "\(waiter) was admitted twice")
                #expect(model.waiting[origin]?.first == waiter, "\(waiter) was not next")
                model.waiting[origin]?.removeFirst()
                model.admit(waiter, origin)
            }
        }
        for waiter in 0..<5_000 {
            let origin = origins[Int.random(in: 0..<origins.count, using: &random)]
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                originOf[waiter] = origin
                let canGo = model.hasRoom(origin) && model.waiting[origin, default: []].isEmpty
                #expect(gate.request(waiter, origin: origin) == canGo)
                if canGo {
                    admittedOnce.insert(waiter)
                    model.admit(waiter, origin)
                } else {
                    model.waiting[origin, default: []].append(waiter)
                }
            case 5..<9:
                guard let index = model.active[origin]?.indices.randomElement(using: &random) else { continue }
                model.active[origin]?.remove(at: index)
                take(gate.release(origin: origin, isMultiplexed: origin == origins[0] ? true : nil))
            default:
                guard let index = model.waiting[origin]?.indices.randomElement(using: &random),
                    let gone = model.waiting[origin]?.remove(at: index)
                else { continue }
                gate.cancel(gone, origin: origin)
            }
            #expect(model.connectionsInUse <= total)
            for origin in origins {
                #expect(model.connections(origin) <= perHost)
                // No request waits if there is room.
                #expect(model.waiting[origin, default: []].isEmpty || !model.hasRoom(origin))
            }
            #expect(gate.waitingCount == model.waiting.values.reduce(0) { $0 + $1.count })
        }
        while let origin = origins.first(where: { model.active[$0]?.isEmpty == false }) {
            model.active[origin]?.removeFirst()
            take(gate.release(origin: origin))
        }
        #expect(gate.waitingCount == 0)
        #expect(model.waiting.values.allSatisfy { $0.isEmpty })
    }

    @Test func exclusiveRequestsHaveALimitAndAQueueOfTheirOwn() {
        var gate = Gate<Int>(perHost: 1, total: 10, streamsPerHost: 2)
        #expect(gate.request(0, origin: "a", isExclusive: true) == true)
        #expect(gate.request(1, origin: "a", isExclusive: true) == true)
        #expect(gate.request(2, origin: "a", isExclusive: true) == false)
        #expect(gate.request(3, origin: "a", isExclusive: true) == false)
        // Neither those that are open nor those that wait keep an ordinary request from its turn.
        #expect(gate.request(4, origin: "a") == true)
        #expect(gate.request(5, origin: "a") == false)
        #expect(gate.release(origin: "a") == [5])
        #expect(gate.release(origin: "a", isExclusive: true) == [2])
        gate.cancel(3, origin: "a")
        #expect(gate.release(origin: "a", isExclusive: true) == [])
        #expect(gate.waitingCount == 0)
    }

    @Test(arguments: [(1, 1, 1), (2, 2, 1), (4, 8, 7), (8, 256, 248), (50, 50, 44), (300, 64, 56)])
    func exclusiveRequestsLeaveConnectionsForOthers(perHost: Int, total: Int, most: Int) {
        var gate = Gate<Int>(perHost: perHost, total: total, streamsPerHost: .max)
        let admitted = (0..<(total + 10)).count { waiter in gate.request(waiter, origin: "\(waiter)", isExclusive: true)
        }
        #expect(admitted == most)
        #expect(gate.request(-1, origin: "a") == (total > 1))
    }

    @Test func exclusiveRequestsDoNotShareAConnection() {
        var gate = Gate<Int>(perHost: 2, total: 10, streamsPerHost: 3)
        #expect(gate.request(0, origin: "a") == true)
        #expect(gate.release(origin: "a", isMultiplexed: true) == [])
        _ = gate.opened(origin: "a", isMultiplexed: true)
        _ = gate.opened(origin: "a", isMultiplexed: true)
        for waiter in 1...200 { #expect(gate.request(waiter, origin: "a") == true) }
        for waiter in 201...203 { #expect(gate.request(waiter, origin: "a", isExclusive: true) == true) }
        #expect(gate.request(204, origin: "a", isExclusive: true) == false)
        #expect(gate.request(205, origin: "a") == false)
        #expect(gate.release(origin: "a") == [205])
    }

    @Test func oneRequestAtATimeOpensAnotherSharedConnection() {
        var gate = Gate<Int>(perHost: 3, total: 10)
        #expect(gate.request(0, origin: "a") == true)
        #expect(gate.opened(origin: "a", isMultiplexed: true) == [])
        for waiter in 1..<100 { #expect(gate.request(waiter, origin: "a") == true) }
        // The hundred and first opens a connection, on which the others have room.
        #expect(gate.request(100, origin: "a") == true)
        for waiter in 101..<210 { #expect(gate.request(waiter, origin: "a") == false) }
        #expect(gate.opened(origin: "a", isMultiplexed: true) == Array(101...200))
        #expect(gate.opened(origin: "a", isMultiplexed: true) == Array(201..<210))
        // Two were closed: the next one that finds no room opens one.
        gate.closed(origin: "a")
        gate.closed(origin: "a")
        #expect(gate.request(210, origin: "a") == true)
        #expect(gate.request(211, origin: "a") == false)
    }

    // It was admitted to open a connection, and then there was room on another.
    @Test func aConnectionThatIsNotOpenedAfterAllHoldsNobodyUp() {
        var gate = Gate<Int>(perHost: 2, total: 10)
        #expect(gate.request(0, origin: "a") == true)
        #expect(gate.opened(origin: "a", isMultiplexed: true) == [])
        for waiter in 1...100 { #expect(gate.request(waiter, origin: "a") == true) }
        #expect(gate.request(101, origin: "a") == false)
        // The next takes the place of the one that has ended, or opens a connection if the other failed to.
        #expect(gate.release(origin: "a") == [101])
        #expect(gate.release(origin: "a") == [])
    }

    @Test func othersGoOnAsSoonAsItIsKnownThatConnectionsAreShared() {
        var gate = Gate<Int>(perHost: 2, total: 4)
        for waiter in 0..<2 { #expect(gate.request(waiter, origin: "a") == true) }
        for waiter in 2..<5 { #expect(gate.request(waiter, origin: "a") == false) }
        #expect(gate.opened(origin: "unknown", isMultiplexed: true) == [])
        #expect(gate.opened(origin: "a", isMultiplexed: false) == [])
        #expect(gate.opened(origin: "a", isMultiplexed: true) == [2, 3, 4])
        #expect(gate.opened(origin: "a", isMultiplexed: true) == [])
        for _ in 0..<5 { #expect(gate.release(origin: "a") == []) }
        #expect(gate.request(5, origin: "a") == true)
    }
}
