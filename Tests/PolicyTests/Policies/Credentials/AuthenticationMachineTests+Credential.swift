import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

// Login and logout.
extension AuthenticationMachineTests {
    private static func set(_ machine: inout Machine, _ credential: String) -> String {
        let end = machine.set(credential)
        return "\(end.waiters) get \(end.lease.credential)#\(end.lease.generation)"
    }

    @Test(arguments: [nil, "a"]) func aCredentialThatIsSetIsUsedFromThenOn(_ first: String?) {
        var machine = Machine(credential: first)
        #expect(Self.set(&machine, "b") == "[] get b#1")
        #expect(Self.ask(&machine) == "b#1")
        // A request that the one before was refused for gets it too.
        #expect(Self.ask(&machine, .again(after: 0)) == "b#1")
        #expect(Self.ask(&machine, .again(after: 1), waiter: 1) == "waits begins 1(b)")
    }

    @Test func theResultOfARefreshDoesNotReplaceANewerCredential() {
        var machine = Machine(credential: "a")
        _ = Self.ask(&machine, .again(after: 0), waiter: 1)
        _ = Self.ask(&machine, waiter: 2)
        #expect(Self.set(&machine, "b") == "[1, 2] get b#1")
        #expect(machine.refreshNumber == nil && machine.waiterCount == 0)
        #expect(Self.succeed(&machine, 1, "late") == "ignored")
        #expect(machine.fail(1, with: Failure(), at: Self.start) == [])
        #expect(Self.ask(&machine) == "b#1")
        // Another refresh has another number.
        #expect(Self.ask(&machine, .again(after: 1), waiter: 3) == "waits begins 2(b)")
        #expect(Self.succeed(&machine, 1, "late") == "ignored")
        #expect(Self.succeed(&machine, 2, "c") == "[3] get c#2")
    }

    @Test func theResultOfARefreshAfterItsTimeLimitDoesNotEither() {
        var machine = Machine(credential: nil)
        _ = Self.ask(&machine, waiter: 1)
        _ = machine.fail(1, with: Failure(name: "late"), at: Self.start)
        _ = Self.set(&machine, "b")
        #expect(Self.succeed(&machine, 1, "late") == "ignored")
        _ = machine.remove()
        #expect(Self.succeed(&machine, 1, "late") == "ignored")
        #expect(Self.ask(&machine, waiter: 2) == "waits begins 2(-)")
    }

    @Test func settingACredentialEndsAFailure() {
        var machine = Self.failed()
        #expect(Self.ask(&machine, .again(after: 0)) == "fail down")
        _ = Self.set(&machine, "b")
        #expect(Self.ask(&machine, .again(after: 0)) == "b#1")
    }

    @Test func removingTheCredentialFailsWhatWaits() {
        var machine = Machine(credential: "a")
        _ = Self.ask(&machine, .again(after: 0), waiter: 1)
        _ = Self.ask(&machine, waiter: 2)
        #expect(machine.remove() == [1, 2])
        #expect(machine.refreshNumber == nil && machine.waiterCount == 0)
        #expect(Self.succeed(&machine, 1, "late") == "ignored")
        // What was sent with it gets no other one, and begins no refresh.
        #expect(Self.ask(&machine, .again(after: 0)) == "fail credentialRemoved")
        #expect(machine.refreshNumber == nil)
        // A later request begins a refresh, which does not get the removed credential.
        #expect(Self.ask(&machine, waiter: 3) == "waits begins 2(-)")
        #expect(Self.ask(&machine, .again(after: 0)) == "fail credentialRemoved")
        #expect(Self.succeed(&machine, 2, "b") == "[3] get b#2")
    }

    @Test func whatWasSentForOneUserIsNotSentAgainForTheNext() {
        var machine = Machine(credential: "a")
        _ = machine.remove()
        #expect(Self.set(&machine, "b") == "[] get b#2")
        #expect(Self.ask(&machine, .again(after: 0)) == "fail credentialRemoved")
        #expect(Self.ask(&machine) == "b#2")
        // Nor can its refusal make the new one doubtful.
        machine.refuse(0)
        #expect(Self.ask(&machine) == "b#2")
    }

    @Test func betweenAskingAndWaitingTheCredentialMayBeRemovedOrSet() {
        var machine = Machine(credential: nil)
        let (first, second) = (machine.newWaiter(), machine.newWaiter())
        _ = machine.remove()
        #expect(Self.text(machine.wait(1, id: first, for: .first, at: Self.start)) == "1 fails credentialRemoved")
        _ = machine.set("a")
        #expect(Self.text(machine.wait(2, id: second, for: .first, at: Self.start)) == "2 fails credentialRemoved")
        let third = machine.newWaiter()
        _ = machine.set("b")
        #expect(Self.text(machine.wait(3, id: third, for: .first, at: Self.start)) == "3 gets b#3")
        #expect(machine.waiterCount == 0)
    }

    @Test func theLifetimeOfACredentialThatIsSetIsMeasuredOnce() {
        var machine = Self.expiring()
        _ = machine.set("b")
        #expect(machine.unmeasured == "b")
        // A measurement of the one before comes too late.
        machine.measure(.seconds(1), of: 0, at: Self.start)
        #expect(machine.unmeasured == "b")
        machine.measure(.seconds(100), of: 1, at: Self.start)
        #expect(machine.unmeasured == nil)
        #expect([89, 90].map { Self.ask(&machine, at: Self.time($0)) } == ["b#1", "b#1 begins 1(b)"])
        _ = machine.remove()
        #expect(machine.unmeasured == nil)
        #expect(Self.ask(&machine, waiter: 1, at: Self.time(91)) == "waits begins 2(-)")
    }
}
