/// Changes of inputs, and the search for a smaller one.
extension FuzzCase {
    /// The input that a number stands for.
    func input(_ number: Int, seed: UInt64) -> [UInt8] {
        var mixer = FuzzRandom(seed: seed)
        var random = FuzzRandom(seed: mixer.next() &+ UInt64(number) &* 0xD134_2543_DE82_EF95)
        var bytes = sample(&random)
        if random.picks(70) { for _ in 0...random.below(4) { mutate(&bytes, &random) } }
        return Array(bytes.prefix(limit))
    }

    private static let bytes = Array("\0\t\n\r !\",-.0123456789:;=AFaf{|}~".utf8) + [0x7F, 0x80, 0xFF]

    private static let numbers = [
        "0", "1", "-1", "+1", "00", "01", "5, 5", "65536", "2147483648", "4294967296", "7FFFFFFFFFFFFFFF",
        "FFFFFFFFFFFFFFFF", "10000000000000000", "9223372036854775807", "9223372036854775808",
        "18446744073709551615", "18446744073709551616", "99999999999999999999999", "0x5", "1e3",
    ].map { Array($0.utf8) }

    /// Changes something.
    func mutate(_ bytes: inout [UInt8], _ random: inout FuzzRandom) {
        let place = random.below(bytes.count + 1)
        let end = min(bytes.count, place + 1 + random.below(random.picks(80) ? 8 : 64))
        switch random.below(11) {
        case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(random.below(8))
        case 1 where place < bytes.count: bytes[place] = random.element(of: Self.bytes)
        case 2: bytes.insert(random.element(of: Self.bytes), at: place)
        case 3: bytes.removeSubrange(place..<end)
        case 4: bytes.insert(contentsOf: bytes[place..<end], at: random.below(bytes.count + 1))
        case 5 where !tokens.isEmpty, 6 where !tokens.isEmpty:
            bytes.insert(contentsOf: random.element(of: tokens), at: place)
        case 7 where !tokens.isEmpty: bytes.replaceSubrange(place..<end, with: random.element(of: tokens))
        case 8: bytes.removeSubrange(place...)
        case 9: changeNumber(&bytes, &random)
        default:
            let piece = Array(bytes[place..<end])
            bytes.removeSubrange(place..<end)
            bytes.insert(contentsOf: piece, at: random.below(bytes.count + 1))
        }
    }

    private func changeNumber(_ bytes: inout [UInt8], _ random: inout FuzzRandom) {
        let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
        let starts = bytes.indices.filter { isDigit(bytes[$0]) && ($0 == 0 || !isDigit(bytes[$0 - 1])) }
        guard !starts.isEmpty else { return }
        let start = random.element(of: starts)
        let end = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.count
        let old = Int(String(decoding: bytes[start..<end], as: UTF8.self))
        let isNear = random.picks(50)
        let near = old.map { Array(String($0 &+ (random.picks(50) ? 1 : -1)).utf8) }
        bytes.replaceSubrange(start..<end, with: isNear ? near ?? [] : random.element(of: Self.numbers))
    }

    /// A smaller input with the same problem: parts are left out, then bytes become a zero.
    func smallest(_ input: [UInt8], _ problem: String) -> [UInt8] {
        var input = input
        var tries = 20_000
        func hasIt(_ other: [UInt8]) -> Bool {
            tries -= 1
            return self.problem(other) == problem
        }
        var isSmaller = true
        while isSmaller, tries > 0 {
            isSmaller = false
            var size = max(1, input.count / 2)
            while size > 0 {
                var start = 0
                while start < input.count, tries > 0 {
                    var shorter = input
                    shorter.removeSubrange(start..<min(start + size, shorter.count))
                    if hasIt(shorter) { (input, isSmaller) = (shorter, true) } else { start += size }
                }
                size /= 2
            }
        }
        for place in input.indices where tries > 0 && input[place] != 0 && tokens.isEmpty {
            var simpler = input
            simpler[place] = 0
            if hasIt(simpler) { input = simpler }
        }
        return input
    }
}

extension [UInt8] {
    /// The bytes as a text that shows what cannot be seen.
    var shown: String { String(decoding: self, as: UTF8.self).debugDescription }
}
