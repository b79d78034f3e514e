#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

/// Bodies that were damaged at random: whatever becomes of them, it becomes that in bounded time, and from pieces of any
/// size the same.
struct ContentDecoderMutationTests {
    // `Scripts/fuzz parsers` tries many more.
    private static let count = rounds(20_000)

    @Test(arguments: ["gzip", "deflate", "br", "zstd", ","])
    func aDamagedBodyIsAnErrorOrABody(codings: String) async {
        let samples = DecodingSample.all.filter {
            codings == "," ? $0.codings.contains(",") : $0.codings == codings
        }
        var random = SeededRandom(seed: UInt64(codings.utf8.reduce(17) { $0 * 31 + Int($1) }))
        var outcomes: [ContentDecodingError?: Int] = [:]
        for round in 0..<Self.count {
            // Or other tests would wait for a thread.
            if round % 64 == 0 { await Task.yield() }
            let sample = samples[round % samples.count]
            let body = mutated(sample.body, by: &random)
            let piece = round % 4 == 0 ? Int.random(in: 1...9, using: &random) : .max
            let decoding = BodyDecoding(body, sample.codings, piece: piece, limit: 1 << 18)
            outcomes[decoding.error, default: 0] += 1
            #expect(decoding.longestIdleRun <= 1)
            switch decoding.error {
            case .malformed, .windowTooLarge, .truncated: break
            case nil where sample.isChecked && !decoding.isLimited:
                if decoding.output != sample.content { Issue.record("\(sample): \(body)") }
            case nil: break
            case let error: Issue.record("\(sample): \(String(describing: error)) \(body)")
            }
            if round % 16 == 0 {
                let other = BodyDecoding(body, sample.codings, piece: 1, room: 9, limit: 1 << 18)
                let isSame =
                    other.error == decoding.error
                    && (decoding.error != nil || decoding.isLimited || other.output == decoding.output)
                if !isSame { Issue.record("\(sample): \(body) \(decoding.error as Any) \(other.error as Any)") }
            }
        }
        #expect(outcomes.count >= 2)
    }

    @Test(arguments: ["gzip", "deflate", "br", "zstd"])
    func noiseIsAnErrorOrABody(codings: String) async {
        var random = SeededRandom(seed: 4711)
        for round in 0..<Self.count {
            if round % 64 == 0 { await Task.yield() }
            var body = (0..<Int.random(in: 1...64, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random)
            }
            // Beginnings that lead further.
            if round % 2 == 0 {
                switch codings {
                case "gzip": body = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + body
                case "deflate": body = [0x78, 0x9C] + body
                case "zstd": body = [0x28, 0xB5, 0x2F, 0xFD] + body
                default: break
                }
            }
            let decoding = BodyDecoding(body, codings, limit: 1 << 18)
            #expect(decoding.longestIdleRun <= 1)
            #expect([nil, .malformed, .windowTooLarge, .truncated].contains(decoding.error))
        }
    }

    private func mutated(_ body: [UInt8], by random: inout SeededRandom) -> [UInt8] {
        var body = body
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            guard !body.isEmpty else { return body }
            let place = Int.random(in: 0..<body.count, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0...3: body[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            case 4: body[place] = .random(in: 0...255, using: &random)
            case 5: body.remove(at: place)
            case 6: body.insert(.random(in: 0...255, using: &random), at: place)
            default: body.insert(contentsOf: body[place...].prefix(4), at: place)
            }
        }
        return body
    }
}
#endif
