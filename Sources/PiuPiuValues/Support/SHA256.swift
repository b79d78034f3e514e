/// The hash function SHA-256 (FIPS 180-4), for names of files that reveal nothing about the hashed text.
///
/// It is meant for short inputs on systems without an implementation: it is simple, and hashes about 200 MB/s.
package struct SHA256 {
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    private var schedule = [UInt32](repeating: 0, count: 64)
    /// The bytes of an incomplete block.
    private var rest: [UInt8] = []
    /// The number of bytes so far.
    private var count: UInt64 = 0

    package init() {}

    /// Hashes bytes.
    ///
    /// - Parameter bytes: The bytes.
    /// - Returns: The 32 bytes of the hash.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.add(bytes)
        return hash.finish()
    }

    /// Adds the next bytes.
    package mutating func add(_ bytes: some Collection<UInt8>) {
        count &+= UInt64(bytes.count)
        rest.append(contentsOf: bytes)
        let end = rest.count - rest.count % 64
        for start in stride(from: 0, to: end, by: 64) { take(rest[start..<start + 64]) }
        rest.removeFirst(end)
    }

    /// Ends the hash, and returns its 32 bytes.
    package mutating func finish() -> [UInt8] {
        // The input ends with a one bit, zeros up to the last eight bytes of a block, and the length in bits.
        let length = withUnsafeBytes(of: (count &* 8).bigEndian, Array.init)
        add([0x80] + Array(repeating: 0, count: (119 - rest.count) % 64) + length)
        return state.flatMap { withUnsafeBytes(of: $0.bigEndian, Array.init) }
    }

    private mutating func take(_ block: ArraySlice<UInt8>) {
        for index in 0..<16 {
            let start = block.startIndex + 4 * index
            schedule[index] = block[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let (a, b) = (schedule[index - 15], schedule[index - 2])
            let first = Self.rotated(a, 7) ^ Self.rotated(a, 18) ^ a >> 3
            let second = Self.rotated(b, 17) ^ Self.rotated(b, 19) ^ b >> 10
            schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let sum = Self.rotated(e, 6) ^ Self.rotated(e, 11) ^ Self.rotated(e, 25)
            let choice = e & f ^ ~e & g
            let first = h &+ sum &+ choice &+ Self.constants[index] &+ schedule[index]
            let second =
                (Self.rotated(a, 2) ^ Self.rotated(a, 13) ^ Self.rotated(a, 22)) &+ (a & b ^ a & c ^ b & c)
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ second)
        }
        for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
    }

    private static func rotated(_ value: UInt32, _ count: UInt32) -> UInt32 { value >> count | value << (32 - count) }

    private static let constants: [UInt32] = [
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
    ]
}
