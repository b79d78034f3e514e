#if os(Linux)
import Glibc
#endif

/// The rules, which never wait.
extension RequestGuard {
    /// Returns the reason to refuse a target before its name is resolved; `nil` if the decision depends on its addresses.
    package func refusal(of target: RequestTarget) -> String? {
        if requiresHTTPS, !target.isSecure { return "https is required" }
        if let reason = refusal(ofPort: target.port) { return reason }
        let host = Self.normalized(target.host)
        if Self.isUnusualAddress(host) { return "\(host) is not an IPv4 address in its usual notation" }
        if let name = forbiddenHosts.first(where: { Self.isName(host, atOrBelow: Self.normalized($0)) }) {
            return "the host \(host) is forbidden by \(name)"
        }
        return nil
    }

    /// Returns the reason to refuse a port; `nil` if it is allowed.
    func refusal(ofPort port: Int) -> String? {
        guard let allowedPorts, !allowedPorts.contains(port) else { return nil }
        return "the port \(port) is not one of \(allowedPorts.sorted().map { "\($0)" }.joined(separator: ", "))"
    }

    /// Returns the reason to refuse a connection to an address; `nil` if it is allowed.
    ///
    /// ``forbiddenBlocks`` come first, then ``allowedBlocks``, and finally the check for public servers' addresses.
    func refusal(of address: IPAddress) -> String? {
        let embedded = address.embedded
        for address in [address] + embedded {
            if let block = forbiddenBlocks.first(where: { $0.contains(address) }) {
                return "\(address) is in the forbidden block \(block)"
            }
        }
        if allowedBlocks.contains(where: { $0.contains(address) }) { return nil }
        for final in embedded.isEmpty ? [address] : embedded {
            if allowedBlocks.contains(where: { $0.contains(final) }) { continue }
            guard let (block, kind) = SpecialPurposeAddresses.row(of: final) else { continue }
            return (final == address ? "\(address) is \(kind)" : "\(address) leads to \(final), \(kind)")
                + " (\(block))"
        }
        return nil
    }

    // MARK: Names

    /// Returns a name in lower case and without trailing dots.
    private static func normalized(_ name: some StringProtocol) -> String {
        var name = name.lowercased()
        while name.hasSuffix(".") { name.removeLast() }
        return name
    }

    private static func isName(_ host: String, atOrBelow name: String) -> Bool {
        let name = name.drop { $0 == "." }
        return !name.isEmpty && (host == name || host.hasSuffix("." + name))
    }

    /// Whether a resolver may take a host for an IPv4 address that is not in its usual notation.
    ///
    /// The system's resolver accepts `0x7f.1`, `127.1` and `2130706433` as addresses. No name ends in a number (the "ends in a
    /// number checker" of the WHATWG's URL Standard).
    private static func isUnusualAddress(_ host: String) -> Bool {
        guard !host.hasPrefix("["), let last = host.split(separator: ".", omittingEmptySubsequences: false).last else {
            return false
        }
        let isDecimal = !last.isEmpty && last.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return (isDecimal || last.hasPrefix("0x")) && IPAddress(host) == nil
    }
}

extension RequestTarget {
    /// The host in lower case; an IPv6 address is in brackets.
    package var host: Substring { authority.prefix(upTo: authority.lastIndex(of: ":") ?? authority.endIndex) }

    package var port: Int {
        authority.lastIndex(of: ":").flatMap { Int(authority[authority.index(after: $0)...]) } ?? 0
    }

    private var authority: Substring { origin.drop { $0 != "/" }.dropFirst(2) }
}

#if os(Linux)
extension RequestGuard {
    /// Returns the reason to refuse the address in a `sockaddr`; `nil` if the connection may be opened.
    package func refusal(ofSocketAddress bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.count >= 8 else { return "it is not an IP address" }
        let part: Range<Int>
        switch (Int32(bytes.loadUnaligned(as: sa_family_t.self)), bytes.count) {
        case (AF_INET, 8...): part = 4..<8
        case (AF_INET6, 24...): part = 8..<24
        default: return "it is not an IP address"
        }
        guard let address = IPAddress(bytes: bytes[part]) else { return "it is not an IP address" }
        // A route or an alternative service can lead to another port than the URL's.
        return refusal(of: address) ?? refusal(ofPort: Int(bytes[2]) << 8 | Int(bytes[3]))
    }
}
#endif
