#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#endif

/// One spelling for all that lead to the same server.
///
/// `a.example.`, `127.1` and `[0::1]` are connected to, and their certificates checked, like `a.example`, `127.0.0.1` and
/// `[::1]`. What a configuration says of a server must not depend on which of them a URL happens to have.
extension RequestTarget {
    /// The origin, with the host in its usual spelling; for looking up what a configuration says, never for sending.
    package var usualOrigin: String { Self.usualOrigin(origin, dropsZone: false) }

    /// Like ``usualOrigin``, without the zone of an IPv6 address, which no certificate has.
    package var certifiedOrigin: String { Self.usualOrigin(origin, dropsZone: true) }

    /// The host in its usual spelling; an IPv6 address is in brackets.
    var usualHost: String { Self.usualHost(host) }

    /// The host for which a certificate must be valid: a name without a dot at its end, or an address without brackets and
    /// zone.
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

    /// Returns a host in its usual spelling.
    ///
    /// - Parameters:
    ///   - host: The host in lower case; an IPv6 address is in brackets.
    ///   - dropsZone: Whether the zone of an IPv6 address is left out.
    /// - Returns: The host.
    package static func usualHost(_ host: Substring, dropsZone: Bool = false) -> String {
        if host.hasPrefix("[") {
            let literal = host.dropFirst().dropLast()
            let text = literal.prefix { $0 != "%" }
            // An IPv4 address at the end may have another spelling than the one of `IPAddress`.
            guard let address = IPAddress(text) else { return String(host) }
            return "[\(address)\(dropsZone ? "" : literal[text.endIndex...])]"
        }
        var name = host
        // Names with and without dots at the end are one host, however many of them a transport takes off.
        while name.hasSuffix("."), name.count > 1 { name.removeLast() }
        guard let last = name.utf8.split(separator: 0x2E).last, let first = last.first, (0x30...0x39).contains(first)
        else { return String(name) }
        // As the system's resolver reads it: 127.1, 0x7f.1, 017700000001 and 2130706433 are the same.
        var address = in_addr()
        guard inet_aton(String(name), &address) != 0 else { return String(name) }
        return IPAddress(UInt32(bigEndian: address.s_addr)).description
    }
}
