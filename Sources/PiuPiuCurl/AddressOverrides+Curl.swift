#if os(Linux)
import PiuPiuAsync

// libcurl compares hosts letter by letter. It therefore gets one spelling of each host, and connects to the host with that
// spelling in place of any other one.
extension AddressOverrides {
    /// The lines for libcurl, in a fixed order.
    var lines: [String] {
        addressesByServer.map { server, addresses in "\(server):\(addresses.joined(separator: ","))" }.sorted()
    }

    /// Returns the spelling of a host under which libcurl finds its addresses.
    ///
    /// - Parameters:
    ///   - host: The host in lower case; an IPv6 address is in brackets.
    ///   - port: The port.
    /// - Returns: The spelling; `nil` if the host has no addresses here, or has that spelling already.
    func otherSpelling(of host: Substring, port: Int) -> String? {
        guard !isEmpty else { return nil }
        let usual = RequestTarget.usualHost(host)
        guard usual != host, addressesByServer["\(usual):\(port)"] != nil else { return nil }
        return usual
    }

    /// Returns the spelling of a target's host under which libcurl finds its addresses, as for any host.
    func otherSpelling(of target: RequestTarget) -> String? {
        otherSpelling(of: target.host, port: target.port)
    }
}
#endif
