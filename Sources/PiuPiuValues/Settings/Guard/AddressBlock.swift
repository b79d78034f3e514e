/// A block of IP addresses, such as `10.0.0.0/8` or `2001:db8::/32` (RFC 4632 §3.1, RFC 4291 §2.3).
///
/// ```swift
/// let office = try AddressBlock("192.168.7.0/24")
/// let printer = try AddressBlock("192.168.7.20")
/// print(office.contains("192.168.7.20"), printer)
/// ```
public struct AddressBlock: Sendable, Hashable {
    /// The reason why a text is not an address block.
    public enum ParsingError: Error, Hashable, Sendable {
        /// The part before the slash is not an IPv4 or IPv6 address in its usual notation.
        ///
        /// Octal and hexadecimal numbers, fewer than four numbers, brackets and zones are refused.
        case address
        /// The part after the slash is not a number of bits that fits the address.
        case prefixLength
        /// The address has bits after the prefix, as in `10.1.0.0/8`.
        case bitsAfterPrefix
    }

    /// The first address.
    let first: IPAddress
    /// The number of leading bits that all addresses of the block share.
    public let prefixLength: Int

    /// Parses a block.
    ///
    /// A block of IPv4-mapped addresses, such as `::ffff:10.0.0.0/104`, becomes the block of IPv4 addresses, because they
    /// are the same destinations.
    ///
    /// - Parameter text: An address, for a block of only that address; or an address, a slash, and the number of leading
    ///   bits that all addresses of the block share.
    /// - Throws: ``ParsingError``.
    public init(_ text: String) throws(ParsingError) {
        let slash = text.utf8.firstIndex(of: UInt8(ascii: "/"))
        guard let first = IPAddress(text[..<(slash ?? text.endIndex)]) else { throw .address }
        var length = first.bitWidth
        if let slash {
            let digits = text[text.index(after: slash)...].utf8
            guard (1...3).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
                digits.count == 1 || digits.first != 0x30,
                let number = Int(String(Substring(digits))), number <= first.bitWidth
            else { throw .prefixLength }
            length = number
        }
        guard first.prefix(length) == first else { throw .bitsAfterPrefix }
        self.init(first, length)
    }

    /// Creates a block whose first address has no bits after the prefix.
    private init(_ first: IPAddress, _ length: Int) {
        if length >= 96, first.isMapped, let address = first.embedded.first {
            self.first = address
            prefixLength = length - 96
        } else {
            self.first = first
            prefixLength = length
        }
    }

    /// Creates a block from an address in the library's own code.
    init(_ first: IPAddress, prefixLength: Int) {
        self.init(first.prefix(prefixLength), prefixLength)
    }

    /// Returns whether an address is in the block.
    ///
    /// - Parameter address: An address in its usual notation.
    /// - Returns: `true` if the address is in the block; `false` if it is not, or is not an address.
    public func contains(_ address: String) -> Bool {
        IPAddress(address).map { contains($0) } ?? false
    }

    /// Returns whether an address is in the block.
    func contains(_ address: IPAddress) -> Bool {
        let address = address.isMapped ? address.embedded.first ?? address : address
        return address.isIPv4 == first.isIPv4 && address.prefix(prefixLength) == first
    }
}

extension IPAddress {
    /// Whether it is an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2), to which the system connects over IPv4.
    var isMapped: Bool { !isIPv4 && high == 0 && low >> 32 == 0xFFFF }
}

extension AddressBlock: CustomStringConvertible {
    /// The first address, a slash and the length of the prefix.
    public var description: String { "\(first)/\(prefixLength)" }
}
