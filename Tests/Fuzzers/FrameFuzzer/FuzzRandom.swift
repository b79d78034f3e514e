/// A generator that gives the same numbers for the same seed (SplitMix64).
struct FuzzRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A number from 0 up to a limit, without it; 0 for no limit.
    mutating func below(_ limit: Int) -> Int { limit > 1 ? Int(next() % UInt64(limit)) : 0 }

    /// `true` in so many of a hundred cases.
    mutating func picks(_ percent: Int) -> Bool { below(100) < percent }

    mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next()) }

    /// A size, most often a small one or one at a limit of the format.
    mutating func size() -> Int {
        switch below(100) {
        case ..<50: below(20)
        case ..<80: below(130)
        case ..<90: 120 + below(12)
        case ..<97: below(1200)
        case ..<99: 65530 + below(12)
        default: below(5000)
        }
    }
}
