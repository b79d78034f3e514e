#if os(Linux)
import Testing

@testable import PiuPiuAsync

/// How connections are described to observers.
@Suite struct ConnectionDescriptionsTests {
    /// Describes a connection between two ends.
    private func describe(
        _ descriptions: inout ConnectionDescriptions,
        isReused: Bool = true,
        _ local: (String, UInt16) = ("127.0.0.1", 50_000),
        _ remote: (String, UInt16) = ("10.0.0.1", 443),
        version: String? = "HTTP/1.1",
        proxy: String? = nil
    ) -> ObservedConnection {
        Array(local.0.utf8).withUnsafeBufferPointer { localAddress in
            Array(remote.0.utf8).withUnsafeBufferPointer { remoteAddress in
                descriptions.describe(
                    isReused: isReused,
                    local: ConnectionDescriptions.End(address: localAddress, port: local.1),
                    remote: ConnectionDescriptions.End(address: remoteAddress, port: remote.1),
                    httpVersion: version,
                    proxy: proxy
                )
            }
        }
    }

    @Test(arguments: [
        ("127.0.0.1", 80, "127.0.0.1:80"), ("::1", 65535, "[::1]:65535"), ("10.0.0.1", 0, "10.0.0.1:0"),
        ("fe80::1%eth0", 10_000, "[fe80::1%eth0]:10000"), ("1.2.3.4", 9_999, "1.2.3.4:9999"),
    ])
    func addressesAreWrittenAsInURLs(_ address: String, _ port: UInt16, _ text: String) {
        var descriptions = ConnectionDescriptions()
        for isReused in [false, true, true] {
            let connection = describe(&descriptions, isReused: isReused, (address, port), (address, port))
            #expect(connection.localAddress == text && connection.remoteAddress == text)
            #expect(connection.isReused == isReused)
        }
    }

    /// All that differs by one thing, with the ports of one connection.
    private static let others: [(String, String, String?, String?)] = [
        ("127.0.0.10", "10.0.0.1", "HTTP/1.1", nil), ("127.0.0.1", "10.0.0.10", "HTTP/1.1", nil),
        ("127.0.0.1", "10.0.0.1", "HTTP/3", nil), ("127.0.0.1", "10.0.0.1", nil, nil),
        ("127.0.0.1", "10.0.0.1", "HTTP/1.1", "http://p:1"), ("127.0.0.1", "10.0.0", "HTTP/1.1", nil),
        ("127.0.0.1", "10.0.0.1:443", "HTTP/1.1", nil), ("::1", "10.0.0.1", "HTTP/1.1", nil),
        ("::", "::10", "HTTP/1.1", nil), ("::", "::1", "HTTP/1.1", nil), ("::", "::", "HTTP/1.1", nil),
    ]

    @Test(arguments: others.indices, others.indices)
    func aPortThatIsUsedAgainIsNotTakenForTheOldConnection(_ one: Int, _ other: Int) {
        var descriptions = ConnectionDescriptions()
        for index in [one, other, one] {
            let (local, remote, version, proxy) = Self.others[index]
            let connection = describe(&descriptions, (local, 1), (remote, 2), version: version, proxy: proxy)
            var fresh = ConnectionDescriptions()
            #expect(connection == describe(&fresh, (local, 1), (remote, 2), version: version, proxy: proxy))
        }
        #expect(descriptions.count == 1)
    }

    @Test func aConnectionThatIsUsedAgainIsDescribedOnce() {
        var descriptions = ConnectionDescriptions()
        #expect(!describe(&descriptions, isReused: false).isReused)
        #expect(descriptions.count == 0)
        let connection = describe(&descriptions)
        #expect(connection.isReused && descriptions.count == 1)
        #expect(describe(&descriptions) == connection)
    }

    @Test func noMoreAreKeptThanTheLimit() {
        var descriptions = ConnectionDescriptions()
        for port in 0..<3000 {
            _ = describe(&descriptions, ("127.0.0.1", UInt16(port)))
            #expect(descriptions.count <= ConnectionDescriptions.limit)
        }
        #expect(describe(&descriptions, ("127.0.0.1", 7)).localAddress == "127.0.0.1:7")
    }

    @Test func anEndWithoutAnAddressHasNone() {
        var descriptions = ConnectionDescriptions()
        let connection = descriptions.describe(isReused: true, local: nil, remote: nil, httpVersion: nil, proxy: nil)
        #expect(connection == ObservedConnection(isReused: true))
        #expect(descriptions.count == 0)
    }

    @Test func aDescriptionIsAValue() {
        let connection = ObservedConnection(isReused: true, localAddress: "a", httpVersion: "HTTP/2", proxy: "p")
        var other = connection
        #expect(other == connection && other.hashValue == connection.hashValue)
        other.remoteAddress = "b"
        other.isReused = false
        #expect(connection.remoteAddress == nil && connection.isReused && other != connection)
        #expect("\(other)" == "ObservedConnection(new, from a, to b, HTTP/2, through p)")
    }
}
#endif
