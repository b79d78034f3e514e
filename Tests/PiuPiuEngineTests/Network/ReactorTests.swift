#if os(Linux)
import CShims
import Glibc
import Testing

@testable import PiuPiuEngine

struct ReactorTests {
    @Test func whatWasSeenBeforeALongJobCountsNoMore() throws {
        let wake = cs_eventfd_create()
        defer { close(wake) }
        let reactor = try Reactor(wakeDescriptor: wake)
        let moment = reactor.moment
        #expect(!reactor.hasLooked(since: moment))
        reactor.wait(milliseconds: 0)
        #expect(reactor.hasLooked(since: moment))
        #expect(!reactor.hasLooked(since: reactor.moment))
        let seen = reactor.now
        reactor.note(seen + 999_999)
        #expect(reactor.hasLooked(since: moment))
        reactor.note(seen + 1_000_000)
        #expect(!reactor.hasLooked(since: moment))
        reactor.wait(milliseconds: 0)
        #expect(reactor.hasLooked(since: moment))
    }

    @Test func theWaitSaysWhenItIsOver() throws {
        let wake = cs_eventfd_create()
        defer { close(wake) }
        let reactor = try Reactor(wakeDescriptor: wake)
        var count = 0
        reactor.wait(milliseconds: 0) { count += 1 }
        #expect(count == 1)
    }
}
#endif
