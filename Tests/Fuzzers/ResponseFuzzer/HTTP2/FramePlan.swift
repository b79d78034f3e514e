import TestSupport

/// One exchange over HTTP/2: what is asked and how, and which frames the server sends.
struct FramePlan: Sendable {
    /// The number of the group of requests that are sent at once.
    let group: Int
    /// The number of the request, for its mark.
    let id: UInt64
    private(set) var method = Plan.Method.get
    private(set) var way = Plan.Way.data
    private(set) var amount = 0
    private(set) var frames: [PlannedFrame] = []
    /// Whether the call has to succeed if nothing else happens on its connection.
    private(set) var isLegal = false
    /// The seed of the choices of damaged bytes; `nil` if only frames are damaged.
    private var bytesSeed: UInt64?
    /// Whether a stream that is not whole is reset, before its connection is closed.
    private(set) var resetsLate = false
    /// Whether that connection is closed with a reset.
    private(set) var abortsLate = false
    /// Whether frames of its group may be sent on the stream of another request of the group.
    private(set) var mayMix = false
    /// The seed and the mutations.
    private(set) var origin = ""

    /// How many requests a group has at most.
    static let largestGroup = 4

    var isMutated: Bool { origin.contains("+") }

    /// Makes the requests of a group.
    ///
    /// - Parameters:
    ///   - group: The number of the group.
    ///   - seed: The seed of the run.
    /// - Returns: One to four plans.
    static func plans(group: Int, seed: UInt64) -> [FramePlan] {
        var mixer = SeededRandom(seed: seed)
        var random = SeededRandom(seed: mixer.next() &+ UInt64(group) &* 0xD134_2543_DE82_EF95)
        var plans = (0..<(1 + random.below(largestGroup))).map { FramePlan(group, $0, &random) }
        let mayMix = plans.contains { plan in
            plan.bytesSeed != nil || plan.frames.contains { $0.offset ?? 0 != 0 || $0.claimedLength != nil }
        }
        for index in plans.indices { plans[index].mayMix = mayMix }
        return plans
    }

    /// The number of the plain request after a group.
    static func plainID(after group: Int) -> UInt64 { UInt64(group) * 8 + 7 }

    private init(_ group: Int, _ member: Int, _ random: inout SeededRandom) {
        self.group = group
        id = UInt64(group) * 8 + UInt64(member)
        method = random.picks(60) ? .get : random.picks(80) ? .post : .head
        way = random.element(of: [.data, .data, .stream, .streamPartly])
        amount = random.below(6)
        let entry = random.element(of: FrameSeed.allCases)
        frames = entry.make(id: id, &random)
        origin = entry.rawValue
        if random.picks(75) {
            for _ in 0..<(random.picks(60) ? 1 : 1 + random.below(4)) {
                origin += "+" + FrameMutator.mutate(&frames, &random)
            }
        }
        if random.picks(10) {
            origin += "+bytes"
            bytesSeed = random.next()
        }
        // A HEAD has no body.
        if method == .head, !isMutated, entry != .empty, entry != .noContent, entry != .notModified {
            frames = [.head([HTTP2Field(":status", "200"), HTTP2Field("content-length", "7")], ends: true)]
        }
        isLegal = !isMutated && (entry.isLegal || method == .head) && way != .streamPartly
        (resetsLate, abortsLate) = (random.picks(30), random.picks(30))
    }

    /// What the server writes for the request on a stream.
    func bytes(on stream: Int) -> [UInt8] {
        var bytes = frames.flatMap { $0.bytes(on: stream) }
        guard let bytesSeed else { return bytes }
        var random = SeededRandom(seed: bytesSeed)
        for _ in 0..<(1 + random.below(3)) where !bytes.isEmpty {
            // Most of them in the heads of the first frames.
            let place = random.below(random.picks(60) ? min(bytes.count, 80) : bytes.count)
            switch random.below(5) {
            case 0: bytes.remove(at: place)
            case 1: bytes.insert(UInt8(random.below(256)), at: place)
            case 2: bytes[place] ^= 1 << UInt8(random.below(8))
            case 3: bytes.removeSubrange(place...)
            default: bytes[place] = UInt8(random.below(256))
            }
        }
        return bytes
    }

    /// The plan, for people to read.
    var text: String {
        let bytes = bytesSeed == nil ? "" : ", and bytes of them damaged"
        let damaged =
            bytesSeed == nil ? [] : ["    bytes on stream 1: " + Self.hexadecimal(self.bytes(on: 1).prefix(400))]
        let lines =
            ["\(method.rawValue) \(way.rawValue) id \(id), \(origin)\(bytes)"] + frames.map { "    \($0.text)" }
            + damaged
        return lines.joined(separator: "\n")
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String(0x100 + Int($0), radix: 16).dropFirst() }.joined()
    }
}
