#if os(Linux)
import SuiteSupport
import CurlShim
import Glibc
import Testing

@testable import PiuPiuAsync

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
            close(server)
        }

        func write(_ text: String) {
            _ = text.withCString { send(client, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
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
        return (try Poller(wakeDescriptor: wake, tellsOfEveryClose: true), wake)
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
}
#endif
