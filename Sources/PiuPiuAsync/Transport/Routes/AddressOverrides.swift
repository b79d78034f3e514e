/// The addresses that a configuration has for hosts, under any spelling of a host.
package struct AddressOverrides: Sendable, Hashable {
    /// The addresses by the host in its usual spelling and the port; IPv6 is in brackets.
    package private(set) var addressesByServer: [String: [String]] = [:]

    /// Creates a table without overrides.
    package init() {}

    /// Checks overrides.
    ///
    /// - Parameter addresses: The addresses by host and port, as in ``NetworkConfiguration/resolve``.
    /// - Throws: ``NetworkRefusal`` if one of them is not as it has to be, or two are for the same server.
    package init(_ addresses: [String: [String]]) throws(NetworkRefusal) {
        for (key, addresses) in addresses.sorted(by: { $0.key < $1.key }) {
            let (server, valid) = try NetworkRefusal.override(key, addresses)
            guard addressesByServer.updateValue(valid, forKey: server) == nil else {
                throw NetworkRefusal("there are two address overrides for the same host and port")
            }
        }
    }

    /// Whether there are none.
    package var isEmpty: Bool { addressesByServer.isEmpty }

    /// Returns the addresses of a host in place of a lookup.
    ///
    /// - Parameters:
    ///   - host: The host in lower case; an IPv6 address is in brackets.
    ///   - port: The port.
    /// - Returns: The addresses without brackets; `nil` if they are to be looked up.
    func addresses(of host: Substring, port: Int) -> [String]? {
        guard !isEmpty else { return nil }
        guard let addresses = addressesByServer["\(RequestTarget.usualHost(host)):\(port)"] else { return nil }
        return addresses.map { $0.hasPrefix("[") ? String($0.dropFirst().dropLast()) : $0 }
    }
}
