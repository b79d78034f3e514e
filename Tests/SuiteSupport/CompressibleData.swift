import PiuPiuAsync
import TestSupport

extension Data {
    /// Bytes of which about half can be saved.
    package static func compressible(_ count: Int, _ random: inout SeededRandom) -> Data {
        var data = Data(capacity: count)
        let letters = 1 + random.below(255)
        while data.count < count { data.append(UInt8(random.below(letters))) }
        return data
    }
}
