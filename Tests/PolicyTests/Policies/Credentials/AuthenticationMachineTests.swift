import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

/// Every row of the rules of ``AuthenticationMachine``, on a clock that stands still.
struct AuthenticationMachineTests {
    typealias Machine = AuthenticationMachine<String, Int>
    struct Failure: Error, Equatable {
        var name = "down"
    }

    static let start = ContinuousClock.now
    static func time(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

    /// A step of a scenario as text, such as `wait 1 begins 1(-)`.
    static func text(_ answer: Machine.Answer) -> String {
        switch answer {
        case .use(let lease, let refresh): "\(lease.credential)#\(lease.generation)\(text(refresh))"
        case .fail(let error): "fail \(name(error))"
        case .wait: "wait"
        }
    }

    static func text(_ refresh: Machine.Refresh?) -> String {
        refresh.map { " begins \($0.number)(\($0.old ?? "-"))" } ?? ""
    }

    static func text(_ action: Machine.WaitAction) -> String {
        switch action {
        case .wait(let refresh): "waits\(text(refresh))"
        case .resume(let waiter, .success(let lease), let refresh):
            "\(waiter) gets \(lease.credential)#\(lease.generation)\(text(refresh))"
        case .resume(let waiter, .failure(let error), _): "\(waiter) fails \(name(error))"
        }
    }

    static func name(_ error: any Error) -> String {
        (error as? Failure)?.name ?? (error as? AuthenticationError).map { "\($0.code)" } ?? "?"
    }

    /// A machine with the credential `a`, which is good for a minute.
    static func expiring(margin: Duration = .seconds(10), after lifetime: Duration = .seconds(60)) -> Machine {
        var machine = Machine(credential: "a", margin: margin, hasLifetimes: true)
        machine.measure(lifetime, at: start)
        return machine
    }

    /// A machine with the credential `a`, whose refresh failed.
    static func failed() -> Machine {
        var machine = Machine(credential: "a")
        _ = ask(&machine, .again(after: 0), waiter: 1)
        _ = machine.fail(1, with: Failure(), at: start)
        return machine
    }

    /// Asks, and waits with a number if it has to.
    static func ask(
        _ machine: inout Machine,
        _ demand: Machine.Demand = .first,
        waiter: Int = 0,
        at now: ContinuousClock.Instant = start
    ) -> String {
        let answer = machine.lease(demand, at: now)
        guard case .wait = answer else { return text(answer) }
        return text(machine.wait(waiter, id: waiter, for: demand, at: now))
    }

    static func succeed(
        _ machine: inout Machine,
        _ number: Int,
        _ credential: String,
        lifetime: Duration? = nil,
        at now: ContinuousClock.Instant = start
    ) -> String {
        guard let end = machine.succeed(number, with: credential, lifetime: lifetime, at: now) else { return "ignored" }
        return "\(end.waiters) get \(end.lease.credential)#\(end.lease.generation)"
    }

    // MARK: One refresh

    @Test func aCredentialIsUsedAtOnce() {
        var machine = Machine(credential: "a")
        #expect(Self.ask(&machine) == "a#0")
        #expect(machine.refreshNumber == nil)
    }

    @Test func withoutACredentialTheFirstRequestBeginsTheOnlyRefresh() {
        var machine = Machine(credential: nil)
        #expect((1...3).map { Self.ask(&machine, waiter: $0) } == ["waits begins 1(-)", "waits", "waits"])
        #expect(Self.succeed(&machine, 1, "a") == "[1, 2, 3] get a#1")
        #expect(machine.waiterCount == 0)
        #expect(Self.ask(&machine) == "a#1")
    }

    @Test func aRefusedCredentialIsRefreshedOnce() {
        var machine = Machine(credential: "a")
        #expect(Self.ask(&machine, .again(after: 0), waiter: 1) == "waits begins 1(a)")
        #expect(Self.ask(&machine, .again(after: 0), waiter: 2) == "waits")
        // A new request does not use what was refused.
        #expect(Self.ask(&machine, .first, waiter: 3) == "waits")
        #expect(Self.succeed(&machine, 1, "b") == "[1, 2, 3] get b#1")
    }

    @Test func anOlderCredentialIsNoReasonToRefresh() {
        var machine = Machine(credential: "a")
        _ = Self.ask(&machine, .again(after: 0), waiter: 1)
        _ = Self.succeed(&machine, 1, "b")
        #expect(Self.ask(&machine, .again(after: 0)) == "b#1")
        #expect(Self.ask(&machine, .first) == "b#1")
        #expect(machine.refreshNumber == nil)
        #expect(Self.ask(&machine, .again(after: 1), waiter: 2) == "waits begins 2(b)")
        // While a newer one is refreshed, an older one waits for it too.
        #expect(Self.ask(&machine, .again(after: 0), waiter: 3) == "waits")
    }

    @Test func aRequestThatCannotBeSentAgainLeavesTheRefreshToTheNext() {
        var machine = Machine(credential: "a")
        machine.refuse(0)
        #expect(machine.refreshNumber == nil)
        #expect(Self.ask(&machine, .first, waiter: 1) == "waits begins 1(a)")
        _ = Self.succeed(&machine, 1, "b")
        machine.refuse(0)
        #expect(Self.ask(&machine) == "b#1")
    }

    @Test func betweenAskingAndWaitingTheRefreshMayEnd() {
        var machine = Machine(credential: nil)
        _ = Self.ask(&machine, waiter: 1)
        guard case .wait = machine.lease(.first, at: Self.start) else {
            Issue.record("The refresh runs.")
            return
        }
        _ = Self.succeed(&machine, 1, "a")
        #expect(Self.text(machine.wait(2, id: 2, for: .first, at: Self.start)) == "2 gets a#1")
        #expect(machine.waiterCount == 0)
    }

    @Test func waitersAreResumedInOrder() {
        var machine = Machine(credential: nil)
        for waiter in 1...50 { _ = Self.ask(&machine, waiter: waiter) }
        let end = machine.succeed(1, with: "a", lifetime: nil, at: Self.start)
        #expect(end?.waiters == Array(1...50))
    }

    // MARK: Failure

    @Test func aFailureFailsEachWaiterOnceAndDropsTheCredential() {
        var machine = Machine(credential: "a")
        for waiter in 1...3 { _ = Self.ask(&machine, .again(after: 0), waiter: waiter) }
        let failed = (0..<2).map { _ in machine.fail(1, with: Failure(), at: Self.start) }
        #expect(failed == [[1, 2, 3], []])
        #expect(machine.waiterCount == 0)
        // A later request begins another refresh, which gets the dropped credential; others share it.
        #expect([4, 5].map { Self.ask(&machine, .first, waiter: $0) } == ["waits begins 2(a)", "waits"])
    }

    @Test func aRequestThatWasSentBeforeTheFailureSharesIt() {
        var machine = Self.failed()
        #expect(Self.ask(&machine, .again(after: 0), waiter: 2) == "fail down")
        #expect(machine.refreshNumber == nil)
        // If another refresh runs, it joins that.
        _ = Self.ask(&machine, .first, waiter: 3)
        #expect(Self.ask(&machine, .again(after: 0), waiter: 4) == "waits")
        #expect(Self.succeed(&machine, 2, "b") == "[3, 4] get b#1")
        // The failure is over.
        #expect(Self.ask(&machine, .again(after: 0)) == "b#1")
    }

    @Test func betweenAskingAndWaitingTheRefreshMayFail() {
        var machine = Self.failed()
        #expect(Self.text(machine.wait(2, id: 2, for: .again(after: 0), at: Self.start)) == "2 fails down")
    }

    @Test func theEndOfAnotherRefreshIsIgnored() {
        var machine = Machine(credential: nil)
        _ = Self.ask(&machine, waiter: 1)
        #expect([0, 2].map { machine.fail($0, with: Failure(), at: Self.start) } == [[], []])
        #expect(Self.succeed(&machine, 2, "x") == "ignored")
        #expect(machine.waiterCount == 1)
        _ = machine.fail(1, with: Failure(), at: Self.start)
        _ = Self.ask(&machine, waiter: 2)
        #expect(Self.succeed(&machine, 1, "late") == "ignored")
        #expect(Self.succeed(&machine, 2, "b") == "[2] get b#1")
        #expect(Self.succeed(&machine, 2, "b") == "ignored")
    }

    @Test func aSuccessAfterTheTimeLimitIsKept() {
        var machine = Machine(credential: nil)
        _ = Self.ask(&machine, waiter: 1)
        _ = machine.fail(1, with: Failure(name: "late"), at: Self.start)
        #expect(Self.succeed(&machine, 1, "a") == "[] get a#1")
        #expect(Self.ask(&machine) == "a#1")
    }

    // MARK: Cancellation

    @Test func aCancelledWaiterLeavesTheRefreshRunning() {
        var machine = Machine(credential: nil)
        _ = Self.ask(&machine, waiter: 1)
        _ = Self.ask(&machine, waiter: 2)
        #expect([1, 1, 2].map { machine.cancel($0) } == [1, nil, 2])
        #expect(machine.refreshNumber == 1)
        #expect(Self.ask(&machine, waiter: 3) == "waits")
        #expect(Self.succeed(&machine, 1, "a") == "[3] get a#1")
        #expect(machine.cancel(3) == nil)
    }

    // MARK: Expiry

    @Test func aCredentialIsRenewedBeforeItExpires() {
        var machine = Self.expiring()
        // After one request began the renewal, others use the credential meanwhile.
        let answers = [49, 50, 51].map { Self.ask(&machine, at: Self.time($0)) }
        #expect(answers == ["a#0", "a#0 begins 1(a)", "a#0"])
        #expect(Self.succeed(&machine, 1, "b", lifetime: .seconds(60), at: Self.time(52)) == "[] get b#1")
        #expect([101, 102].map { Self.ask(&machine, at: Self.time($0)) } == ["b#1", "b#1 begins 2(b)"])
    }

    @Test func aRenewalThatFailsFailsNothingAndIsTriedAgainLater() {
        var machine = Self.expiring()
        _ = Self.ask(&machine, at: Self.time(50))
        #expect(machine.fail(1, with: Failure(), at: Self.time(52)) == [])
        #expect([55, 56].map { Self.ask(&machine, at: Self.time($0)) } == ["a#0", "a#0 begins 2(a)"])
        _ = machine.fail(2, with: Failure(), at: Self.time(59))
        // Not more often than once a second.
        #expect(Self.ask(&machine, at: Self.time(59)) == "a#0")
        #expect(Self.ask(&machine, waiter: 1, at: Self.time(60)) == "waits begins 3(a)")
        #expect(machine.fail(3, with: Failure(), at: Self.time(61)) == [1])
    }

    @Test func anExpiredCredentialIsNotUsed() {
        var machine = Self.expiring(margin: .zero)
        #expect(Self.ask(&machine, at: Self.time(59)) == "a#0")
        #expect(Self.ask(&machine, waiter: 1, at: Self.time(60)) == "waits begins 1(a)")
        #expect(Self.ask(&machine, waiter: 2, at: Self.time(61)) == "waits")
        #expect(machine.fail(1, with: Failure(), at: Self.time(62)) == [1, 2])
        // It was dropped: a request that was sent with it shares the failure.
        #expect(Self.ask(&machine, .again(after: 0), at: Self.time(63)) == "fail down")
    }

    @Test func renewalsThatFailAreASecondApartAtLeast() {
        var machine = Self.expiring()
        #expect(Self.ask(&machine, at: Self.time(58)) == "a#0 begins 1(a)")
        #expect(machine.fail(1, with: Failure(), at: Self.start + .milliseconds(58_500)) == [])
        // Half of the rest would be at 59.25 s.
        #expect(Self.ask(&machine, at: Self.start + .milliseconds(59_400)) == "a#0")
        #expect(Self.ask(&machine, at: Self.start + .milliseconds(59_500)) == "a#0 begins 2(a)")
    }

    @Test func aCredentialThatExpiresDuringItsRenewalIsWaitedFor() {
        var machine = Self.expiring()
        _ = Self.ask(&machine, at: Self.time(55))
        #expect(Self.ask(&machine, waiter: 1, at: Self.time(60)) == "waits")
        #expect(Self.succeed(&machine, 1, "b", at: Self.time(61)) == "[1] get b#1")
    }

    @Test func aCredentialThatIsRefusedDuringItsRenewalIsWaitedFor() {
        var machine = Self.expiring()
        _ = Self.ask(&machine, at: Self.time(55))
        #expect(Self.ask(&machine, .again(after: 0), waiter: 1, at: Self.time(56)) == "waits")
        #expect(Self.ask(&machine, .first, waiter: 2, at: Self.time(56)) == "waits")
        #expect(machine.fail(1, with: Failure(), at: Self.time(57)) == [1, 2])
        #expect(Self.ask(&machine, .again(after: 0), at: Self.time(57)) == "fail down")
        #expect(Self.ask(&machine, .first, waiter: 3, at: Self.time(57)) == "waits begins 2(a)")
    }

    @Test func aShortLivedCredentialIsNotRenewedInTheFirstHalfOfItsLife() {
        var machine = Self.expiring(margin: .seconds(30), after: .seconds(10))
        #expect([4, 5].map { Self.ask(&machine, at: Self.time($0)) } == ["a#0", "a#0 begins 1(a)"])
    }

    @Test func theFirstLifetimeIsMeasuredOnce() {
        var machine = Machine(credential: "a", hasLifetimes: true)
        #expect(machine.unmeasured == "a")
        machine.measure(.seconds(10), at: Self.start)
        machine.measure(.seconds(1000), at: Self.start)
        #expect(machine.unmeasured == nil)
        #expect(Self.ask(&machine, waiter: 1, at: Self.time(10)) == "waits begins 1(a)")
    }

    // At most one refresh for a batch of requests, and its waiters use what it returned.
    @Test(arguments: [Duration.zero, .seconds(-5), .seconds(Int64.min / 4)])
    func aCredentialThatIsExpiredOnArrivalServesItsWaiters(_ lifetime: Duration) {
        var machine = Machine(credential: nil, margin: .seconds(10), hasLifetimes: true)
        _ = Self.ask(&machine, waiter: 1)
        #expect(Self.succeed(&machine, 1, "a", lifetime: lifetime) == "[1] get a#1")
        #expect(Self.ask(&machine, waiter: 2) == "waits begins 2(a)")
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.max / 2), .seconds(1_000_000_000)])
    func anEndlessLifetimeIsNone(_ lifetime: Duration) {
        var machine = Self.expiring(margin: lifetime, after: lifetime)
        #expect(Self.ask(&machine, at: Self.time(1_000_000_000)) == "a#0")
        _ = Self.ask(&machine, .again(after: 0), waiter: 1)
        #expect(Self.succeed(&machine, 1, "b", lifetime: .seconds(100)) == "[1] get b#1")
        // A margin is at most half of the lifetime, and a negative one counts as zero.
        #expect([49, 50].map { Self.ask(&machine, at: Self.time($0)) } == ["b#1", "b#1 begins 2(b)"])
    }

    @Test func aNegativeMarginCountsAsZero() {
        var machine = Self.expiring(margin: .seconds(-10))
        #expect(Self.ask(&machine, at: Self.time(59)) == "a#0")
        #expect(Self.ask(&machine, waiter: 1, at: Self.time(60)) == "waits begins 1(a)")
    }

    // MARK: At random

    /// Whatever happens in whatever order: each waiter ends once, and there is never more than one refresh.
    @Test(arguments: 0..<20) func eachWaiterEndsOnceAtRandom(_ seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var machine = Machine(credential: random.picks(50) ? "a" : nil, margin: .seconds(3), hasLifetimes: true)
        machine.measure(.seconds(5), at: Self.start)
        var waiting: Set<Int> = []
        var running: Set<Int> = []
        var now = 0
        func note(_ refresh: Machine.Refresh?) {
            guard let refresh else { return }
            #expect(running.isEmpty)
            running.insert(refresh.number)
        }
        // Refreshes that a login or a logout ended, and whose results come later.
        var ended: Set<Int> = []
        var oldest = 0
        for _ in 1...2000 {
            let waiter = machine.newWaiter()
            now += random.below(2)
            let demand: Machine.Demand =
                random.picks(50) ? .first : .again(after: max(0, machine.generation - random.below(3)))
            switch machine.lease(demand, at: Self.time(now)) {
            case .use(let lease, let refresh):
                note(refresh)
                if case .again(let refused) = demand { #expect(lease.generation > refused) }
            case .fail:
                if case .again(let refused) = demand { #expect(running.isEmpty || refused < oldest) }
            case .wait:
                if case .wait(let refresh) = machine.wait(waiter, id: waiter, for: demand, at: Self.time(now)) {
                    note(refresh)
                    #expect(!running.isEmpty)
                    waiting.insert(waiter)
                }
            }
            switch random.below(10) {
            case 8:
                ended.formUnion(running)
                running = []
                let removes = random.picks(50)
                #expect(Set(removes ? machine.remove() : machine.set("s\(waiter)").waiters) == waiting)
                if removes { oldest = machine.generation }
                waiting = []
            case 9:
                guard let number = ended.popFirst() else { break }
                #expect(machine.succeed(number, with: "late", lifetime: nil, at: Self.time(now)) == nil)
                #expect(machine.fail(number, with: Failure(), at: Self.time(now)).isEmpty)
            case 0:
                guard let number = running.popFirst() else { break }
                let lifetime = random.picks(50) ? Duration.seconds(random.below(22) - 1) : nil
                let end = machine.succeed(number, with: "c\(number)", lifetime: lifetime, at: Self.time(now))
                #expect(Set(end?.waiters ?? []) == waiting)
                waiting = []
            case 1:
                guard let number = running.popFirst() else { break }
                #expect(Set(machine.fail(number, with: Failure(), at: Self.time(now))) == waiting)
                waiting = []
            case 2:
                guard let id = waiting.min() else { break }
                #expect(machine.cancel(id) == id)
                waiting.remove(id)
            default: break
            }
            #expect(machine.waiterCount == waiting.count)
            #expect((machine.refreshNumber == nil) == running.isEmpty)
        }
    }
}
