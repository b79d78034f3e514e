#if os(Linux)
import Glibc
import PiuPiuEngine
import Testing

struct BoundSocketTests {
    /// A server of another test that got the number on 127.0.0.1 would not be found as `localhost`, whose first address is ::1.
    @Test func aPortOnIPv6IsNobodysOnIPv4() throws {
        guard let listener = try? Listener("::1") else { return }
        let others = try LocalNetwork.current().addresses.filter { $0.hostText == "::1" }
        #expect(others.count == 1)
        for address in others + [listener.address] {
            let place = try #require(SocketAddress(literal: "127.0.0.1", port: address.port))
            #expect(BoundSocket(place, backlog: 1) == nil)
            #expect(errno == EADDRINUSE)
        }
    }
}
#endif
