#if os(Linux)
import Glibc

/// The host that a server's certificate must be for.
enum TLSHost: Equatable {
    /// A DNS name without a trailing dot, which is also used for SNI.
    case name(String)
    /// An address in its normal form.
    case address(String)

    /// Reads a host, a DNS name in ASCII or an IP address without brackets; `nil` if no certificate can be checked for it.
    ///
    /// Every spelling of an IPv4 address that name lookups accept, such as `127.1`, is that address, and the certificate must
    /// be for the address. Any other name that ends in a number, such as `node.1`, is looked up and certified as a name.
    init?(_ host: String) {
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        // OpenSSL would read a name that begins with a dot as "any name below".
        guard !name.isEmpty, name.utf8.count <= 255, !name.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) else {
            return nil
        }
        let labels = name.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard !labels.contains(where: \.isEmpty) else { return nil }
        if name.contains(":") {
            guard let address = Self.canonicalIPv6(name.prefix { $0 != "%" }) else { return nil }
            self = .address(address)
        } else if let address = Self.canonicalIPv4(name) {
            self = .address(address)
        } else {
            self = .name(name)
        }
    }

    private static func canonicalIPv4(_ text: String) -> String? {
        var address = in_addr()
        guard inet_aton(text, &address) != 0 else { return nil }
        return Self.text(AF_INET, &address)
    }

    private static func canonicalIPv6(_ text: Substring) -> String? {
        var address = in6_addr()
        guard inet_pton(AF_INET6, String(text), &address) == 1 else { return nil }
        return Self.text(AF_INET6, &address)
    }

    private static func text(_ family: Int32, _ address: UnsafeRawPointer) -> String? {
        let capacity = Int(INET6_ADDRSTRLEN)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
            guard let start = buffer.baseAddress, inet_ntop(family, address, start, socklen_t(capacity)) != nil else {
                return nil
            }
            return String(cString: start)
        }
    }
}
#endif
