/// The choices of a fuzzer, which are the same for the same seed (SplitMix64).
///
/// That of `TestSupport` is not for the tests of the engine, which build without everything above it.
struct FuzzRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// Choices that depend on nothing but some bytes, so that an input says by itself how it is cut.
    init(bytes: [UInt8]) {
        state = bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A number from 0 up to a limit, without it; 0 for no limit.
    mutating func below(_ limit: Int) -> Int { limit > 1 ? Int(next() % UInt64(limit)) : 0 }

    /// Returns `true` in so many of a hundred cases.
    mutating func picks(_ percent: Int) -> Bool { below(100) < percent }

    mutating func element<Element>(of list: [Element]) -> Element { list[below(list.count)] }
}
