import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

@Suite struct RecencyTableTests {
    /// The same as a list, the newest last.
    private struct Model {
        var entries: [(key: Int, group: Int, value: Int, cost: Int)] = []

        mutating func use(_ key: Int) -> Int? {
            guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
            entries.append(entries.remove(at: index))
            return entries.last?.value
        }

        mutating func insert(_ value: Int, _ key: Int, _ group: Int, _ cost: Int, limit: Int) -> Bool {
            entries.removeAll { $0.key == key }
            guard cost <= limit else { return false }
            while entries.reduce(0, { $0 + $1.cost }) + cost > limit { entries.removeFirst() }
            entries.append((key, group, value, cost))
            return true
        }
    }

    @Test func theTableIsAListWhoseOldestEntriesAreDropped() {
        var random = SeededRandom(seed: 1)
        var table = RecencyTable<Int, Int, Int>(limit: 100)
        var model = Model()
        for round in 0..<rounds(200_000) {
            let key = random.below(40)
            switch random.below(20) {
            case 0..<9: #expect(table.use(key) == model.use(key))
            case 9..<17:
                let cost = random.picks(3) ? 101 : random.below(30)
                let isStored = table.insert(round, for: key, in: key / 4, cost: cost).isStored
                #expect(isStored == model.insert(round, key, key / 4, cost, limit: 100))
            case 17, 18:
                #expect(table.remove(key) == model.entries.first { $0.key == key }?.value)
                model.entries.removeAll { $0.key == key }
            default:
                let removed = Set(table.removeAll(in: key / 4))
                #expect(removed == Set(model.entries.filter { $0.group == key / 4 }.map(\.value)))
                model.entries.removeAll { $0.group == key / 4 }
            }
            #expect(table.count == model.entries.count)
            #expect(table.cost == model.entries.reduce(0) { $0 + $1.cost })
        }
    }
}

@Suite struct CacheHashTests {
    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The examples of FIPS 180-4, and one for each length around a block.
    @Test func sha256() {
        let table: [(String, String)] = [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (String(repeating: "a", count: 1_000), "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"),
        ]
        for (text, hash) in table { #expect(Self.hex(SHA256.hash(Array(text.utf8))) == hash) }
    }

    /// Values of the reference implementation of xxHash64, with the seed 0.
    @Test func bodyChecksum() {
        let table: [(String, UInt64)] = [
            ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
            ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
        ]
        for (text, value) in table { #expect(BodyChecksum.of(Data(text.utf8)) == value) }
    }

    @Test func theChecksumDoesNotDependOnThePieces() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<200 {
            let bytes = Data((0..<random.below(300)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
            var checksum = BodyChecksum()
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = 1 + random.below(70)
                checksum.take(Data(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            #expect(checksum.value == BodyChecksum.of(bytes))
        }
    }
}
