#if os(Linux)
import PiuPiuTesting
import Testing

@testable import TestSupport

struct HeldPortTests {
    @Test func onlyAProgramThatIsToldThePortListensThere() throws {
        let held = try HeldPort()
        // As a server does that takes any port, and an outgoing connection.
        #expect(throws: AddressListener.Refusal.self) { try AddressListener("127.0.0.1", port: held.port) }
        for _ in 0..<100 { #expect(try AddressListener("127.0.0.1").port != held.port) }
        // Nobody listens yet.
        #expect(!Sockets.canConnect(to: held.port))
        let program = try AddressListener.bound(to: "127.0.0.1", held.port, backlog: 1, allowsReuse: true)
        defer { Sockets.end(program.socket) }
        #expect(Sockets.canConnect(to: held.port))
    }
}
#endif
