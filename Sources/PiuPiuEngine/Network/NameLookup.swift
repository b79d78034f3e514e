#if os(Linux)
import Glibc

/// Looks up the addresses of names.
package enum NameLookup {
    /// Asks the system's resolver, and blocks until it answers, which can take many seconds.
    ///
    /// It is called on the threads of ``NameLookups``, because the resolver cannot be interrupted.
    ///
    /// - Parameters:
    ///   - host: The name, or an address as ``SocketAddress/init(literal:port:)`` takes it.
    ///   - port: The port of the resulting addresses.
    ///   - family: The versions of IP to ask for.
    /// - Returns: The addresses, at least one, in the resolver's order (RFC 6724) and without duplicates.
    package static func addresses(
        of host: String,
        port: UInt16,
        family: AddressFamily = .any
    ) -> Result<[SocketAddress], LookupFailure> {
        if let known = loopback(host, port: port, family: family) { return .success(known) }
        guard !host.isEmpty, !host.utf8.contains(0) else { return .failure(LookupFailure(.notFound, code: EAI_NONAME)) }
        var hints = addrinfo()
        hints.ai_family = family.number
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        errno = 0
        let code = getaddrinfo(host, nil, &hints, &list)
        // The resolver hides a lack of descriptors behind other codes.
        let reason = errno
        guard code == 0 else { return .failure(LookupFailure(code: code, errno: reason)) }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var known: Set<SocketAddress> = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ai_next
            guard let pointer = entry.ai_addr,
                let address = SocketAddress(pointer, length: entry.ai_addrlen)?.withPort(port),
                address.isIP, family.includes(address), known.insert(address).inserted
            else { continue }
            addresses.append(address)
        }
        guard !addresses.isEmpty else { return .failure(LookupFailure(.notFound, code: EAI_NONAME)) }
        return .success(addresses)
    }

    /// Returns the addresses of `localhost` and of the names below it, without a lookup (RFC 6761 §6.3).
    ///
    /// A remote resolver could answer with any address.
    ///
    /// - Parameters:
    ///   - host: The name, in any case and with or without a trailing dot.
    ///   - port: The port of the resulting addresses.
    ///   - family: The versions of IP.
    /// - Returns: The addresses; `nil` for any other name.
    package static func loopback(_ host: some StringProtocol, port: UInt16, family: AddressFamily) -> [SocketAddress]? {
        var name = Array(host.utf8)[...]
        if name.last == UInt8(ascii: ".") { name = name.dropLast() }
        let suffix = name.suffix(localhost.count)
        // A letter differs from its capital by one bit, and `localhost` contains only letters.
        guard suffix.elementsEqual(localhost, by: { $0 | 0x20 == $1 }) else { return nil }
        let rest = name.dropLast(localhost.count)
        guard rest.isEmpty || rest.last == UInt8(ascii: ".") && rest.count > 1 else { return nil }
        return [true, false].map { SocketAddress.loopback(isIPv6: $0, port: port) }.filter { family.includes($0) }
    }

    private static let localhost = Array("localhost".utf8)
}
#endif
