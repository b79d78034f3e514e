#if os(Linux)
import Glibc
import Testing

@testable import PiuPiuEngine

struct SocketAddressTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1:80"), ("127.1", "127.0.0.1:80"), ("0x7f.0.0.1", "127.0.0.1:80"),
        ("017700000001", "127.0.0.1:80"), ("2130706433", "127.0.0.1:80"), ("1.2.3", "1.2.0.3:80"),
        ("::1", "[::1]:80"), ("0:0::0:1", "[::1]:80"), ("::ffff:1.2.3.4", "[::ffff:1.2.3.4]:80"),
        ("FE80::A%1", "[fe80::a%1]:80"), ("fe80::a%lo", "[fe80::a%1]:80"), ("fe80::a%25lo", "[fe80::a%1]:80"),
        ("fe80::a%251", "[fe80::a%1]:80"), ("fe80::a%25", "[fe80::a%25]:80"),
    ])
    func literalsAreRead(_ literal: String, _ text: String) {
        #expect(SocketAddress(literal: literal, port: 80)?.text == text)
    }

    @Test(arguments: [
        "", " ", "a", "256.1", "1.2.3.4.5", "127.0.0.1 a", "127.0.0.1\0", "127.0.0.1\n", "::1%", "::1%nosuchif0", "::g",
        "[::1]", "1:2", "%lo", ":", "::1 ", "4294967296", "0x", "１.1.1.1", "fe80::1%4294967296", "localhost",
    ])
    func otherTextsAreNone(_ text: String) {
        #expect(SocketAddress(literal: text, port: 80) == nil)
    }

    @Test(arguments: ["1.2.3.4", "::1", "2001:db8::1234", "fe80::1%1"])
    func theSystemsFormIsTheSame(_ literal: String) throws {
        let address = try #require(SocketAddress(literal: literal, port: 0x1234))
        let read = address.withSockAddr { SocketAddress($0, length: $1) }
        #expect(read == address && read?.port == 0x1234 && read?.hashValue == address.hashValue)
        #expect(address.withPort(5).port == 5 && address.withPort(0x1234) == address)
        address.withBytes { bytes in
            #expect(bytes.loadUnaligned(as: sa_family_t.self) == sa_family_t(address.family))
            #expect(bytes[2] == 0x12 && bytes[3] == 0x34)
        }
        // Every part that is too short is refused, and none is read beyond its end.
        address.withSockAddr { pointer, length in
            for count in 0..<length { #expect(SocketAddress(pointer, length: count) == nil) }
        }
    }

    @Test(arguments: [1, 2, 106, 107]) func unixSocketsHaveNames(_ count: Int) throws {
        let name = String(repeating: "p", count: count)
        for address in [SocketAddress.unixSocket(path: name), .abstractSocket(name: name)] {
            let address = try #require(address)
            #expect(address.withSockAddr { SocketAddress($0, length: $1) } == address)
            #expect(!address.isIP && address.port == 0 && address.withPort(5) == address)
        }
        #expect(SocketAddress.unixSocket(path: name) != SocketAddress.abstractSocket(name: name))
    }

    @Test func wrongNamesAreRefused() {
        for name in ["", "a\0b", String(repeating: "p", count: 108), String(repeating: "é", count: 54)] {
            #expect(SocketAddress.unixSocket(path: name) == nil && SocketAddress.abstractSocket(name: name) == nil)
        }
    }

    @Test func socketsTellTheirAddresses() throws {
        let listener = try Listener("127.0.0.1")
        #expect(SocketAddress.local(of: listener.descriptor) == listener.address)
        #expect(SocketAddress.remote(of: listener.descriptor) == nil)
        #expect(SocketAddress.local(of: -1) == nil)
        var pair: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        defer { for descriptor in pair { close(descriptor) } }
        // Without a name.
        #expect(SocketAddress.local(of: pair[0]) == nil)
    }

    @Test func thePROXYProtocolTellsTheEnds() {
        let v4 = SocketAddress(literal: "10.0.0.1", port: 1000)
        let v6 = SocketAddress(literal: "fe80::1%1", port: 2000)
        func line(_ client: String?, _ local: SocketAddress?, _ remote: SocketAddress?) -> String {
            let header = ProxyProtocolHeader(client: client.flatMap { SocketAddress(literal: $0, port: 0) })
            return String(decoding: header.bytes(local: local, remote: remote), as: UTF8.self)
        }
        #expect(line(nil, v4, v4?.withPort(80)) == "PROXY TCP4 10.0.0.1 10.0.0.1 1000 80\r\n")
        #expect(line(nil, v6, v6?.withPort(80)) == "PROXY TCP6 fe80::1 fe80::1 2000 80\r\n")
        #expect(line("192.0.2.7", v4, v4?.withPort(80)) == "PROXY TCP4 192.0.2.7 10.0.0.1 1000 80\r\n")
        #expect(line("2001:db8::7", v6, v6?.withPort(80)) == "PROXY TCP6 2001:db8::7 fe80::1 2000 80\r\n")
        #expect(line("192.0.2.7", v6, v6?.withPort(80)) == "PROXY TCP6 ::ffff:192.0.2.7 fe80::1 2000 80\r\n")
        #expect(line("2001:db8::7", v4, v4?.withPort(80)) == "PROXY TCP6 2001:db8::7 ::ffff:10.0.0.1 1000 80\r\n")
        let unix = SocketAddress.unixSocket(path: "/a")
        for (local, remote) in [(unix, unix), (nil, unix), (nil, nil), (v4, nil)] {
            #expect(line("192.0.2.7", local, remote) == "PROXY UNKNOWN\r\n")
        }
    }
}
#endif
