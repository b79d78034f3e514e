/// The addresses that a configuration sets for hosts, regardless of a host's spelling.
package struct AddressOverrides: Sendable, Hashable {
    /// The addresses by the host in its usual spelling and the port; IPv6 addresses are in brackets.
    package private(set) var addressesByServer: [String: [String]] = [:]

    /// Creates a table without overrides.
    package init() {}

    /// Checks overrides as in ``NetworkConfiguration/resolve``; throws ``NetworkRefusal`` for an invalid or a duplicate one.
    package init(_ addresses: [String: [String]]) throws(NetworkRefusal) {
        for (key, addresses) in addresses.sorted(by: { $0.key < $1.key }) {
            let (server, valid) = try NetworkRefusal.override(key, addresses)
            guard addressesByServer.updateValue(valid, forKey: server) == nil else {
                throw NetworkRefusal("there are two address overrides for the same host and port")
            }
        }
    }

    /// Whether there are no overrides.
    package var isEmpty: Bool { addressesByServer.isEmpty }

    /// Returns the configured addresses of a host, without brackets; `nil` if the host must be looked up.
    ///
    /// The host is in lower case, and an IPv6 address in brackets.
    package func addresses(of host: Substring, port: Int) -> [String]? {
        guard !isEmpty else { return nil }
        guard let addresses = addressesByServer["\(RequestTarget.usualHost(host)):\(port)"] else { return nil }
        return addresses.map { $0.hasPrefix("[") ? String($0.dropFirst().dropLast()) : $0 }
    }
}
