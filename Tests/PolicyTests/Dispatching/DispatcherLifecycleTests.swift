import PiuPiuAsync
import SuiteSupport
import Testing

struct DispatcherLifecycleTests {
    private typealias Lifecycle = DispatcherLifecycle<String, String>

    /// A lifecycle with calls under way.
    private static func lifecycle(calls: Int) -> Lifecycle {
        var lifecycle = Lifecycle()
        for _ in 0..<calls { _ = lifecycle.begin() }
        return lifecycle
    }

    @Test func anOpenOneTakesCalls() {
        var lifecycle = Lifecycle()
        #expect(lifecycle.isOpen)
        #expect(!lifecycle.isClosed)
        #expect(lifecycle.begin() == true)
        #expect(lifecycle.begin() == true)
        #expect(lifecycle.callCount == 2)
        #expect(lifecycle.end() == nil)
        #expect(lifecycle.end() == nil)
        #expect(!lifecycle.isClosed)
        #expect(lifecycle.begin() == true)
    }

    @Test func closingWithNothingUnderWayClosesAtOnce() {
        var lifecycle = Lifecycle()
        #expect(lifecycle.close() == true)
        #expect(lifecycle.isClosed)
        #expect(lifecycle.close() == false)
        #expect(lifecycle.begin() == false)
        #expect(lifecycle.callCount == 0)
        #expect(lifecycle.wait("late") == true)
    }

    @Test func closingWaitsForTheLastCall() {
        var lifecycle = Self.lifecycle(calls: 2)
        #expect(lifecycle.close() == false)
        #expect(lifecycle.begin() == false)
        #expect(lifecycle.wait("a") == false)
        #expect(lifecycle.end() == nil)
        #expect(!lifecycle.isClosed)
        #expect(lifecycle.wait("b") == false)
        #expect(lifecycle.end() == ["a", "b"])
        #expect(lifecycle.isClosed)
        #expect(lifecycle.wait("c") == true)
    }

    @Test func theLastCallOfAClosedOneReportsTheEndEvenIfNobodyWaits() {
        var lifecycle = Self.lifecycle(calls: 1)
        #expect(lifecycle.close() == false)
        #expect(lifecycle.end() == [])
    }

    @Test func closingTwiceReportsOnce() {
        var lifecycle = Self.lifecycle(calls: 1)
        #expect(lifecycle.close() == false)
        #expect(lifecycle.close() == false)
        #expect(lifecycle.end() == [])
    }

    @Test func operationsAreForgottenWhenTheyEnd() {
        var lifecycle = Self.lifecycle(calls: 2)
        let a = lifecycle.register("a")
        let b = lifecycle.register("b")
        #expect(a != nil && b != nil && a != b)
        if let a { lifecycle.forget(a) }
        #expect(lifecycle.invalidate() == ["b"])
        if let b { lifecycle.forget(b) }
    }

    @Test func invalidatingHandsEverythingOutOnce() {
        var lifecycle = Self.lifecycle(calls: 2)
        _ = lifecycle.register("a")
        _ = lifecycle.register("b")
        #expect(lifecycle.wait("w") == false)
        #expect(!lifecycle.isInvalidated)
        #expect(lifecycle.invalidate().sorted() == ["a", "b"])
        #expect(lifecycle.isInvalidated)
        #expect(lifecycle.invalidate() == [])
        #expect(lifecycle.begin() == false)
        // What is registered late has to be cancelled by the caller that registers it.
        #expect(lifecycle.register("c") == nil)
        #expect(lifecycle.end() == nil)
        #expect(lifecycle.end() == ["w"])
        #expect(lifecycle.isClosed)
    }

    @Test func operationsCanBeRegisteredWhileClosing() {
        var lifecycle = Self.lifecycle(calls: 1)
        _ = lifecycle.close()
        #expect(lifecycle.register("a") != nil)
        #expect(lifecycle.invalidate() == ["a"])
    }
}
