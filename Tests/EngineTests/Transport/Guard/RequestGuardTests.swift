import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuValues

struct RequestGuardTests {
    /// Addresses of public servers, and what is close to those that are not.
    private static let allowed = [
        "1.0.0.0", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0",
        "192.0.3.0", "192.88.98.255", "192.88.100.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
        "198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255", "192.31.196.1",
        "192.52.193.1", "168.63.129.15", "93.184.216.34", "2000::", "2001:200::1", "2001:4860:4860::8888",
        "2606:4700::1111", "2620:4f:8000::1", "2a00:1450::1", "2001:db7:ffff::", "2001:db9::", "3ffe::1", "3fff:1000::",
        "2003::1", "::ffff:8.8.8.8", "::8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1", "2001:0:808:808::f7f7:f7f7",
    ]

    private static let forbidden = [
        "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.100.100.200", "100.127.255.255",
        "127.0.0.0", "127.0.0.1", "127.255.255.255", "169.254.0.0", "169.254.169.254", "169.254.255.255", "172.16.0.0",
        "172.31.255.255", "192.0.0.0", "192.0.0.9", "192.0.0.192", "192.0.0.255", "192.0.2.0", "192.0.2.255",
        "192.88.99.0", "192.88.99.255", "192.168.0.0", "192.168.255.255", "198.18.0.0", "198.19.255.255",
        "198.51.100.0", "198.51.100.255", "203.0.113.0", "203.0.113.255", "224.0.0.0", "239.255.255.255", "240.0.0.0",
        "255.255.255.254", "255.255.255.255", "168.63.129.16", "::", "::1", "100::", "100::ffff:ffff:ffff:ffff",
        "100:0:0:1::1", "2001:1::1", "2001:2::", "2001:10::", "2001:1ff:ffff::", "2001:db8::",
        "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "3fff::", "3fff:fff::1", "5f00::1", "fc00::", "fd00:ec2::254",
        "fdff::1", "fe80::", "fe80::1", "febf::1", "fec0::1", "feff::1", "ff00::", "ff02::1",
        "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "64:ff9b:1::1", "64:ff9b:1:ffff::8.8.8.8", "1::1", "4000::1",
        "8000::1", "fe00::1", "::ffff:0:127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254",
        "::ffff:0.0.0.0", "::ffff:168.63.129.16", "::2", "::127.0.0.1", "::10.0.0.1", "64:ff9b::127.0.0.1",
        "64:ff9b::10.0.0.1", "64:ff9b::169.254.169.254", "64:ff9b::168.63.129.16", "64:ff9b::1:8.8.8.8",
        "2002:7f00:1::1", "2002:a00:1::", "2002:a9fe:a9fe::", "2002:a83f:8110::",
        // Teredo: the server, the client, whose bits are inverted, and both.
        "2001:0:7f00:1::f7f7:f7f7", "2001:0:808:808::80ff:fffe", "2001:0:a00:1::f5ff:fffe", "2001::1",
    ]

    @Test func thereAreManyRows() {
        #expect(Set(Self.allowed + Self.forbidden).count == Self.allowed.count + Self.forbidden.count)
        #expect(Self.allowed.count + Self.forbidden.count >= 120)
    }

    @Test(arguments: allowed)
    func publicServersAreAllowed(_ text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(RequestGuard().refusal(of: address) == nil)
    }

    @Test(arguments: forbidden)
    func everythingElseIsForbidden(_ text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(RequestGuard().refusal(of: address) != nil)
    }

    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1 is a loopback address (127.0.0.0/8)"),
        ("::ffff:a00:1", "::ffff:10.0.0.1 leads to 10.0.0.1, a private address (10.0.0.0/8)"),
        ("2002:a9fe:a9fe::", "2002:a9fe:a9fe:: leads to 169.254.169.254, a link-local address (169.254.0.0/16)"),
        ("168.63.129.16", "168.63.129.16 is in the forbidden block 168.63.129.16/32"),
        ("4000::1", "4000::1 is a reserved address (::/0)"),
    ])
    func theReasonNamesTheRule(_ row: (String, String)) throws {
        #expect(RequestGuard().refusal(of: try #require(IPAddress(row.0))) == row.1)
    }

    @Test(arguments: [
        // An exception, also for what leads to it.
        ("127.0.0.1", true), ("::ffff:127.0.0.1", true), ("64:ff9b::127.0.0.1", true), ("127.0.0.2", false),
        ("10.1.2.3", true), ("2002:a01:203::1", true), ("fd00::1", true), ("fd01::1", false),
        // A further block, inside an exception and elsewhere, also for what leads to it.
        ("10.9.0.1", false), ("::ffff:10.9.0.1", false), ("8.8.8.8", false), ("64:ff9b::8.8.8.8", false),
        ("2001:0:808:808::f7f7:f7f7", false), ("2606:4700::1", false), ("8.8.4.4", true),
        // An exception for an address that embeds another one, which is not excepted itself.
        ("64:ff9b::192.168.0.1", true), ("192.168.0.1", false), ("64:ff9b::192.168.0.2", false),
        // Both addresses of Teredo count.
        ("2001:0:a01:203::80ff:fffe", true), ("2001:0:a01:203::3f57:fffe", false),
    ])
    func exceptionsAndFurtherBlocks(_ row: (String, Bool)) throws {
        var requestGuard = RequestGuard()
        requestGuard.allowedBlocks = try [
            "127.0.0.1/32", "10.0.0.0/8", "fd00::/16", "64:ff9b::192.168.0.1", "8.8.0.0/16",
        ].map { try AddressBlock($0) }
        requestGuard.forbiddenBlocks = try ["10.9.0.0/16", "8.8.8.0/24", "2606:4700::/32"].map { try AddressBlock($0) }
        #expect((requestGuard.refusal(of: try #require(IPAddress(row.0))) == nil) == row.1)
    }

    @Test(arguments: [
        ("http://a.example/", true), ("https://a.example/", true), ("http://a.example:80/", true),
        ("http://a.example:443/", true), ("http://a.example:8080/", false), ("https://a.example:22/", false),
        ("http://[2606:4700::1]/", true), ("http://[2606:4700::1]:6379/", false), ("http://1.2.3.4/", true),
        ("http://metadata.google.internal/", false), ("http://METADATA.google.INTERNAL/", false),
        ("http://metadata.google.internal./", false), ("http://a.metadata.google.internal/", false),
        ("http://xmetadata.google.internal/", true), ("http://google.internal/", true),
        ("http://metadata.goog/", false), ("http://0x7f.1/", false), ("http://127.1/", false),
        ("http://2130706433/", false), ("http://0177.0.0.1/", false), ("http://0x7f000001/", false),
        ("http://0/", false), ("http://1.2.3.4./", true), ("http://1.2.3.04/", false), ("http://1.2.3.256/", false),
        ("http://1.2.3.4.5/", false), ("http://a.1/", false), ("http://a.0x1/", false), ("http://1.example/", true),
        ("http://1a/", true), ("http://0x.example/", true),
    ])
    func hostsAndPorts(_ row: (String, Bool)) throws {
        let target = try RequestTarget(Fixture.url(row.0))
        #expect((RequestGuard().refusal(of: target) == nil) == row.1)
    }

    @Test func settingsChangeTheRules() throws {
        var requestGuard = RequestGuard()
        requestGuard.allowedPorts = nil
        requestGuard.requiresHTTPS = true
        requestGuard.forbiddenHosts = ["Internal.Example.", ".corp", ""]
        func isAllowed(_ url: String) throws -> Bool {
            requestGuard.refusal(of: try RequestTarget(Fixture.url(url))) == nil
        }
        #expect(try isAllowed("https://a.example:6379/"))
        #expect(try !isAllowed("http://a.example/"))
        #expect(try !isAllowed("https://internal.example/"))
        #expect(try !isAllowed("https://db.internal.example/"))
        #expect(try !isAllowed("https://git.corp/"))
        #expect(try isAllowed("https://metadata.google.internal/"))
        requestGuard.allowedPorts = []
        #expect(try !isAllowed("https://a.example/"))
    }

    @Test func settingsAreShown() {
        var requestGuard = RequestGuard()
        requestGuard.allowedPorts = [8080, 80]
        #expect(
            "\(requestGuard)"
                == "RequestGuard(allowedBlocks: [], forbiddenBlocks: [168.63.129.16/32], allowedPorts: [80, 8080], "
                + "requiresHTTPS: false, forbiddenHosts: [\"metadata.goog\", \"metadata.google.internal\"])"
        )
        var configuration = TransportConfiguration()
        #expect("\(configuration)".contains("requestGuard: none"))
        configuration.requestGuard = requestGuard
        #expect("\(configuration)".contains("[80, 8080]"))
        #expect(configuration != TransportConfiguration())
    }

    @Test func targetsKnowTheirHostAndPort() throws {
        let rows = [
            ("http://A.example/b:1", "a.example", 80), ("https://u:p@a.example:8443", "a.example", 8443),
            ("http://[::1]:81/", "[::1]", 81), ("https://[FE80::1%25eth0]", "[fe80::1%25eth0]", 443),
        ]
        for (url, host, port) in rows {
            let target = try RequestTarget(Fixture.url(url))
            #expect(target.host == host && target.port == port)
        }
    }

    #if os(Linux)
    /// Judges what the system's resolver makes of a host, without asking a name server.
    @Test(arguments: [
        "0x7f.1", "2130706433", "127.1", "0177.0.0.1", "0x7f000001", "0", "127.0.1", "::ffff:127.0.0.1", "::1",
        "::127.0.0.1", "fe80::1", "0x0a.1", "3232235777",
    ])
    func addressesInOtherNotationsAreForbiddenAsAddressesToo(_ host: String) throws {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        try #require(getaddrinfo(host, "80", &hints, &list) == 0)
        defer { freeaddrinfo(list) }
        let found = try #require(list)
        let bytes = UnsafeRawBufferPointer(start: found.pointee.ai_addr, count: Int(found.pointee.ai_addrlen))
        #expect(RequestGuard().refusal(ofSocketAddress: bytes)?.contains("address") == true)
    }

    @Test func whatIsNoInternetAddressIsForbidden() {
        var unix = sockaddr_un()
        unix.sun_family = sa_family_t(AF_UNIX)
        withUnsafeBytes(of: &unix) { #expect(RequestGuard().refusal(ofSocketAddress: $0) != nil) }
        var ipv6 = sockaddr_in6()
        ipv6.sin6_family = sa_family_t(AF_INET6)
        withUnsafeBytes(of: &ipv6) { bytes in
            for count in 0..<24 {
                let cut = UnsafeRawBufferPointer(rebasing: bytes[..<count])
                #expect(RequestGuard().refusal(ofSocketAddress: cut) == "it is not an IP address")
            }
        }
    }

    @Test func thePortOfTheSocketCounts() {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x0808_0808).bigEndian
        for (port, isAllowed) in [(80, true), (443, true), (8080, false)] {
            address.sin_port = UInt16(port).bigEndian
            withUnsafeBytes(of: &address) {
                #expect((RequestGuard().refusal(ofSocketAddress: $0) == nil) == isAllowed)
            }
        }
    }
    #endif
}
