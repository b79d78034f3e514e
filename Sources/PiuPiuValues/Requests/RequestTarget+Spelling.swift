#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#endif

/// The single spelling for all hosts that mean the same server.
///
/// A transport connects to `a.example.`, `127.1` and `[0::1]`, and checks their certificates, like `a.example`, `127.0.0.1` and
/// `[::1]`. A configuration's settings for a server must not depend on the spelling that a URL uses.
extension RequestTarget {
    /// The origin, with the host in its usual spelling; for looking up settings, never for sending.
    package var usualOrigin: String { Self.usualOrigin(origin, dropsZone: false) }

    /// Like ``usualOrigin``, without the zone of an IPv6 address, which certificates never contain.
    package var certifiedOrigin: String { Self.usualOrigin(origin, dropsZone: true) }

    /// The host in its usual spelling; an IPv6 address is in brackets.
    var usualHost: String { Self.usualHost(host) }

    /// The host for which a certificate must be valid: a name without a trailing dot, or an address without brackets and zone.
    package var certifiedHost: String {
        let host = Self.usualHost(host, dropsZone: true)
        return host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    }

    private static func usualOrigin(_ origin: String, dropsZone: Bool) -> String {
        guard let start = origin.firstRange(of: "://")?.upperBound, let end = origin.lastIndex(of: ":") else {
            return origin
        }
        let host = origin[start..<max(start, end)]
        let usual = usualHost(host, dropsZone: dropsZone)
        return usual == host ? origin : origin[..<start] + usual + origin[end...]
    }

    /// Returns a host in its usual spelling, with or without the zone of an IPv6 address; an IPv6 address is in brackets.
    package static func usualHost(_ host: Substring, dropsZone: Bool = false) -> String {
        if host.hasPrefix("[") {
            let literal = host.dropFirst().dropLast()
            let text = literal.prefix { $0 != "%" }
            // An embedded IPv4 address may have a spelling that `IPAddress` does not use.
            guard let address = IPAddress(text) else { return String(host) }
            return "[\(address)\(dropsZone ? "" : literal[text.endIndex...])]"
        }
        var name = host
        // Names with and without trailing dots are the same host, regardless of how many dots a transport removes.
        while name.hasSuffix("."), name.count > 1 { name.removeLast() }
        guard let last = name.utf8.split(separator: 0x2E).last, let first = last.first, (0x30...0x39).contains(first)
        else { return String(name) }
        // The system's resolver reads 127.1, 0x7f.1, 017700000001 and 2130706433 as the same address.
        var address = in_addr()
        guard inet_aton(String(name), &address) != 0 else { return String(name) }
        return IPAddress(UInt32(bigEndian: address.s_addr)).description
    }
}
