import PiuPiuAsync
import TestSupport

/// Makes inputs of a target out of its seeds.
struct FuzzMutator {
    private let seeds: [[UInt8]]
    private let tokens: [[UInt8]]
    private let limit: Int

    init(_ target: FuzzTarget) {
        seeds = target.seeds
        tokens = target.tokens + Self.characters
        limit = target.limit
    }

    /// The input that a number stands for; the first ones are the seeds as they are.
    func input(_ number: Int, seed: UInt64) -> ([UInt8], SeededRandom) {
        var mixer = SeededRandom(seed: seed)
        var random = SeededRandom(seed: mixer.next() &+ UInt64(number) &* 0xD134_2543_DE82_EF95)
        if number < seeds.count { return (seeds[number], random) }
        var bytes = random.element(of: seeds)
        for _ in 0..<(random.picks(50) ? 1 : 1 + random.below(6)) { mutate(&bytes, &random) }
        if bytes.count > limit { bytes.removeSubrange(limit...) }
        return (bytes, random)
    }

    /// Characters of several units, of several bytes and of no meaning.
    private static let characters: [[UInt8]] =
        ["\u{301}", "é", "\u{85}", "\u{A0}", "\u{2028}", "\u{212A}", "\u{FEFF}", "🎈", "\u{200D}", "\u{130}"]
        .map { Array($0.utf8) } + [[0xC3], [0xED, 0xA0, 0x80], [0xF5], [0xFF, 0xFE], [0x80]]

    private static let bytes =
        Array("\0\t\n\r !\"#%&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~".utf8) + [0x1E, 0x7F, 0x80, 0xFF]

    private static let numbers = [
        "0", "1", "-1", "+1", "00", "01", "255", "256", "65535", "65536", "2147483647", "2147483648", "4294967296",
        "9223372036854775807", "9223372036854775808", "18446744073709551616", "99999999999999999999999", "1e3", "1.5",
        "٣",
    ].map { Array($0.utf8) }

    private func mutate(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        let place = random.below(bytes.count + 1)
        let end = min(bytes.count, place + 1 + random.below(random.picks(80) ? 8 : 64))
        switch random.below(14) {
        case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(random.below(8))
        case 1 where place < bytes.count: bytes[place] = random.element(of: Self.bytes)
        case 2: bytes.insert(random.element(of: Self.bytes), at: place)
        case 3: bytes.removeSubrange(place..<end)
        case 4: bytes.insert(contentsOf: bytes[place..<end], at: random.below(bytes.count + 1))
        case 5, 6, 7: bytes.insert(contentsOf: random.element(of: tokens), at: place)
        case 8: bytes.replaceSubrange(place..<end, with: random.element(of: tokens))
        case 9: changeNumber(&bytes, &random)
        case 10:
            let piece = random.picks(50) ? Array(bytes[place..<end]) : random.element(of: tokens)
            let count = 1 + random.below(max(1, random.picks(50) ? 20 : limit / max(1, piece.count)))
            bytes.insert(contentsOf: repeatElement(piece, count: count).joined(), at: place)
        case 11:
            let other = random.element(of: seeds)
            bytes = Array(bytes[..<place]) + other[random.below(other.count + 1)...]
        case 12: bytes.removeSubrange(place...)
        default:
            let piece = Array(bytes[place..<end])
            bytes.removeSubrange(place..<end)
            bytes.insert(contentsOf: piece, at: random.below(bytes.count + 1))
        }
    }

    private func changeNumber(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
        let starts = bytes.indices.filter { isDigit(bytes[$0]) && ($0 == 0 || !isDigit(bytes[$0 - 1])) }
        guard !starts.isEmpty else { return }
        let start = random.element(of: starts)
        let end = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.count
        let old = Int(String(decoding: bytes[start..<end], as: UTF8.self))
        if let old, random.picks(50) {
            bytes.replaceSubrange(start..<end, with: Array(String(old &+ (random.picks(50) ? 1 : -1)).utf8))
        } else {
            bytes.replaceSubrange(start..<end, with: random.element(of: Self.numbers))
        }
    }
}
