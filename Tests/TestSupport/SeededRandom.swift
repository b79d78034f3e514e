/// A random generator that gives the same numbers for the same seed (SplitMix64).
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator.
    ///
    /// - Parameter seed: Any number.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next number.
    ///
    /// - Returns: A number of 64 random bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension SeededRandom {
    /// A number from 0 up to a limit, without it; 0 for no limit.
    ///
    /// - Parameter limit: The limit.
    /// - Returns: The number.
    public mutating func below(_ limit: Int) -> Int {
        limit > 1 ? Int(next() % UInt64(limit)) : 0
    }

    /// Tells `true` in so many of a hundred cases.
    ///
    /// - Parameter percent: In how many.
    /// - Returns: Whether this is one of them.
    public mutating func picks(_ percent: Int) -> Bool {
        below(100) < percent
    }

    /// One of some elements.
    ///
    /// - Parameter elements: The elements, of which there must be one.
    /// - Returns: One of them.
    public mutating func element<Element>(of elements: [Element]) -> Element {
        elements[below(elements.count)]
    }
}
