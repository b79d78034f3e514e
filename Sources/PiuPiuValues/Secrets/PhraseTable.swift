/// Phrases without the characters between their words, looked up by a hash that can be computed for any part of a text.
struct PhraseTable: Sendable {
    /// The length of the longest phrase, in bytes.
    static let longest = 63

    /// The bytes of the phrases, by their hash.
    private let phrases: [UInt64: [[UInt8]]]
    /// A bit for each length of a phrase.
    private let lengths: UInt64
    /// A bit for each possible hash of a phrase, in words of 64.
    private let filter: [UInt64]

    /// Creates a table of phrases in lower case; those with more than ``longest`` bytes are left out.
    init(_ phrases: some Sequence<String>) {
        var table: [UInt64: [[UInt8]]] = [:]
        var filter = [UInt64](repeating: 0, count: Self.bits / 64)
        var lengths: UInt64 = 0
        for phrase in phrases where 1...Self.longest ~= phrase.utf8.count {
            let hash = phrase.utf8.reduce(0) { Self.hash($0, adding: $1) }
            table[hash, default: []].append(Array(phrase.utf8))
            let bit = Self.bit(of: hash)
            filter[bit / 64] |= 1 << UInt64(bit % 64)
            lengths |= 1 << UInt64(phrase.utf8.count)
        }
        (self.phrases, self.filter, self.lengths) = (table, filter, lengths)
    }

    /// Whether a phrase of this length may exist.
    func mayHave(_ length: Int) -> Bool { length <= Self.longest && lengths & 1 << UInt64(length) != 0 }

    /// Whether a text is a phrase; `hash` is the hash of its bytes.
    func contains(_ text: UnsafeBufferPointer<UInt8>, hash: UInt64) -> Bool {
        let bit = Self.bit(of: hash)
        guard filter[bit / 64] & 1 << UInt64(bit % 64) != 0 else { return false }
        return phrases[hash]?.contains { $0.elementsEqual(text) } ?? false
    }

    // MARK: The hash

    private static let bits = 8192
    private static let base: UInt64 = 0x9E37_79B9_7F4A_7C15
    /// The powers of the base, by the length of a phrase.
    private static let powers: [UInt64] = (0..<64).reduce(into: []) { powers, _ in
        powers.append(powers.last.map { $0 &* base } ?? 1)
    }

    /// Returns the hash of a text with one more byte.
    static func hash(_ hash: UInt64, adding byte: UInt8) -> UInt64 { hash &* base &+ UInt64(byte) &+ 1 }

    /// Returns the hash of the last bytes of a text, fewer than 64, from the hashes of the text and of the bytes before them.
    static func hash(_ hash: UInt64, without before: UInt64, length: Int) -> UInt64 {
        hash &- before &* powers[length]
    }

    private static func bit(of hash: UInt64) -> Int { Int(((hash ^ hash >> 29) &* base) >> 51) }
}
