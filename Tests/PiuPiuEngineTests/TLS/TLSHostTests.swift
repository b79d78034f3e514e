#if os(Linux)
import Testing

@testable import PiuPiuEngine

extension TLSTests {
    /// Hosts, and the sessions that are kept for origins.
    struct TLSHostTests {
        @Test(
            arguments: [
                ("example.test", .name("example.test")), ("example.test.", .name("example.test")),
                ("xn--e1afmkfd.test", .name("xn--e1afmkfd.test")), ("a_b.test", .name("a_b.test")),
                ("1a.test", .name("1a.test")), ("0xg", .name("0xg")), ("127.0.0.1", .address("127.0.0.1")),
                ("127.1", .address("127.0.0.1")), ("0177.0.0.1", .address("127.0.0.1")), ("1", .address("0.0.0.1")),
                ("127.0.0.1.", .address("127.0.0.1")), ("::1", .address("::1")), ("fe80::1%eth0", .address("fe80::1")),
                ("FE80:0:0::1", .address("fe80::1")), ("", nil), (".", nil), ("..", nil), (".a", nil), ("a..b", nil),
                ("1.2.3.4.5", .name("1.2.3.4.5")), ("256.1.1.1", .name("256.1.1.1")), ("node.1", .name("node.1")),
                ("srv.0x1f", .name("srv.0x1f")), ("a b", nil), ("127.0.0.1 x", nil), ("a\u{0}", nil), ("é", nil),
                ("[::1]", nil), ("a:b", nil), (String(repeating: "a", count: 256), nil),
            ] as [(String, TLSHost?)]
        )
        func hosts(_ host: String, _ expected: TLSHost?) {
            #expect(TLSHost(host) == expected)
        }
    }
}
#endif
