/// An IPv4 or IPv6 address.
package struct IPAddress: Hashable, Sendable {
    let isIPv4: Bool
    /// The first 64 bits of an IPv6 address; 0 for IPv4.
    let high: UInt64
    /// The last 64 bits of an IPv6 address, or the 32 bits of an IPv4 address.
    let low: UInt64

    var bitWidth: Int { isIPv4 ? 32 : 128 }

    /// Creates an IPv4 address.
    init(_ bits: UInt32) {
        isIPv4 = true
        high = 0
        low = UInt64(bits)
    }

    /// Creates an IPv6 address.
    init(high: UInt64, low: UInt64) {
        isIPv4 = false
        self.high = high
        self.low = low
    }

    /// Parses an address in its usual notation.
    ///
    /// This is four decimal numbers without leading zeros, or RFC 4291 §2.2 without brackets and without a zone.
    package init?(_ text: some StringProtocol) {
        let characters: (UInt8) -> Bool = { $0.isHexDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":") }
        guard text.utf8.count < 64, text.utf8.allSatisfy(characters) else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        // Other parsers take a leading zero as the mark of an octal number.
        guard !parts.dropFirst().contains(where: { $0.count > 1 && $0.hasPrefix("0") }) else { return nil }
        if text.utf8.contains(UInt8(ascii: ":")) {
            guard let bytes = Self.bytes(of: String(text), family: AF_INET6, count: 16) else { return nil }
            self.init(high: Self.number(bytes[..<8]), low: Self.number(bytes[8...]))
        } else {
            guard parts.count == 4, !(parts[0].count > 1 && parts[0].hasPrefix("0")),
                let bytes = Self.bytes(of: String(text), family: AF_INET, count: 4)
            else { return nil }
            self.init(UInt32(Self.number(bytes[...])))
        }
    }

    /// Creates an address from 4 or 16 bytes, most significant first.
    init?(bytes: some Collection<UInt8>) {
        switch bytes.count {
        case 4: self.init(UInt32(Self.number(bytes)))
        case 16: self.init(high: Self.number(bytes.prefix(8)), low: Self.number(bytes.suffix(8)))
        default: return nil
        }
    }

    private static func number(_ bytes: some Collection<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func bytes(of text: String, family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }

    // MARK: Parts

    /// Returns the address with only its first bits, from 0 to ``bitWidth``; the other bits are 0.
    func prefix(_ length: Int) -> IPAddress {
        func mask(_ length: Int) -> UInt64 { length <= 0 ? 0 : length >= 64 ? .max : ~(.max >> UInt64(length)) }
        if isIPv4 { return IPAddress(UInt32(truncatingIfNeeded: low & mask(32 + length))) }
        return IPAddress(high: high & mask(length), low: low & mask(length - 64))
    }

    /// Returns whether both addresses start with the same bits, from 0 to ``bitWidth``; `false` for addresses of different
    /// kinds.
    func matches(_ other: IPAddress, bits: Int) -> Bool {
        isIPv4 == other.isIPv4 && prefix(bits) == other.prefix(bits)
    }

    /// The IPv4 addresses that finally receive the packets sent to this IPv6 address; empty for most addresses.
    ///
    /// These are mapped and compatible addresses (RFC 4291 §2.5.5), NAT64 (RFC 6052), 6to4 (RFC 3056), and Teredo
    /// (RFC 4380 §4), which contains the address of a server and the inverted address of the client.
    var embedded: [IPAddress] {
        guard !isIPv4 else { return [] }
        let last = UInt32(truncatingIfNeeded: low)
        switch (high, low >> 32) {
        case (0, 0xFFFF): return [IPAddress(last)]
        case (0, 0) where low > 1: return [IPAddress(last)]
        case (0x0064_FF9B_0000_0000, 0): return [IPAddress(last)]
        default: break
        }
        switch high >> 32 {
        case 0x2001_0000: return [IPAddress(UInt32(truncatingIfNeeded: high)), IPAddress(~last)]
        case 0x2002_0000...0x2002_FFFF: return [IPAddress(UInt32(truncatingIfNeeded: high >> 16))]
        default: return []
        }
    }
}

extension IPAddress: CustomStringConvertible {
    /// The address in its usual notation (RFC 5952).
    package var description: String {
        if isIPv4 { return [24, 16, 8, 0].map { "\(low >> $0 & 0xFF)" }.joined(separator: ".") }
        var bytes = [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
        var text = [CChar](repeating: 0, count: 64)
        guard inet_ntop(AF_INET6, &bytes, &text, socklen_t(text.count)) != nil else { return "an IPv6 address" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        (0x30...0x39).contains(self) || (0x61...0x66).contains(asciiLowercased)
    }
}
