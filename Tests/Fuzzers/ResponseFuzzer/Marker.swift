/// Marks that say which request a response belongs to: `<m`, sixteen hexadecimal digits, `>`.
///
/// The digits are the request's number, scrambled: a mark that a mutation damaged belongs to no request, instead of to
/// another one.
enum Marker {
    /// Numbers of requests are below this.
    static let limit: UInt64 = 1 << 26
    /// How many bytes a mark has.
    static let length = 19

    /// The mark of a request.
    static func bytes(of id: UInt64) -> [UInt8] {
        let digits = String(scramble(id), radix: 16)
        return Array("<m\(String(repeating: "0", count: 16 - digits.count))\(digits)>".utf8)
    }

    /// The requests whose marks stand in some bytes.
    static func owners(in bytes: [UInt8]) -> [UInt64] {
        var owners: [UInt64] = []
        bytes.withUnsafeBufferPointer { bytes in
            var position = 0
            while position + length <= bytes.count {
                if bytes[position] == 0x3C, bytes[position + 1] == 0x6D, let owner = owner(bytes, at: position) {
                    owners.append(owner)
                    position += length
                } else {
                    position += 1
                }
            }
        }
        return owners
    }

    private static func owner(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) -> UInt64? {
        guard bytes[position + length - 1] == 0x3E else { return nil }
        var value: UInt64 = 0
        for byte in bytes[(position + 2)..<(position + 18)] {
            switch byte {
            case 0x30...0x39: value = value << 4 | UInt64(byte - 0x30)
            case 0x61...0x66: value = value << 4 | UInt64(byte - 0x57)
            default: return nil
            }
        }
        let id = unscramble(value)
        return id < limit ? id : nil
    }

    private static func scramble(_ id: UInt64) -> UInt64 {
        var z = id
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    private static func unscramble(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 31) ^ (z >> 62)) &* 0x3196_42B2_D24D_8EC3
        z = (z ^ (z >> 27) ^ (z >> 54)) &* 0x96DE_1B17_3F11_9089
        return z ^ (z >> 30) ^ (z >> 60)
    }
}
