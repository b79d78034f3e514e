#if os(Linux)
import Glibc

/// Conversions from and to text.
extension SocketAddress {
    /// Parses an IP address with the rules of the system's resolver, without a lookup.
    ///
    /// The result is `nil` if the text is not an address, or its zone names no interface of this machine.
    /// `127.1`, `0x7f.0.0.1` and `2130706433` are IPv4 addresses (`inet_aton`). An IPv6 address has no brackets and may have a
    /// zone: the name or the number of an interface after `%`, or after `%25` as in a URL (RFC 6874).
    package init?(literal: some StringProtocol, port: UInt16) {
        // `inet_aton` ignores everything after a space.
        guard !literal.isEmpty, literal.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        guard literal.utf8.contains(UInt8(ascii: ":")) else {
            var address = in_addr()
            guard inet_aton(String(literal), &address) != 0 else { return nil }
            self.init(.v4(UInt32(bigEndian: address.s_addr), port: port))
            return
        }
        var (high, low) = (UInt64(0), UInt64(0))
        var address = in6_addr()
        let text = literal.prefix { $0 != "%" }
        guard inet_pton(AF_INET6, String(text), &address) == 1 else { return nil }
        withUnsafeBytes(of: &address) { bytes in
            high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
            low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        var scope = UInt32(0)
        if text.endIndex != literal.endIndex {
            guard let number = Self.scope(of: literal[literal.index(after: text.endIndex)...]) else { return nil }
            scope = number
        }
        self.init(.v6(high: high, low: low, scope: scope, port: port))
    }

    /// Returns the number of the interface that a zone names; `nil` if there is none.
    private static func scope(of zone: some StringProtocol) -> UInt32? {
        let name = zone.hasPrefix("25") && zone.utf8.count > 2 ? String(zone.dropFirst(2)) : String(zone)
        guard !name.isEmpty else { return nil }
        let index = if_nametoindex(name)
        if index != 0 { return UInt32(index) }
        return name.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt32(name) : nil
    }

    /// The address without the port and without brackets; IPv6 with its zone, if any, as a number.
    package var hostText: String {
        switch storage {
        case .v4(let bits, _):
            return [24, 16, 8, 0].map { "\(UInt8(truncatingIfNeeded: bits >> UInt32($0)))" }.joined(separator: ".")
        case .v6(_, _, let scope, _):
            return scope == 0 ? hostTextWithoutZone : "\(hostTextWithoutZone)%\(scope)"
        case .unix(let path): return String(decoding: path, as: UTF8.self)
        case .abstract(let name): return "@" + String(decoding: name, as: UTF8.self)
        }
    }

    /// ``hostText`` without the zone, which has no meaning on another machine.
    package var hostTextWithoutZone: String {
        guard case .v6(let high, let low, _, _) = storage else { return hostText }
        var bytes = (high.bigEndian, low.bigEndian)
        // INET6_ADDRSTRLEN.
        return String(unsafeUninitializedCapacity: 46) { buffer in
            buffer.withMemoryRebound(to: CChar.self) { text in
                guard inet_ntop(AF_INET6, &bytes, text.baseAddress, socklen_t(text.count)) != nil else { return 0 }
                return text.firstIndex(of: 0) ?? 0
            }
        }
    }

    /// The address and the port, such as `127.0.0.1:80` and `[::1]:80`; for a Unix socket the path, or `@` and the name.
    package var text: String {
        switch storage {
        case .v4: "\(hostText):\(port)"
        case .v6: "[\(hostText)]:\(port)"
        case .unix, .abstract: hostText
        }
    }
}

extension SocketAddress: CustomStringConvertible {
    /// The same as ``text``.
    package var description: String { text }
}
#endif
