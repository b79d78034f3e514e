#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import CurlShim
import Glibc
import Testing
@testable import PiuPiuCurl

struct PollerTests {
    /// The two ends of a connection over loopback.
    private final class Connection {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        private var server: Int32 = -1

        init() throws {
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(listener) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            server = try withUnsafeMutablePointer(to: &address) { pointer in
                try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    try #require(bind(listener, address, length) == 0 && listen(listener, 1) == 0)
                    try #require(getsockname(listener, address, &length) == 0)
                    try #require(connect(client, address, length) == 0)
                    return accept(listener, nil, nil)
                }
            }
            try #require(server >= 0)
        }

        deinit {
            close(client)
            if server >= 0 { close(server) }
        }

        func write(_ text: String) {
            _ = text.withCString { send(client, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
        }

        /// Sends from the server's end, and waits until it has arrived.
        func reply(_ text: String) {
            _ = text.withCString { send(server, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
            var arrival = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
            poll(&arrival, 1, 10_000)
        }

        /// Closes the server's end so that the client's has an error.
        func reset() {
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(server, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
            close(server)
            server = -1
        }

        /// What has arrived at the server's end, without waiting.
        func arrived() -> String {
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = recv(server, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
        }
    }

    private func share(_ connection: Connection, _ poller: Poller) {
        let key = ConnectionTable.Key(addresses: 0, localPort: connection.client, remotePort: 1)
        _ = poller.claim(key, opened: connection.client, sharedUse: .init(engine: 0, origin: "a", isCounted: true))
    }

    private static func poller() throws -> (Poller, wake: Int32) {
        let wake = eventfd(0, Int32(EFD_NONBLOCK))
        return (try Poller(wakeDescriptor: wake, reportsEveryClose: true), wake)
    }

    @Test func whatIsWrittenTogetherToASharedSocketGoesOutTogether() throws {
        let (poller, wake) = try Self.poller()
        defer { close(wake) }
        let connection = try Connection()
        poller.opened(connection.client)
        share(connection, poller)
        poller.writingTogether {
            for text in ["a", "b", "c"] { connection.write(text) }
            #expect(connection.arrived().isEmpty)
        }
        #expect(connection.arrived() == "abc")
        connection.write("d")
        #expect(connection.arrived() == "d")
    }

    @Test func othersAreWrittenToAsEver() throws {
        let (poller, wake) = try Self.poller()
        defer { close(wake) }
        let connection = try Connection()
        func expectNoDelay(_ comment: Comment) {
            poller.writingTogether {
                connection.write("a")
                #expect(connection.arrived() == "a", comment)
            }
        }
        share(connection, poller)
        expectNoDelay("libcurl did not say that it opened the socket")
        poller.opened(connection.client)
        expectNoDelay("it carries one exchange at a time")
        share(connection, poller)
        poller.opened(connection.client)
        expectNoDelay("it has the number of one that is closed")
    }

    /// What arrives before libcurl sends has to be read first: with the next bytes, the server may reset the connection.
    @Test func whereOnlySendingIsPossibleLibcurlLooksItself() throws {
        let (poller, wake) = try Self.poller()
        defer { close(wake) }
        let connection = try Connection()
        poller.opened(connection.client)
        poller.watch(connection.client, Int32(PP_CURL_POLL_IN | PP_CURL_POLL_OUT), engine: 0)
        #expect(events(poller) == [0])
        connection.reply("a")
        #expect(events(poller) == [Int32(PP_CURL_CSELECT_IN | PP_CURL_CSELECT_OUT)])
        let other = try Connection()
        poller.opened(other.client)
        share(other, poller)
        poller.watch(other.client, Int32(PP_CURL_POLL_IN | PP_CURL_POLL_OUT), engine: 0)
        #expect(events(poller).contains(Int32(PP_CURL_CSELECT_OUT)))
    }

    // MARK: Pauses

    private static let asked = [PP_CURL_POLL_IN, PP_CURL_POLL_OUT, PP_CURL_POLL_IN | PP_CURL_POLL_OUT].map { Int32($0) }

    /// What is reported of a socket, which has bytes to read, a hang-up, and room to send.
    private func events(_ poller: Poller) -> [Int32] {
        var events: [Poller.Event] = []
        poller.wait(milliseconds: 0, into: &events)
        return events.map(\.selection)
    }

    @Test(arguments: asked)
    func aHeldConnectionReportsNoArrivalWhateverIsAskedFor(_ what: Int32) throws {
        let (poller, wake) = try Self.poller()
        defer { close(wake) }
        let connection = try Connection()
        poller.opened(connection.client)
        let key = ConnectionTable.Key(addresses: 0, localPort: connection.client, remotePort: 1)
        let claim = try #require(poller.claim(key, opened: connection.client, sharedUse: nil)).claim
        poller.watch(connection.client, Int32(PP_CURL_POLL_IN), engine: 0)
        connection.reply("a")
        #expect(events(poller) == [Int32(PP_CURL_CSELECT_IN)])
        poller.hold(claim)
        #expect(events(poller) == [])
        let mayWrite = what & Int32(PP_CURL_POLL_OUT) != 0
        let room = mayWrite ? [Int32(PP_CURL_CSELECT_OUT)] : []
        for _ in 0..<3 {
            poller.watch(connection.client, what, engine: 0)
            #expect(events(poller) == room)
        }
        // The server's end, with a reset: nothing but room to send, in which the error shows.
        connection.reset()
        #expect(events(poller) == room)
        #expect(events(poller) == room)
        poller.letGo(claim)
        #expect(events(poller).count == 1)
        #expect(events(poller).allSatisfy { $0 & Int32(PP_CURL_CSELECT_ERR) != 0 })
    }

    @Test func anotherExchangeOnTheSameSocketIsNotHeld() throws {
        let (poller, wake) = try Self.poller()
        defer { close(wake) }
        let connection = try Connection()
        poller.opened(connection.client)
        let key = ConnectionTable.Key(addresses: 0, localPort: connection.client, remotePort: 1)
        let claim = try #require(poller.claim(key, opened: connection.client, sharedUse: nil)).claim
        poller.hold(claim)
        // libcurl closed it, and opened another with its number.
        poller.opened(connection.client)
        poller.watch(connection.client, Int32(PP_CURL_POLL_IN), engine: 0)
        connection.reply("a")
        poller.hold(claim)
        #expect(events(poller) == [Int32(PP_CURL_CSELECT_IN)])
    }

    @Test func aSharedConnectionIsNotHeld() throws {
        let (poller, wake) = try Self.poller()
        defer { close(wake) }
        let connection = try Connection()
        poller.opened(connection.client)
        let key = ConnectionTable.Key(addresses: 0, localPort: connection.client, remotePort: 1)
        let use = Poller.SharedUse(engine: 0, origin: "a", isCounted: true)
        let claim = try #require(poller.claim(key, opened: connection.client, sharedUse: use)).claim
        poller.watch(connection.client, Int32(PP_CURL_POLL_IN), engine: 0)
        poller.hold(claim)
        connection.reply("a")
        #expect(events(poller) == [Int32(PP_CURL_CSELECT_IN)])
    }
}
#endif
