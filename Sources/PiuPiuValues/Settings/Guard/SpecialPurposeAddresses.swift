/// The addresses that do not belong to public servers.
///
/// They are the rows of IANA's special-purpose registries for IPv4 and IPv6 (RFC 6890, RFC 8190) that are not "globally
/// reachable", multicast (RFC 5771, RFC 4291 §2.7), and all IPv6 addresses outside of `2000::/3`, the only part from which
/// hosts get addresses. The registry makes exceptions inside some rows for routers' anycast services (such as `192.0.0.9` and
/// `2001:1::1`). This list makes none, because these services are not web servers.
///
/// Addresses that embed an IPv4 address are not listed: the guard checks ``IPAddress/embedded`` instead.
/// Addresses that embed one of IPv4 are not listed: ``IPAddress/embedded`` is judged in their place.
enum SpecialPurposeAddresses {
    typealias Row = (block: AddressBlock, kind: String)

    /// Returns the block of a non-public address and its purpose; `nil` for the address of a public server.
    static func row(of address: IPAddress) -> Row? {
        if address.isIPv4 { return ipv4.first { $0.block.contains(address) } }
        return ipv6.first { $0.block.contains(address) }
            ?? (unicast.contains(address) ? nil : (rest, "a reserved address"))
    }

    private static let ipv4: [Row] = [
        row(0, 0, 0, 0, 8, "an address of this network"),
        row(10, 0, 0, 0, 8, "a private address"),
        row(100, 64, 0, 0, 10, "a shared address of providers"),
        row(127, 0, 0, 0, 8, "a loopback address"),
        row(169, 254, 0, 0, 16, "a link-local address"),
        row(172, 16, 0, 0, 12, "a private address"),
        row(192, 0, 0, 0, 24, "an address of protocols"),
        row(192, 0, 2, 0, 24, "an address for documentation"),
        row(192, 88, 99, 0, 24, "an address of 6to4 relays"),
        row(192, 168, 0, 0, 16, "a private address"),
        row(198, 18, 0, 0, 15, "an address for benchmarks"),
        row(198, 51, 100, 0, 24, "an address for documentation"),
        row(203, 0, 113, 0, 24, "an address for documentation"),
        row(224, 0, 0, 0, 4, "a multicast address"),
        row(255, 255, 255, 255, 32, "the broadcast address"),
        row(240, 0, 0, 0, 4, "a reserved address"),
    ]

    private static let ipv6: [Row] = [
        row(0, 0, 128, "the unspecified address"),
        row(0, 1, 128, "a loopback address"),
        row(0x0064_FF9B_0001_0000, 0, 48, "an address of a local NAT64"),
        row(0x0100_0000_0000_0000, 0, 64, "an address for discarding"),
        row(0x0100_0000_0000_0001, 0, 64, "a dummy address"),
        row(0x2001_0000_0000_0000, 0, 23, "an address of protocols"),
        row(0x2001_0DB8_0000_0000, 0, 32, "an address for documentation"),
        row(0x3FFF_0000_0000_0000, 0, 20, "an address for documentation"),
        row(0x5F00_0000_0000_0000, 0, 16, "an identifier of segment routing"),
        row(0xFC00_0000_0000_0000, 0, 7, "a private address"),
        row(0xFE80_0000_0000_0000, 0, 10, "a link-local address"),
        row(0xFEC0_0000_0000_0000, 0, 10, "a site-local address"),
        row(0xFF00_0000_0000_0000, 0, 8, "a multicast address"),
    ]

    private static let unicast = AddressBlock(IPAddress(high: 0x2000_0000_0000_0000, low: 0), prefixLength: 3)
    private static let rest = AddressBlock(IPAddress(high: 0, low: 0), prefixLength: 0)

    private static func row(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32, _ length: Int, _ kind: String) -> Row {
        (AddressBlock(IPAddress(a << 24 | b << 16 | c << 8 | d), prefixLength: length), kind)
    }

    private static func row(_ high: UInt64, _ low: UInt64, _ length: Int, _ kind: String) -> Row {
        (AddressBlock(IPAddress(high: high, low: low), prefixLength: length), kind)
    }
}
