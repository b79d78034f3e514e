import PiuPiuAsync
import SuiteSupport
import Testing
@testable import PiuPiuCurl

struct ConnectionTableTests {
    private let key = ConnectionTable.Key(addresses: 1, localPort: 40_000, remotePort: 443)

    @Test func aConnectionIsFoundAgainByItsAddresses() throws {
        var table = ConnectionTable()
        table.opened(5)
        let firstClaim = table.claim(key, opened: 5, kind: .exclusive)?.claim
        let first = try #require(firstClaim)
        #expect(first.socket == 5)
        table.release(first)
        let secondClaim = table.claim(key, opened: nil, kind: .exclusive)?.claim
        let second = try #require(secondClaim)
        #expect(second == first)
        let other = ConnectionTable.Key(addresses: 1, localPort: 40_001, remotePort: 443)
        let unknown = table.claim(other, opened: nil, kind: .exclusive)?.claim
        #expect(unknown == nil)
    }

    @Test func thePortsOfUDPAreNotThoseOfTCP() throws {
        var table = ConnectionTable()
        table.opened(5)
        table.opened(6)
        let claims = [
            table.claim(key, opened: 5, kind: .multiplexed)?.claim,
            table.claim(key.over(isDatagram: true), opened: 6, kind: .multiplexed)?.claim,
            table.claim(key, opened: nil, kind: .multiplexed)?.claim,
            table.claim(key.over(isDatagram: true), opened: nil, kind: .multiplexed)?.claim,
        ]
        #expect(claims.map { $0?.socket } == [5, 6, 5, 6])
    }

    @Test func onlyAnIdleConnectionThatIsNotSharedMustBeSilent() throws {
        var table = ConnectionTable()
        table.opened(5)
        #expect(!table.mustBeSilent(5))
        let claimed = table.claim(key, opened: 5, kind: .exclusive)?.claim
        let claim = try #require(claimed)
        #expect(!table.mustBeSilent(5))
        table.release(claim)
        #expect(table.mustBeSilent(5))
        _ = table.claim(key, opened: nil, kind: .exclusive)
        #expect(!table.mustBeSilent(5))
        #expect(!table.mustBeSilent(6))
    }

    @Test func aSharedConnectionMayReceiveAtAnyTime() throws {
        var table = ConnectionTable()
        table.opened(5)
        let firstClaim = table.claim(key, opened: 5, kind: .multiplexed)?.claim
        let first = try #require(firstClaim)
        let secondClaim = table.claim(key, opened: nil, kind: .multiplexed)?.claim
        let second = try #require(secondClaim)
        let claims = [first, second]
        for claim in claims { table.release(claim) }
        #expect(!table.mustBeSilent(5))
    }

    // Numbers of sockets come again.
    @Test func aClosedConnectionIsForgotten() throws {
        var table = ConnectionTable()
        table.opened(5)
        let oldClaim = table.claim(key, opened: 5, kind: .exclusive)?.claim
        let old = try #require(oldClaim)
        table.closed(5)
        #expect(!table.isOpen(old))
        let gone = table.claim(key, opened: nil, kind: .exclusive)?.claim
        #expect(gone == nil)
        table.opened(5)
        let other = ConnectionTable.Key(addresses: 1, localPort: 40_002, remotePort: 443)
        let newClaim = table.claim(other, opened: 5, kind: .exclusive)?.claim
        let new = try #require(newClaim)
        #expect(new != old)
        // Too late: it is about the connection before.
        table.release(old)
        #expect(!table.mustBeSilent(5))
        #expect(table.isOpen(new))
        table.closed(5)
        #expect(table.count == 0)
    }

    @Test func observersAreToldOfAConnection() throws {
        let recorder = ConnectionRecorder()
        let observers = ObserverList([recorder], clock: nil)
        let monitor = { ConnectionMonitor(ObservedConnection(isReused: false), to: "o", observers) }
        var table = ConnectionTable()
        table.opened(5)
        #expect(recorder.kinds == [])
        let openedClaim = table.claim(key, opened: 5, kind: .multiplexed)?.claim
        let claim = try #require(openedClaim)
        table.observe(claim, monitor())
        table.observe(claim, monitor())
        let secondClaim = table.claim(key, opened: nil, kind: .multiplexed)?.claim
        #expect(secondClaim != nil)
        table.release(claim)
        #expect(recorder.kinds == [.opened])
        table.release(claim)
        // One that was never claimed is no user.
        table.release(claim)
        #expect(recorder.kinds == [.opened, .becameIdle])
        _ = table.claim(key, opened: nil, kind: .multiplexed)
        // The number of a socket that was closed without a word.
        table.opened(5)
        #expect(recorder.kinds == [.opened, .becameIdle, .becameActive, .closed(wasIdle: false)])
        table.release(claim)
        table.closeAll()
        #expect(recorder.kinds.count == 4 && recorder.state.violations == [])
        #expect(table.count == 0)
    }
}
