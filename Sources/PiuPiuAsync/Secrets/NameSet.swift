import PiuPiuEngine

/// Names of secrets, looked up by their bytes: without regard to case, `-` and `_`.
///
/// A body can consist of nothing but names, so that most of them must be told apart without making a string of each.
struct NameSet: Sendable {
    private let names: Set<String>
    /// The bytes of the names, by their hash.
    private let hashed: [UInt64: [[UInt8]]]
    private let longest: Int
    /// A bit for each value that the hash of a name may have, in words of 64.
    private let filter: [UInt64]
    /// Whether a name on the list has letters other than those of ASCII.
    private let hasOtherLetters: Bool

    /// Creates a list.
    ///
    /// - Parameter names: The names.
    init(_ names: some Sequence<String>) {
        let names = Set(names.map(SecretScrubber.normalized))
        self.names = names
        longest = names.map(\.utf8.count).max() ?? 0
        hasOtherLetters = names.contains { !$0.utf8.allSatisfy { $0 < 0x80 } }
        var filter = [UInt64](repeating: 0, count: Self.bits / 64)
        var hashed: [UInt64: [[UInt8]]] = [:]
        for name in names {
            let hash = name.utf8.reduce(Self.seed) { Self.hash($0, adding: $1) }
            let bit = Int(hash % UInt64(Self.bits))
            filter[bit / 64] |= 1 << UInt64(bit % 64)
            hashed[hash, default: []].append(Array(name.utf8))
        }
        self.filter = filter
        self.hashed = hashed
    }

    private static let bits = 4096
    private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The hash of Fowler, Noll and Vo, folded, because only its low bits are used.
    private static func hash(_ hash: UInt64, adding byte: UInt8) -> UInt64 {
        let next = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        return next ^ next >> 29
    }

    /// Returns whether a name is on the list.
    ///
    /// - Parameter name: The name in UTF-8. Byte order marks in it do not count, some of which Foundation drops.
    /// - Returns: `true` if it is.
    func contains(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        var hash = Self.seed
        var count = 0
        let isPlain = Self.forEachByte(of: name) { byte in
            hash = Self.hash(hash, adding: byte)
            count += 1
            return count <= longest
        }
        if !isPlain, hasOtherLetters { return contains(String(decoding: name, as: UTF8.self)) }
        let bit = Int(hash % UInt64(Self.bits))
        guard isPlain, count <= longest, filter[bit / 64] & 1 << UInt64(bit % 64) != 0 else { return false }
        return hashed[hash]?.contains { Self.isSame(name, $0) } ?? false
    }

    /// Returns whether a name is on the list.
    ///
    /// - Parameter name: The name.
    /// - Returns: `true` if it is.
    func contains(_ name: String) -> Bool {
        names.contains(SecretScrubber.normalized(String(name.unicodeScalars.filter { $0 != "\u{FEFF}" })))
    }

    private static func isSame(_ name: UnsafeBufferPointer<UInt8>, _ other: [UInt8]) -> Bool {
        var index = 0
        let isPlain = forEachByte(of: name) { byte in
            guard index < other.count, other[index] == byte else { return false }
            index += 1
            return true
        }
        return isPlain && index == other.count
    }

    /// Calls `body` with each byte of a name that counts, in lower case, until it returns `false`.
    ///
    /// - Returns: Whether all bytes are known to be letters of ASCII, or the same as one.
    @inline(__always)
    private static func forEachByte(of name: UnsafeBufferPointer<UInt8>, _ body: (UInt8) -> Bool) -> Bool {
        var index = 0
        while index < name.count {
            var byte = name[index]
            index += 1
            if byte == 0x2D || byte == 0x5F { continue }
            if byte >= 0x80 {
                let second = index < name.count ? name[index] : 0
                let third = index + 1 < name.count ? name[index + 1] : 0
                switch (byte, second, third) {
                case (0xEF, 0xBB, 0xBF):
                    index += 2
                    continue
                // The sign of the kelvin is a K in another place.
                case (0xE2, 0x84, 0xAA):
                    index += 2
                    byte = 0x6B
                default: return false
                }
            }
            guard body(byte.asciiLowercased) else { return false }
        }
        return true
    }
}
