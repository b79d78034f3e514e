#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing
@testable import PiuPiuCurl

/// How libcurl's connections are described to observers.
struct ConnectionTableObservationTests {
    private let connection = ObservedConnection(isReused: false, localAddress: "a", httpVersion: "HTTP/2", proxy: "p")
    private let key = ConnectionTable.Key(addresses: 1, localPort: 2, remotePort: 3)

    @Test(arguments: [
        ("127.0.0.1", 80, "127.0.0.1:80"), ("::1", 65535, "[::1]:65535"), ("10.0.0.1", 0, "10.0.0.1:0"),
        ("fe80::1%eth0", 10_000, "[fe80::1%eth0]:10000"), ("1.2.3.4", 9_999, "1.2.3.4:9999"),
    ])
    func addressesAreWrittenAsInURLs(_ address: String, _ port: UInt16, _ text: String) {
        Array(address.utf8).withUnsafeBufferPointer { #expect(ConnectionEnd(address: $0, port: port).text == text) }
    }

    /// Opens a connection on socket 7, and observes it.
    private func openObserved(
        _ table: inout ConnectionTable,
        _ connection: ObservedConnection
    ) throws -> ConnectionTable.Claim {
        table.opened(7)
        let claimed = table.claim(key, opened: 7, kind: .exclusive)
        #expect(claimed?.reused == nil)
        let claim = try #require(claimed?.claim)
        table.observe(claim, ConnectionMonitor(connection, to: "http://a:80", ObserverList([], clock: nil)))
        table.release(claim)
        return claim
    }

    @Test func aConnectionThatIsUsedAgainIsDescribedOnce() throws {
        var table = ConnectionTable()
        let first = try openObserved(&table, connection)
        var reused = connection
        reused.isReused = true
        for _ in 0..<3 {
            let claimed = table.claim(key, opened: nil, kind: .exclusive)
            #expect(claimed?.claim == first && claimed?.reused == reused)
            table.release(first)
        }
    }

    @Test func aSocketThatIsOpenedAgainIsNotTakenForTheOldConnection() throws {
        var table = ConnectionTable()
        let old = try openObserved(&table, connection)
        let new = try openObserved(&table, ObservedConnection(isReused: false, localAddress: "b"))
        let claimed = table.claim(key, opened: nil, kind: .exclusive)
        #expect(claimed?.claim == new && new != old)
        #expect(claimed?.reused == ObservedConnection(isReused: true, localAddress: "b"))
        table.closed(7)
        let afterwards = table.claim(key, opened: nil, kind: .exclusive)
        #expect(afterwards == nil)
    }
}
#endif
