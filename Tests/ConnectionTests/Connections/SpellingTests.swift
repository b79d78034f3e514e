import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

/// What a configuration says of a server applies to every spelling of its host.
struct SpellingTests {
    /// Pairs of spellings that lead to the same server and need the same certificate.
    static let spellings = [
        ("a.example", "a.example."), ("a.example", "A.Example.."), ("127.0.0.1", "127.1"), ("127.0.0.1", "127.0.0.1."),
        ("127.0.0.1", "0x7f.0.0.1"), ("127.0.0.1", "017700000001"), ("127.0.0.1", "2130706433"),
        ("[::1]", "[0:0:0:0:0:0:0:1]"), ("[::1]", "[0::0.0.0.1]"), ("[fe80::a]", "[FE80:0::A]"),
    ]

    private func target(_ text: String) throws -> RequestTarget { try RequestTarget(Fixture.url(text)) }

    @Test(arguments: spellings) func theSettingsOfAnOriginAreNotEscaped(_ usual: String, _ other: String) throws {
        for (known, asked) in [(usual, other), (other, usual)] {
            var configuration = TransportConfiguration()
            var own = TLSConfiguration()
            own.minimumVersion = .tls13
            configuration.tlsByOrigin[Fixture.url("https://\(known)")] = own
            let rules = try TLSRules(configuration)
            let origin = try #require(rules.origin(for: target("https://\(asked):443/")))
            #expect(rules.byOrigin[origin]?.minimumVersion == .tls13)
        }
    }

    @Test(arguments: spellings) func pinsAreNotEscaped(_ usual: String, _ other: String) throws {
        var configuration = TransportConfiguration()
        configuration.tls.pins = [usual: [try SPKIPin(digest: Data(repeating: 7, count: 32))]]
        let rules = try TLSRules(configuration)
        let origin = try #require(rules.origin(for: target("https://\(other):8443/")))
        #expect(try rules.pins(of: origin).count == 1)
    }

    @Test func aZoneDoesNotHideAPin() throws {
        var configuration = TransportConfiguration()
        configuration.tls.pins = ["fe80::a": [try SPKIPin(digest: Data(repeating: 7, count: 32))]]
        let rules = try TLSRules(configuration)
        #expect(try rules.origin(for: target("https://[fe80::A%25eth0]/")) == "https://[fe80::a]:443")
    }

    @Test(arguments: spellings) func routesAreNotEscaped(_ usual: String, _ other: String) throws {
        var routes = Routes()
        routes[Fixture.url("http://\(other)")] = .unixSocket(path: "/x")
        #expect(routes[try target("http://\(usual):80/")] == .unixSocket(path: "/x"))
        #expect(routes[try target("http://\(usual):81/")] == nil)
        #expect(routes[try target("https://\(usual):80/")] == nil)
        routes[Fixture.url("http://\(usual)")] = nil
        #expect(routes.isEmpty)
    }

    @Test func otherServersStayOthers() throws {
        for (first, second) in [
            ("a.example", "b.example"), ("127.0.0.1", "127.2"), ("[::1]", "[::2]"), ("1.a", "2.a"),
            ("[fe80::1]", "[fe80::2]"), ("[::ffff:127.0.0.1]", "127.0.0.1"), ("[fe80::1%25a]", "[fe80::1%25b]"),
        ] {
            #expect(try target("http://\(first)").usualOrigin != target("http://\(second)").usualOrigin)
        }
        for host in ["a", ".", "256.1", "1.2.3.4.5", "[::g]", "4294967296", "0x", "a.1x"] {
            guard let target = try? target("http://\(host)/") else { continue }
            #expect(target.usualOrigin == target.origin)
        }
    }
}

#if os(Linux)
extension ConnectionNetworkTests {
    /// The same, with a server.
    @Suite(.enabled(if: TLSSettingsFixture.isAvailable, TLSSettingsFixture.need))
    struct SpellingNetworkTests {
        @Test(arguments: ["127.1", "0x7f.0.0.1", "2130706433", "127.0.0.1.", "localhost.", "LOCALHOST.."])
        func noSpellingGetsPastAPin(_ host: String) async throws {
            let fixture = try TLSSettingsFixture()
            let pin = try SPKIPin(digest: Data(repeating: 7, count: 32))
            let dispatcher = fixture.dispatcher { $0.tls.pins = ["127.0.0.1": [pin], "localhost": [pin]] }
            let url = fixture.server.url(fixture.server.http2, host: host)
            await #expect(throws: TransportError.self) { try await dispatcher.data(from: url) }
        }
    }
}
#endif
