#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#endif

/// The reason to refuse a route or a network setting before anything is sent.
package struct NetworkRefusal: Error, Hashable {
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }

    /// The maximum length of a Unix socket's path, in bytes: `sun_path` without its NUL.
    static let maximumSocketPath = 107

    /// Checks the path or the name of a Unix socket.
    package static func checkSocket(_ text: String) throws(NetworkRefusal) {
        guard (1...maximumSocketPath).contains(text.utf8.count), !text.utf8.contains(0) else {
            throw NetworkRefusal("the name of a Unix socket has 1 to \(maximumSocketPath) bytes without NUL")
        }
    }

    /// Checks a port.
    package static func checkPort(_ port: Int) throws(NetworkRefusal) {
        guard (1...65535).contains(port) else { throw NetworkRefusal("a port must be a number from 1 to 65535") }
    }

    /// Checks a host name or address, and returns it with brackets around IPv6; throws ``NetworkRefusal`` if it is neither.
    package static func host(_ host: String) throws(NetworkRefusal) -> String {
        if let address = address(host) { return bracketed(address) }
        guard isName(host) else { throw NetworkRefusal("a host is a name or an IP address") }
        return host
    }

    /// Returns an address without brackets; `nil` if the text is not an IPv4 or IPv6 address, with or without brackets.
    static func address(_ text: String) -> String? {
        guard !text.utf8.contains(0) else { return nil }
        var storage = in6_addr()
        if text.hasPrefix("["), text.hasSuffix("]") {
            let inner = String(text.dropFirst().dropLast())
            return inet_pton(AF_INET6, inner, &storage) == 1 ? inner : nil
        }
        return inet_pton(AF_INET, text, &storage) == 1 || inet_pton(AF_INET6, text, &storage) == 1 ? text : nil
    }

    /// Returns an address in brackets if it needs them.
    package static func bracketed(_ address: String) -> String { address.contains(":") ? "[\(address)]" : address }

    /// Checks an override of a name lookup; the key is a host and a port.
    ///
    /// - Returns: The host in its usual spelling with the port, and the addresses, IPv6 in brackets.
    /// - Throws: ``NetworkRefusal`` if one of them is invalid.
    static func override(
        _ key: String,
        _ addresses: [String]
    ) throws(NetworkRefusal) -> (server: String, addresses: [String]) {
        let parts = key.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, isName(String(parts[0])), let port = number(parts[1]) else {
            throw NetworkRefusal("the key of an address override is a host name, a colon and a port")
        }
        try checkPort(port)
        let valid = addresses.compactMap { address($0).map(bracketed) }
        guard !valid.isEmpty, valid.count == addresses.count else {
            throw NetworkRefusal("an address override must have at least one IP address")
        }
        let server = "\(RequestTarget.usualHost(Substring(parts[0].lowercased()))):\(port)"
        return (server, valid)
    }

    /// Checks the name of a network interface.
    static func checkInterface(_ name: String) throws(NetworkRefusal) {
        guard (1...15).contains(name.utf8.count),
            name.utf8.allSatisfy({ isAlphanumeric($0) || [0x2E, 0x5F, 0x2D, 0x3A, 0x40].contains($0) })
        else { throw NetworkRefusal("the name of a network interface has 1 to 15 letters, digits and .-_:@") }
    }

    /// Converts a duration to whole units, rounded up.
    ///
    /// - Parameters:
    ///   - duration: The duration to convert.
    ///   - unit: The unit.
    ///   - minimum: The smallest allowed number of units.
    ///   - name: The setting's name in errors.
    /// - Returns: The number of units; longer durations count as about 24 days.
    /// - Throws: ``NetworkRefusal`` if the duration is too short.
    static func units(
        _ duration: Duration,
        of unit: Duration,
        atLeast minimum: Int,
        _ name: String
    ) throws(NetworkRefusal) -> Int {
        guard duration >= .zero, minimum == 0 || duration > .zero else {
            throw NetworkRefusal("\(name) must be \(minimum == 0 ? "at least" : "more than") zero")
        }
        let (nanoseconds, size) = (duration.clampedNanoseconds, unit.clampedNanoseconds)
        let count = nanoseconds / size + (nanoseconds % size == 0 ? 0 : 1)
        return Int(min(count, Int64(Int32.max) / (size >= 1_000_000_000 ? 1000 : 1)))
    }

    private static func number(_ digits: Substring) -> Int? {
        guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(digits)
    }

    /// Whether a text is a host name that consists of characters accepted by ``RequestTarget``.
    private static func isName(_ text: String) -> Bool {
        (1...253).contains(text.utf8.count)
            && text.utf8.allSatisfy { isAlphanumeric($0) || [0x2D, 0x2E, 0x5F, 0x7E].contains($0) }
            // A host name cannot start with a hyphen (RFC 952).
            && text.utf8.first != 0x2D
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
