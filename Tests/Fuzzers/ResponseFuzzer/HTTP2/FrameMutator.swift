import PiuPiuAsync
import TestSupport

/// Damages sequences of frames.
enum FrameMutator {
    /// Changes something.
    ///
    /// - Returns: The name of the mutation.
    static func mutate(_ frames: inout [PlannedFrame], _ random: inout SeededRandom) -> String {
        guard !frames.isEmpty else {
            frames.append(anyFrame(&random))
            return "insert"
        }
        let index = random.below(frames.count)
        let other = random.below(frames.count)
        switch random.below(18) {
        case 0:
            frames.remove(at: index)
            return "drop"
        case 1:
            frames.insert(frames[index], at: random.below(frames.count + 1))
            return "duplicate"
        case 2:
            frames.swapAt(index, other)
            return "swap"
        case 3: return split(&frames, index, &random)
        case 4:
            guard index + 1 < frames.count, frames[index].kind == frames[index + 1].kind else { return "nothing" }
            let next = frames.remove(at: index + 1)
            frames[index].payload += next.payload
            frames[index].flags |= next.flags
            return "join"
        case 5:
            frames[index].kind = random.picks(80) ? UInt8(random.below(11)) : UInt8(random.below(256))
            return "kind"
        case 6, 7:
            frames[index].flags ^= random.element(of: [1, 1, 1, 4, 4, 8, 0x20, 2, 0x80])
            return "flags"
        case 8:
            frames[index].offset = random.element(of: [nil, 0, 1, 2, -2, 4, -4, 100, 1 << 30])
            return "stream"
        case 9:
            let count = frames[index].payload.count
            frames[index].claimedLength = random.element(of: [
                0, max(0, count - 1), count + 1, count + 9, 16384, 16385, 0xFFFFFF,
            ])
            return "length"
        case 10, 11:
            frames.insert(anyFrame(&random), at: random.below(frames.count + 1))
            return "insert"
        case 12:
            frames.removeSubrange(index...)
            return "truncate"
        case 13:
            frames[index].payload = Array(frames[index].payload.prefix(random.below(frames[index].payload.count + 1)))
            return "shorten"
        case 14:
            guard !frames[index].payload.isEmpty else { return "nothing" }
            frames[index].payload[random.below(frames[index].payload.count)] = UInt8(random.below(256))
            return "byte"
        default: return HeadMutator.mutate(&frames, &random)
        }
    }

    private static func split(_ frames: inout [PlannedFrame], _ index: Int, _ random: inout SeededRandom) -> String {
        var first = frames[index]
        var second = first
        let place = random.below(first.payload.count + 1)
        (first.payload, second.payload) = (Array(first.payload[..<place]), Array(first.payload[place...]))
        if first.kind == HTTP2Frame.Kind.headers.rawValue, random.picks(80) {
            second.kind = HTTP2Frame.Kind.continuation.rawValue
            (first.flags, second.flags) = (first.flags & ~4, first.flags & 4)
        } else if random.picks(80) {
            first.flags &= ~1
        }
        frames[index] = first
        frames.insert(second, at: index + 1)
        return "split"
    }

    /// A frame that may be in its place or not.
    private static func anyFrame(_ random: inout SeededRandom) -> PlannedFrame {
        let number = { (random: inout SeededRandom) in
            PlannedFrame.bytes(random.element(of: [0, 1, 3, 7, 13, 100, 0x7FFF_FFFF, 0xFFFF_FFFF, random.below(200)]))
        }
        switch random.below(11) {
        case 0: return FrameSeed.reset(random.element(of: HTTP2ErrorCode.allCases))
        case 1: return FrameSeed.goAway(random.element(of: [0, 1, 3, 0x7FFF_FFFF]), random.element(of: [0, 0, 1, 11]))
        case 2:
            return PlannedFrame(.ping, flags: UInt8(random.below(2)), offset: nil, payload: [1, 2, 3, 4, 5, 6, 7, 8])
        case 3:
            let setting = [0, UInt8(random.below(10))] + number(&random)
            return PlannedFrame(.settings, flags: random.picks(20) ? 1 : 0, offset: nil, payload: setting)
        case 4: return PlannedFrame(.windowUpdate, offset: random.picks(50) ? 0 : nil, payload: number(&random))
        case 5: return PlannedFrame(.data, flags: UInt8(random.below(2)), payload: Array("more".utf8))
        case 6:
            return .head(
                [HTTP2Field(":status", "\(random.element(of: [100, 103, 200, 204, 500]))")],
                ends: random.picks(50)
            )
        case 7: return .head([HTTP2Field("x-sum", "1")], ends: random.picks(70))
        case 8:
            return PlannedFrame(
                .continuation,
                flags: random.picks(50) ? 4 : 0,
                payload: HPACKEncoder.encode([HTTP2Field("x-more", "1")])
            )
        case 9:
            let promise =
                PlannedFrame.bytes(2) + HPACKEncoder.encode([HTTP2Field(":method", "GET"), HTTP2Field(":path", "/")])
            return PlannedFrame(.pushPromise, flags: 4, payload: promise)
        default: return PlannedFrame(.priority, payload: number(&random) + [16])
        }
    }
}
